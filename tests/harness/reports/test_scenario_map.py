from __future__ import annotations

import sys
from decimal import Decimal

from harness.model.result import Result
from harness.model.status import Measure, Status
from harness.reports.scenario_map import JudgedCell, MeasuredCell, scenario_map
from tests.harness.gates.build import result


def measured(*values):
    missing = Measure("USD", None, Status.NOT_JUDGED, "no usage")
    made = []
    for trial, value in enumerate(values, 1):
        base = result("P", trial=trial)
        cost = missing if value is None else Measure("USD", Decimal(value))
        made.append(Result(base.key, base.family, base.tier, base.slices, "played", base.verdict, {"cost_usd": cost}))
    return made


def test_each_status_is_counted_apart():
    found = scenario_map(["f"], ["task_success"], [result(outcome, trial=n) for n, outcome in enumerate("PPFNA", 1)])
    cell = found.cells["f", "task_success"]
    assert cell == JudgedCell(passed=2, failed=1, not_judged=1, not_applicable=1)
    assert isinstance(cell, JudgedCell)
    assert cell.n == 3


def test_a_hole_is_no_cell():
    found = scenario_map(["f", "untested"], ["task_success"], [result("A")])
    assert found.cells == {}
    assert (found.planned, found.played) == ({"f": 1, "untested": 0}, {"f": 1, "untested": 0})


def test_missing_measures_are_counted_and_never_zero():
    found = scenario_map(["f"], ["cost_usd"], measured("0.3", None, "0.1"))
    assert found.cells["f", "cost_usd"] == MeasuredCell("USD", (0.1, 0.3), missing=1)
    only_missing = scenario_map(["f"], ["cost_usd"], measured(None))
    cell = only_missing.cells["f", "cost_usd"]
    assert isinstance(cell, MeasuredCell)
    assert (cell.n, cell.missing, cell.quantile(0.95)) == (0, 1, None)


def test_quantiles_are_nearest_rank():
    """The values of 1 to 20: the 19th is the smallest that 95 % do not exceed, the 10th that half do not."""
    cell = MeasuredCell("turns", tuple(float(value) for value in range(1, 21)))
    assert [cell.quantile(share) for share in (0.0, 0.5, 0.95, 1.0)] == [1, 10, 19, 20]


def test_explore_is_not_on_the_map_and_spared_and_missing_are_told():
    found = scenario_map(
        ["f"],
        ["task_success"],
        [result("P"), result("S", trial=2), result("M", trial=3), result("F", "x", tier="explore")],
    )
    assert (found.planned["f"], found.played["f"], found.spared["f"]) == (3, 1, 1)
    assert found.cells["f", "task_success"] == JudgedCell(passed=1)


def test_numbers_beyond_floats_have_a_place():
    found = scenario_map(["f"], ["cost_usd"], measured(1, 10**400, Decimal("1e400")))
    assert found.cells["f", "cost_usd"].quantile(0.95) == sys.float_info.max
