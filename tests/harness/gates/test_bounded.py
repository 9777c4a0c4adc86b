import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.special import rel_entr

from harness.gates.bounded import (
    divergence,
    fewest,
    mean_lower,
    mean_upper,
    p_above,
    p_below,
    values_to_decide,
)
from harness.gates.statistics import rate_lower

shares = st.floats(0.01, 0.99)


@given(shares, shares)
def test_divergence_is_that_of_scipy(x, m):
    assert divergence(x, m) == pytest.approx(rel_entr(x, m) + rel_entr(1 - x, 1 - m), abs=1e-12)


@pytest.mark.parametrize("n", [1, 3, 29, 300])
def test_where_all_are_one_the_bound_is_the_exact_one(n):
    assert mean_lower(1, n, 0.95) == pytest.approx(0.05 ** (1 / n))
    assert mean_lower(1, n, 0.95) == pytest.approx(rate_lower(n, n, 0.95))
    assert mean_upper(0, n, 0.95) == pytest.approx(1 - 0.05 ** (1 / n))


def test_nothing_bounds_nothing():
    assert mean_upper(0.5, 0, 0.95) == 1
    assert mean_lower(0, 10, 0.95) == 0


@given(shares, st.floats(1, 500), st.sampled_from([0.8, 0.95, 0.99]))
def test_a_bound_is_where_the_p_value_is_what_is_allowed(mean, n, confidence):
    low, high = mean_lower(mean, n, confidence), mean_upper(mean, n, confidence)
    assert low <= mean <= high
    assume(low > 1e-9 and high < 1 - 1e-9)
    assert p_above(mean, n, low) == pytest.approx(1 - confidence, rel=1e-4)
    assert p_below(mean, n, high) == pytest.approx(1 - confidence, rel=1e-4)


@given(st.integers(1, 60), st.floats(0.02, 0.98))
def test_it_is_never_narrower_than_the_exact_bound_on_a_rate(n, rate):
    passed = round(rate * n)
    assert mean_lower(passed / n, n, 0.95) <= rate_lower(passed, n, 0.95) + 1e-9


def test_values_to_decide():
    """D(0.95, 0.9) = 0.95 ln(0.95/0.9) + 0.05 ln(0.05/0.1) = 0.01671; ln 20 = 2.9957; 2.9957 / 0.01671 = 179.3."""
    assert values_to_decide(0.95, 0.9, 0.95) == 180
    assert values_to_decide(1, 0.9, 0.95) == 29
    assert values_to_decide(0.9, 0.9, 0.95) is None


def test_fewest():
    assert fewest(lambda n: n >= 37, 5) == 37
    assert fewest(lambda n: n >= 3, 5) == 5
    assert fewest(lambda n: False, 5, most=100) is None


def test_divergence_from_what_can_not_be_is_infinite():
    assert divergence(0.5, 0) == math.inf
    assert divergence(0.5, 1) == math.inf
    assert divergence(1, 1) == 0
