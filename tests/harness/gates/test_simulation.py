"""The table in docs/statistics.md says what rules do: drawn again where it is quick, and in part where it is not."""

import re
from math import sqrt
from pathlib import Path

import pytest

from tests.harness.gates.simulation import CASES, RUNS, Case, rates, table_row

PAGE = Path(__file__).parents[3] / "docs" / "statistics.md"
ROWS = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if "%" in line and line.startswith("| ")]
SOME = 40
"""Runs of the cases that take long."""


def shares(row: str) -> list[float]:
    return [float(number) / 100 for number in re.findall(r"([\d.]+) %", row)]


def written(case: Case) -> str:
    return ROWS[CASES.index(case)]


def test_the_table_has_a_row_for_each_case():
    assert [row.split(" | ")[:2] for row in ROWS] == [[f"| {case.rule}", case.drawn] for case in CASES]


@pytest.mark.parametrize("case", [case for case in CASES if case.quick], ids=lambda case: case.rule)
def test_the_same_numbers_come_out(case):
    assert table_row(case) == written(case)


@pytest.mark.parametrize("case", [case for case in CASES if not case.quick], ids=lambda case: case.rule)
def test_a_few_runs_agree_with_the_table(case):
    for some, all_ in zip(rates(case, SOME), shares(written(case)), strict=True):
        assert abs(some - all_) <= 4 * sqrt(max(all_ * (1 - all_), 0.02) / SOME)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.rule)
def test_a_gate_is_wrong_no_more_often_than_it_claims(case):
    """5 % of each, and what 2,000 runs may be off by chance: three standard errors."""
    passed, failed, _ = shares(written(case))
    within = max(passed, failed) <= 0.05 + 3 * sqrt(0.05 * 0.95 / RUNS)
    assert within == case.claims
