from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from harness.gates.measures import Limit, Sample, measure
from harness.model.result import Decision


def sample(*values: str | int, missing: int = 0, **more: Any) -> Sample:
    return Sample(tuple(Fraction(value) for value in values), missing, **more)


CENTS = Limit("at_most", Decimal("0.02"))


@pytest.mark.parametrize(
    ("values", "stat", "decision"),
    [
        (["0.01"] * 19 + ["0.05"], "p95", Decision.PASSED),
        (["0.01"] * 18 + ["0.05"] * 2, "p95", Decision.FAILED),
        (["0.01"] * 19 + ["0.05"], "max", Decision.FAILED),
        (["0.01", "0.03"], "mean", Decision.PASSED),
        (["0.01", "0.031"], "mean", Decision.FAILED),
        (["0.02"], "mean", Decision.PASSED),
    ],
)
def test_the_statistic_is_held_against_the_limit(values, stat, decision):
    assert measure(sample(*values), stat, CENTS).decision is decision


def test_missing_values_are_never_green():
    cheap = ["0.001"] * 99
    assert measure(sample(*cheap, missing=1), "p95", CENTS).decision is Decision.UNDECIDED
    assert measure(sample(*cheap, missing=1), "mean", CENTS).decision is Decision.UNDECIDED
    assert measure(sample(missing=3), "mean", CENTS).decision is Decision.UNDECIDED
    assert measure(sample(), "mean", CENTS).decision is Decision.UNDECIDED


def test_a_limit_that_is_broken_whatever_is_missing_is_broken():
    assert measure(sample("0.05", missing=9), "max", CENTS).decision is Decision.FAILED
    assert measure(sample(*["0.05"] * 18, missing=2), "p50", CENTS).decision is Decision.FAILED
    assert measure(sample(*["0.05"] * 9, missing=11), "p50", CENTS).decision is Decision.UNDECIDED


def test_at_least_is_the_mirror_image():
    floor = Limit("at_least", Decimal("0.5"))
    assert measure(sample("0.6", "0.5"), "mean", floor).decision is Decision.PASSED
    assert measure(sample("0.6", "0.3"), "mean", floor).decision is Decision.FAILED
    assert measure(sample("0.6", missing=1), "mean", floor).decision is Decision.UNDECIDED


def test_with_confidence_the_bound_of_a_quantile_decides():
    assert measure(sample(*["0.01"] * 59), "p95", CENTS, 0.95).decision is Decision.PASSED
    undecided = measure(sample(*["0.01"] * 58), "p95", CENTS, 0.95)
    assert undecided.decision is Decision.UNDECIDED
    assert "no upper bound at this number" in undecided.reason
    assert measure(sample(*["0.05"] * 59), "p95", CENTS, 0.95).decision is Decision.FAILED
    assert measure(sample(*["0.05"] * 100, missing=1), "p95", CENTS, 0.95).decision is Decision.FAILED


def test_with_confidence_the_bound_of_a_mean_decides():
    """1 to 10: mean 5.5, error 0.957. The skewness is 0 and its error 0.687, so that a = 0.687 / (3 sqrt 10) = 0.0724;
    t(9) at 95 % is 1.833, and (1 - cbrt(1 - 3 a (1.833 + a / 2))) / a = 2.20: the bounds are 5.5 +- 2.11.
    """
    values = sample(*range(1, 11))
    assert measure(values, "mean", Limit("at_most", Decimal("7.62")), 0.95).decision is Decision.PASSED
    assert measure(values, "mean", Limit("at_most", Decimal("7.60")), 0.95).decision is Decision.UNDECIDED
    assert measure(values, "mean", Limit("at_most", Decimal("3.38")), 0.95).decision is Decision.FAILED
    assert measure(values, "mean", Limit("at_most", Decimal("3.40")), 0.95).decision is Decision.UNDECIDED


def test_values_in_clusters_are_bounded_as_so_many_values_as_there_are_clusters():
    """0.95^59 < 0.05: it takes 59 conversations to bound a 95th percentile of turns, however many turns each has."""
    turns = tuple(number // 4 for number in range(4 * 59))
    assert measure(sample(*["0.01"] * 4 * 59, clusters=turns), "p95", CENTS, 0.95).decision is Decision.PASSED
    fewer = measure(sample(*["0.01"] * 4 * 58, clusters=turns[: 4 * 58], unit="conversations"), "p95", CENTS, 0.95)
    assert fewer.decision is Decision.UNDECIDED
    assert "about 59 conversations would decide, 1 more" in fewer.reason


def test_a_mean_of_few_clusters_is_not_bounded():
    few = measure(sample(*[1, 2] * 9, clusters=tuple(n // 2 for n in range(18)), unit="scenarios"), "mean", CENTS, 0.95)
    assert few.decision is Decision.UNDECIDED
    assert few.bounds.high is None
    assert "it takes 10 scenarios at least" in few.reason


def test_clusters_of_equal_values_count_once():
    """Ten scenarios of four equal trials: Student's t on ten values, not on forty."""
    values = [n for n in range(10) for _ in range(4)]
    clustered = measure(sample(*values, clusters=tuple(values)), "mean", CENTS, 0.95)
    assert clustered.bounds == pytest.approx(measure(sample(*range(10)), "mean", CENTS, 0.95).bounds)


def test_exact_values_need_no_bound():
    ruling = measure(sample("0.01", "0.01", exact=True), "p95", CENTS, 0.95)
    assert ruling.decision is Decision.PASSED
    assert ruling.exact
    assert ruling.bounds.high is None
