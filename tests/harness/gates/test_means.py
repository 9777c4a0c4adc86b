import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from scipy.optimize import brentq

from harness.gates.means import Mean, clustered_mean, mean_of


def test_mean_and_error():
    """1 to 10: the variance is 55/6, the error the root of a tenth of that."""
    assert mean_of(range(1, 11)) == pytest.approx((5.5, 0.9574, 9, 0), rel=1e-3)


def test_fewer_than_ten_values_bound_no_mean_however_alike_they_are():
    assert mean_of([5] * 9) is None
    assert mean_of([5] * 10) == (5, 0, 9, 0)


def test_of_values_without_a_tail_the_bounds_are_the_t_table():
    """t(3) at 0.975 is 3.182. A skewness so far below zero is none on the upper side, whatever its error."""
    mean = Mean(2.5, 1.291 / 2, 3, -9)
    assert mean.upper(0.975) - 2.5 == pytest.approx(3.182 * 1.291 / 2, rel=1e-3)
    assert mean.p_below(2.5 + 3.182 * 1.291 / 2) == pytest.approx(0.025, rel=1e-3)


def test_a_long_tail_widens_the_bound_on_its_side():
    """The bound is where Hall's polynomial in t comes to minus the t quantile, found here by search."""
    values = [1.0, 1.1, 1.1, 1.1, 1.2, 1.3, 1.3, 1.5, 1.8, 2.4, 6.0]
    mean = mean_of(values)
    assert mean is not None
    skewness = stats.skew(values, bias=False)
    assert mean.skewness == pytest.approx(skewness)
    a = (skewness + np.sqrt(6 * 11 * 10 / (9 * 12 * 14))) / (3 * np.sqrt(11))
    quantile = stats.t.ppf(0.95, 10)
    at = brentq(lambda t: t + a * t**2 + a**2 * t**3 / 3 + a / 2 + quantile, -60, 0)
    assert mean.upper(0.95) == pytest.approx(mean.value - at * mean.error)
    assert mean.upper(0.95) > mean.value + quantile * mean.error
    assert mean.lower(0.95) == pytest.approx(mean.value - quantile * mean.error)


@given(st.lists(st.floats(0, 100), min_size=10, max_size=30), st.sampled_from([0.8, 0.95, 0.99]))
def test_a_bound_is_where_the_p_value_is_what_is_allowed(values, confidence):
    mean = mean_of(values)
    assume(mean is not None and mean.error > 1e-3)
    assert mean.p_below(mean.upper(confidence)) == pytest.approx(1 - confidence, rel=1e-6)
    assert mean.p_above(mean.lower(confidence)) == pytest.approx(1 - confidence, rel=1e-6)


def test_the_error_of_clusters_is_the_sandwich_of_a_regression_on_a_constant():
    """(X'X)^-1 (sum of u_g u_g') (X'X)^-1 with CR1's m / (m - 1), written out with arrays."""
    chance = np.random.default_rng(3)
    sizes = chance.integers(1, 6, 12)
    clusters = np.repeat(np.arange(12), sizes)
    values = chance.normal(5, 1, len(clusters)) + chance.normal(0, 2, 12)[clusters]
    residuals = values - values.mean()
    meat = sum(residuals[clusters == one].sum() ** 2 for one in range(12))
    found = clustered_mean(list(values), list(clusters))
    assert found is not None
    assert found.value == pytest.approx(values.mean())
    assert found.error == pytest.approx(np.sqrt(meat * 12 / 11) / len(values))
    assert found.freedom == 11


def test_fewer_than_ten_clusters_have_no_error():
    assert clustered_mean(list(range(18)), [n // 2 for n in range(18)]) is None


def test_observations_to_decide():
    spread = 1.2909944
    mean = Mean(2.5, spread / 2, 3)
    enough = mean.observations_to_decide(3.0, 0.95)
    assert enough is not None
    assert Mean(2.5, spread / enough**0.5, enough - 1).upper(0.95) <= 3
    assert Mean(2.5, spread / (enough - 1) ** 0.5, enough - 2).upper(0.95) > 3
    assert mean.observations_to_decide(2.5, 0.95) is None
