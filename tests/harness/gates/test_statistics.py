from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from harness.gates.statistics import (
    clean_trials,
    pass_hat,
    quantile,
    quantile_lower,
    quantile_upper,
    rate_lower,
    rate_upper,
)


@pytest.mark.parametrize(
    ("passed", "n", "low", "high"),
    [(81, 263, 0.2527, 0.3676), (15, 148, 0.0578, 0.1617), (0, 20, 0.0, 0.1684), (1, 29, 0.0009, 0.1776)],
)
def test_clopper_pearson_as_tabulated_by_newcombe_1998_table_1(passed, n, low, high):
    assert rate_lower(passed, n, 0.975) == pytest.approx(low, abs=5e-5)
    assert rate_upper(passed, n, 0.975) == pytest.approx(high, abs=5e-5)


@pytest.mark.parametrize("n", [1, 3, 30, 300])
def test_none_of_n_is_bounded_by_its_closed_form(n):
    assert rate_upper(0, n, 0.95) == pytest.approx(1 - 0.05 ** (1 / n))
    assert rate_lower(n, n, 0.95) == pytest.approx(0.05 ** (1 / n))


def test_rule_of_three_of_hanley_and_lippman_hand_1983():
    assert rate_upper(0, 100, 0.95) == pytest.approx(3 / 100, rel=0.02)


def test_no_trials_say_nothing():
    assert (rate_lower(0, 0, 0.95), rate_upper(0, 0, 0.95)) == (0, 1)


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_bounds_are_those_of_scipy(counts):
    passed, n = counts
    interval = binomtest(passed, n).proportion_ci(0.95, method="exact")
    assert rate_lower(passed, n, 0.975) == pytest.approx(interval.low, abs=1e-9)
    assert rate_upper(passed, n, 0.975) == pytest.approx(interval.high, abs=1e-9)


def test_quantile_is_the_smallest_value_that_covers_the_share():
    values = list(range(1, 21))
    assert quantile(values, Fraction(95, 100)) == 19
    assert quantile(values, Fraction(96, 100)) == 20
    assert quantile(values, Fraction(1)) == 20
    assert quantile(values, Fraction(1, 100)) == 1
    assert quantile([7], Fraction(1, 2)) == 7


@pytest.mark.parametrize(("n", "low", "high"), [(10, 2, 9), (15, 4, 12), (20, 6, 15), (25, 8, 18)])
def test_interval_of_a_median_as_tabulated_by_conover_1999(n, low, high):
    """Ranks whose coverage by the binomial table is the least at or above 95 %."""
    values = list(range(1, n + 1))
    assert quantile_lower(values, Fraction(1, 2), 0.975) == low
    assert quantile_upper(values, Fraction(1, 2), 0.975) == high


def test_wilks_1941_it_takes_59_values_to_bound_a_95th_percentile():
    assert quantile_upper(list(range(58)), Fraction(95, 100), 0.95) is None
    assert quantile_upper(list(range(59)), Fraction(95, 100), 0.95) == 58
    assert clean_trials(0.95, 0.95) == 59


@pytest.mark.parametrize(
    ("share", "confidence", "n"), [(0.9, 0.95, 29), (0.99, 0.95, 299), (0.99, 0.99, 459), (0.5, 0.75, 2)]
)
def test_clean_trials_as_in_tables_of_success_run_sampling(share, confidence, n):
    assert clean_trials(share, confidence) == n


@given(st.floats(0.01, 0.999), st.floats(0.5, 0.999))
def test_clean_trials_is_the_least_number_that_proves_the_share(share, confidence):
    n = clean_trials(share, confidence)
    assert share**n <= 1 - confidence
    assert n == 1 or share ** (n - 1) > 1 - confidence


def test_pass_hat_k_averages_over_scenarios():
    assert pass_hat(1, [(3, 4), (4, 4)]) == Fraction(7, 8)
    assert pass_hat(2, [(3, 4), (4, 4)]) == Fraction(comb(3, 2), comb(4, 2)) / 2 + Fraction(1, 2)
    assert pass_hat(4, [(3, 4), (4, 4)]) == Fraction(1, 2)


def test_pass_hat_k_needs_k_trials_of_every_scenario():
    assert pass_hat(4, [(3, 3), (4, 4)]) is None
    assert pass_hat(1, []) is None
