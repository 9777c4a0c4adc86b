from decimal import Decimal

import pytest

from harness.gates.rates import every_trial, failures, share_not_judged, share_passed
from harness.gates.shares import Tally
from harness.model.result import Decision

NINETY = Decimal("0.90")


@pytest.mark.parametrize(
    ("tally", "decision"),
    [
        (Tally(9, 1, 0), Decision.PASSED),
        (Tally(8, 2, 0), Decision.FAILED),
        (Tally(18, 1, 1), Decision.PASSED),
        (Tally(17, 1, 2), Decision.UNDECIDED),
        (Tally(17, 3, 0), Decision.FAILED),
        (Tally(16, 3, 1), Decision.FAILED),
        (Tally(1, 0, 4), Decision.UNDECIDED),
        (Tally(0, 0, 5), Decision.UNDECIDED),
        (Tally(0, 0, 0), Decision.UNDECIDED),
    ],
)
def test_what_is_not_judged_counts_as_failed_and_as_passed(tally, decision):
    assert share_passed(tally, NINETY).decision is decision


def test_nothing_judged_is_undecided_even_where_any_share_would_do():
    assert share_passed(Tally(0, 0, 3), Decimal(0)).decision is Decision.UNDECIDED


def test_the_raw_figure_decides_and_is_told_from_the_limit():
    ruling = share_passed(Tally(79_996, 20_004, 0), Decimal("0.8"))
    assert ruling.decision is Decision.FAILED
    assert "0.79996" in ruling.reason


def test_with_confidence_the_bound_decides():
    """Clopper-Pearson at 95 %: the lower bound of 29 of 29 is 0.902, of 28 of 28 it is 0.899."""
    assert share_passed(Tally(29, 0, 0), NINETY, 0.95).decision is Decision.PASSED
    undecided = share_passed(Tally(28, 0, 0), NINETY, 0.95)
    assert undecided.decision is Decision.UNDECIDED
    assert "about 29 trials would decide" in undecided.reason
    assert share_passed(Tally(28, 1, 0), NINETY, 0.95).decision is Decision.UNDECIDED
    assert share_passed(Tally(10, 10, 0), NINETY, 0.95).decision is Decision.FAILED
    assert share_passed(Tally(29, 0, 1), NINETY, 0.95).decision is Decision.UNDECIDED


def test_without_confidence_the_95_percent_interval_is_told():
    ruling = share_passed(Tally(81, 182, 0), Decimal("0.2"))
    assert ruling.bounds.low == pytest.approx(0.2527, abs=1e-4)
    assert ruling.bounds.high == pytest.approx(0.3676, abs=1e-4)
    assert ruling.n == 263


def test_figures_of_a_deterministic_agent_are_exact_and_labelled():
    ruling = share_passed(Tally(4, 0, 0, exact=True), NINETY, 0.95)
    assert ruling.decision is Decision.PASSED
    assert ruling.exact
    assert ruling.bounds.low is None
    assert share_passed(Tally(3, 1, 0, exact=True), NINETY, 0.95).decision is Decision.FAILED
    assert share_passed(Tally(3, 0, 1, exact=True), NINETY, 0.95).decision is Decision.UNDECIDED


@pytest.mark.parametrize(
    ("tally", "allowed", "decision"),
    [
        (Tally(40, 0, 0), 0, Decision.PASSED),
        (Tally(39, 1, 0), 0, Decision.FAILED),
        (Tally(39, 0, 1), 0, Decision.UNDECIDED),
        (Tally(39, 1, 0), 1, Decision.PASSED),
        (Tally(38, 1, 1), 1, Decision.UNDECIDED),
        (Tally(0, 0, 4), 9, Decision.UNDECIDED),
    ],
)
def test_failures(tally, allowed, decision):
    assert failures(tally, allowed).decision is decision


def test_no_failure_seen_tells_what_may_still_be():
    """1 - 0.05^(1/40) = 0.0722."""
    assert "the true rate is at most 0.0722 with 95 % confidence" in failures(Tally(40, 0, 0), 0).reason


def test_what_is_not_judged_may_have_failed():
    """Of 39 that passed and 1 open, up to 1 of 40 failed: the bound p leaves that a chance of 5 %."""
    p = failures(Tally(39, 0, 1), 1).bounds.high
    assert (1 - p) ** 40 + 40 * p * (1 - p) ** 39 == pytest.approx(0.05)
    assert failures(Tally(0, 1, 19), 0).bounds.low == pytest.approx(1 - 0.95 ** (1 / 20), abs=1e-9)


@pytest.mark.parametrize(
    ("tally", "decision"),
    [
        (Tally(4, 0, 0), Decision.PASSED),
        (Tally(3, 1, 0), Decision.FAILED),
        (Tally(3, 0, 1), Decision.UNDECIDED),
        (Tally(0, 1, 3), Decision.FAILED),
        (Tally(0, 0, 0), Decision.UNDECIDED),
    ],
)
def test_every_trial(tally, decision):
    assert every_trial(tally).decision is decision


def test_too_much_not_judged_is_undecided_never_failed():
    assert share_not_judged(1, 50, Decimal("0.02")).decision is Decision.PASSED
    assert share_not_judged(2, 50, Decimal("0.02")).decision is Decision.UNDECIDED
    assert share_not_judged(50, 50, Decimal("0.02")).decision is Decision.UNDECIDED
    assert share_not_judged(0, 0, Decimal("0.02")).decision is Decision.UNDECIDED


def test_undecided_for_want_of_judgements_says_what_must_become_of_them():
    """1 pass and 4 faults of the provider: three of five are asked for."""
    ruling = share_passed(Tally(1, 0, 4), Decimal("0.6"))
    assert (ruling.decision, ruling.reason) == (
        Decision.UNDECIDED,
        "1 of 1 passed (1), 0.6 asked for, 4 not judged; it holds if 2 of these pass",
    )


def test_undecided_with_confidence_says_how_many_trials_would_do_whether_all_are_judged_or_not():
    """0.9^29 < 0.05: 20 judged and 2 open are 7 short of 29; of 30 and 2 open, judging the two is enough."""
    assert share_passed(Tally(20, 0, 2), NINETY, 0.95).reason.endswith("about 29 trials would decide, 7 more")
    assert share_passed(Tally(30, 0, 2), NINETY, 0.95).reason.endswith("would decide, once all are judged")
