"""Two runs side by side: what broke, what was fixed, how far the measures moved."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.gates.changes import Change, changes
from harness.gates.means import Mean, mean_of
from harness.gates.paired import Discordant, drop_lower, drop_upper
from harness.model.baseline import Baseline
from tests.harness.gates.build import measured, result, results, trials


def baseline(rows, **more):
    return Baseline("prod", "r-1", tuple(rows), **more)


def compared(first, second, **more):
    return changes(baseline(results(first), **more), results(second))


def counts(tally):
    return {change.value: count for change, count in tally.counts.items() if count}


def test_each_pair_is_broken_fixed_or_as_before():
    found = compared("PPFFN", "PFPFP")
    (cell,) = found.cells
    assert cell.where == {"family": "f"}
    assert counts(cell.verdict) == {"broken": 1, "fixed": 1, "still failing": 1, "still passing": 1, "not judged": 1}
    assert [(each.second.key.item, each.change) for each in found.twins] == [
        ("s0", Change.STILL_PASSING),
        ("s1", Change.BROKEN),
        ("s2", Change.FIXED),
        ("s3", Change.STILL_FAILING),
        ("s4", Change.NOT_JUDGED),
    ]


def test_the_gain_is_bounded_as_a_gate_bounds_a_drop():
    (cell,) = compared("P" * 10 + "F" * 10, "F" + "P" * 9 + "P" * 4 + "F" * 6).cells
    tally = cell.verdict
    assert tally.gain == Fraction(4 - 1, 20)
    pairs = Discordant(1, 4, 20)
    assert tally.bounds == (-drop_upper(pairs, 0.975), -drop_lower(pairs, 0.975), 0.975)
    assert tally.bounds.low < tally.gain < tally.bounds.high


def test_what_was_not_judged_may_have_come_out_either_way():
    (whole,) = compared("P" * 20, "P" * 20).cells
    (open_,) = compared("P" * 20, "P" * 18 + "NN").cells
    assert open_.verdict.gain == 0
    assert open_.verdict.bounds.low < whole.verdict.bounds.low


def test_nothing_judged_has_no_gain():
    (cell,) = compared("NN", "PF").cells
    assert (cell.verdict.gain, cell.verdict.bounds.low) == (None, None)


def test_two_deterministic_versions_are_compared_exactly():
    found = changes(baseline(results("PF"), deterministic=True), results("PP"), deterministic=True)
    tally = found.cells[0].verdict
    assert (tally.exact, tally.gain, tally.bounds.low) == (True, Fraction(1, 2), None)


def test_spared_trials_stand_for_what_those_that_were_played_agree_on():
    found = changes(baseline(trials("PPSS"), deterministic=True), trials("FFFP"))
    assert counts(found.cells[0].verdict) == {"broken": 3, "still passing": 1}


def test_families_are_apart_and_slices_within_them():
    rows = [
        result("P", "a", family="refunds", language="es", customer="gold"),
        result("P", "b", family="refunds", language="en", customer="new"),
        result("P", "c", family="policy", language="en"),
    ]
    found = changes(baseline(rows), [replace(row, family="policy") if row.key.item == "c" else row for row in rows])
    assert [dict(cell.where) for cell in found.cells] == [
        {"family": "refunds"},
        {"family": "refunds", "customer": "gold"},
        {"family": "refunds", "customer": "new"},
        {"family": "refunds", "language": "en"},
        {"family": "refunds", "language": "es"},
        {"family": "policy"},  # its one slice is all of it
    ]


def test_what_can_not_be_compared_is_told():
    first = [*results("PPP"), result("P", "gone"), result("M", "late")]
    second = [*results("PPP"), result("P", "new"), result("P", "late")]
    found = changes(baseline(first, changed_items={"s1": "the scenario changed"}), second)
    assert found.apart == {
        "changed since: the scenario changed": ("s1",),
        "only in the second run": ("new",),
        "only in the first run": ("gone",),
        "not played in one of the runs": ("late",),
    }
    assert [each.second.key.item for each in found.twins] == ["s0", "s2"]


def test_a_metric_that_is_scored_otherwise_is_not_compared():
    found = compared("PP", "PF", changed_metrics={"task_success": "scorer version 1 -> 2"})
    assert dict(found.cells[0].judged) == {}
    assert found.rescored == {"task_success": "scorer version 1 -> 2"}


def test_explore_scenarios_are_listed_and_in_no_rate():
    found = changes(baseline(results("P", tier="explore")), results("F", tier="explore"))
    assert found.cells == ()
    assert [each.change for each in found.twins] == [Change.BROKEN]


def test_a_measure_is_compared_where_both_values_are_known():
    found = changes(baseline(measured([1, 2, 3, None])), measured([2, 2, 5, 1]))
    shift = found.cells[0].moved["cost_usd"]
    assert (shift.n, shift.missing) == (3, 1)
    assert (shift.first.p50, shift.second.p50, shift.second.p95) == (2, 2, 5)
    assert shift.rise == Fraction(9, 6) - 1


def test_the_bounds_of_a_rise_are_those_at_which_the_paired_differences_are_told_from_zero():
    old, new = [1.0, 2.0, 3.0, 4.0, 2.5] * 4, [1.5, 2.2, 3.9, 4.1, 3.0] * 4
    bounds = changes(baseline(measured(old)), measured(new)).cells[0].moved["cost_usd"].bounds
    for bound, claim in ((bounds.low, Mean.p_above), (bounds.high, Mean.p_below)):
        apart = mean_of([b - (1 + bound) * a for a, b in zip(old, new, strict=True)])
        assert claim(apart, 0) == pytest.approx(0.025, abs=1e-6)


def test_a_measure_that_all_trials_agree_on_is_exact():
    found = changes(baseline(measured([1, 2]), deterministic=True), measured([2, 2]), deterministic=True)
    shift = found.cells[0].moved["cost_usd"]
    assert (shift.exact, shift.rise, shift.bounds.low) == (True, Fraction(1, 3), None)


def test_of_nothing_there_is_no_rise():
    shift = changes(baseline(measured([0, 0])), measured([1, 2])).cells[0].moved["cost_usd"]
    assert (shift.rise, shift.bounds.low) == (None, None)


@given(st.text("PFNA", min_size=1, max_size=12))
def test_a_run_beside_itself_has_neither_broken_nor_fixed(outcomes):
    found = compared(outcomes, outcomes)
    assert not {Change.BROKEN, Change.FIXED} & {each.change for each in found.twins}
    assert all(cell.verdict.gain in (0, None) for cell in found.cells)


@given(st.lists(st.tuples(st.sampled_from("PF"), st.sampled_from("PF")), min_size=1, max_size=30))
def test_exchanging_the_runs_exchanges_broken_and_fixed(pairs):
    first, second = ("".join(side) for side in zip(*pairs, strict=True))
    there, back = compared(first, second).cells[0].verdict, compared(second, first).cells[0].verdict
    assert there.counts[Change.BROKEN] == back.counts[Change.FIXED]
    assert there.gain == -back.gain
    assert there.bounds.low == pytest.approx(-back.bounds.high)
