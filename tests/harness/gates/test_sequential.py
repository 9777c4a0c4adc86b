from fractions import Fraction
from itertools import product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import beta, binom

from harness.gates.sequential import p_above, p_below, rate_lower, rate_upper
from harness.gates.statistics import rate_lower as fixed_lower

COUNTS = st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def evidence(passed, n, rate):
    """By the definition: the integral itself."""
    prior = beta(0.5, 0.5)

    def density(p):
        return p**passed * (1 - p) ** (n - passed) * prior.pdf(p)

    value, _ = quad(density, rate, 1, limit=200)
    return value / prior.sf(rate) / (rate**passed * (1 - rate) ** (n - passed))


@pytest.mark.parametrize(("passed", "n", "rate"), [(9, 10, 0.5), (20, 20, 0.9), (45, 50, 0.8), (3, 10, 0.2)])
def test_the_p_value_is_one_over_the_mixture(passed, n, rate):
    assert p_above(passed, n, rate) == pytest.approx(min(1, 1 / evidence(passed, n, rate)), rel=1e-6)
    assert p_below(n - passed, n, 1 - rate) == p_above(passed, n, rate)


@pytest.mark.parametrize("rate", [0.1, 0.5, 0.8, 0.9, 0.95])
@pytest.mark.parametrize("n", [1, 4, 25])
def test_the_evidence_is_one_on_average_at_the_rate_that_it_is_against_and_less_below(n, rate):
    values = [evidence(k, n, rate) for k in range(n + 1)]
    assert sum(binom.pmf(k, n, rate) * value for k, value in enumerate(values)) == pytest.approx(1, rel=1e-6)
    assert sum(binom.pmf(k, n, 0.9 * rate) * value for k, value in enumerate(values)) < 1


def test_scenarios_that_differ_are_no_more_often_taken_for_better_than_their_mean():
    """A round of four scenarios, all ways that it can go, with the mean at the limit."""
    limit, rates = 0.8, (1.0, 0.95, 0.75, 0.5)
    expected = sum(
        prod(q if passed else 1 - q for q, passed in zip(rates, course, strict=True)) * evidence(sum(course), 4, limit)
        for course in product((0, 1), repeat=4)
    )
    assert expected <= 1


def ever_wrong(rate, looks, shows):
    """The chance that the trials show something at one of the looks, exactly, by the binomial law."""
    alive, wrong = {0: 1.0}, 0.0
    for n in looks:
        moved = dict.fromkeys(range(n + 1), 0.0)
        for passed, chance in alive.items():
            moved[passed] += chance * (1 - rate)
            moved[passed + 1] += chance * rate
        wrong += sum(moved.pop(passed) for passed in range(n + 1) if shows(passed, n))
        alive = moved
    return wrong


@pytest.mark.parametrize("limit", [0.5, 0.8, 0.9])
def test_looked_at_after_every_trial_it_is_wrong_no_more_often_than_it_says(limit):
    looks = range(1, 121)
    assert ever_wrong(limit, looks, lambda passed, n: p_above(passed, n, limit) <= 0.05) <= 0.05
    assert ever_wrong(limit, looks, lambda passed, n: p_below(passed, n, limit) <= 0.05) <= 0.05


def test_a_bound_for_a_fixed_number_is_wrong_far_more_often_than_it_says_if_looked_at_so():
    assert ever_wrong(0.8, range(1, 121), lambda passed, n: fixed_lower(passed, n, 0.95) > 0.8) > 0.10


@pytest.mark.parametrize(("share", "fixed", "sequential"), [(0.5, 5, 6), (0.8, 14, 17), (0.9, 29, 36), (0.95, 59, 74)])
def test_what_it_takes_without_a_failure(share, fixed, sequential):
    assert rate_lower(sequential, sequential, 0.95) >= share > rate_lower(sequential - 1, sequential - 1, 0.95)
    assert fixed_lower(fixed, fixed, 0.95) >= share > fixed_lower(fixed - 1, fixed - 1, 0.95)


@given(COUNTS, st.sampled_from([0.9, 0.95, 0.975, 0.99]))
def test_bounds_enclose_the_figure_and_are_wider_than_those_for_a_fixed_number(counts, confidence):
    passed, n = counts
    low, high = rate_lower(passed, n, confidence), rate_upper(passed, n, confidence)
    assert 0 <= low <= Fraction(passed, n) <= high <= 1
    assert low <= fixed_lower(passed, n, confidence)
    assert rate_lower(n - passed, n, confidence) == pytest.approx(1 - high)


@given(COUNTS, st.floats(0.01, 0.99))
def test_the_p_value_agrees_with_the_bound(counts, rate):
    passed, n = counts
    low = rate_lower(passed, n, 0.95)
    if abs(low - rate) > 1e-9:
        assert (p_above(passed, n, rate) <= 0.05) == (low > rate)


@given(COUNTS)
def test_more_passes_never_lower_the_bound(counts):
    passed, n = counts
    if passed:
        assert rate_lower(passed - 1, n, 0.95) <= rate_lower(passed, n, 0.95)


def test_without_a_trial_nothing_is_known():
    assert (rate_lower(0, 0, 0.95), rate_upper(0, 0, 0.95)) == (0, 1)
    assert (p_above(0, 0, 0.9), p_below(0, 0, 0.9)) == (1, 1)
