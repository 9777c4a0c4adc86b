import numpy as np
import pytest
from scipy import stats

from harness.gates.means import clustered_mean, mean_of


def test_margin_of_a_mean_by_the_t_table():
    """n = 4: t(3) at 0.975 is 3.182; standard deviation of 1, 2, 3, 4 is 1.291."""
    mean = mean_of([1, 2, 3, 4])
    assert mean is not None
    assert mean.margin(0.975) == pytest.approx(3.182 * 1.291 / 2, rel=1e-3)
    assert mean_of([5]) is None


def test_p_values_are_those_of_scipy():
    values = [0.8, 1.4, 0.2, 1.9, 1.1, 0.7]
    mean = mean_of(values)
    assert mean is not None
    assert mean.p_below(1.5) == pytest.approx(stats.ttest_1samp(values, 1.5, alternative="less").pvalue)
    assert mean.p_above(0.5) == pytest.approx(stats.ttest_1samp(values, 0.5, alternative="greater").pvalue)


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
    mean = mean_of([1.0, 2.0, 3.0, 4.0])
    assert mean is not None
    enough = mean.observations_to_decide(3.0, 0.95)
    assert enough is not None
    spread = 1.2909944
    assert stats.t.ppf(0.95, enough - 1) * spread / enough**0.5 <= 0.5
    assert stats.t.ppf(0.95, enough - 2) * spread / (enough - 1) ** 0.5 > 0.5
    assert mean.observations_to_decide(2.5, 0.95) is None
