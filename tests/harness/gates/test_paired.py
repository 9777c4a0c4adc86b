"""Paired comparisons, against tables and against numbers worked out in another way."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.optimize import brentq, minimize_scalar
from scipy.special import gammaln

from harness.gates.paired import (
    Discordant,
    Means,
    drop_lower,
    drop_upper,
    p_no_worse,
    p_ratio_above,
    p_ratio_below,
    ratio_bounds,
    score,
)


def test_tango_interval_of_airway_hyper_responsiveness():
    """Bentur et al. 2009: 21 children, 1 and 7 discordant; Fagerland, Lydersen and Laake 2014 (Statistics in Medicine
    33, 2850-2875) give Tango's interval for the difference as -0.517 to -0.026.
    """
    pairs = Discordant(7, 1, 21)
    z = stats.norm.ppf(0.975)
    low = brentq(lambda gain: score(pairs, -gain) - z, -0.99, -0.3)
    high = brentq(lambda gain: score(pairs, -gain) + z, -0.28, 0.9)
    assert (low, high) == (pytest.approx(-0.517, abs=5e-4), pytest.approx(-0.026, abs=5e-4))


@given(st.integers(0, 12), st.integers(0, 12), st.floats(-0.4, 0.4).filter(lambda drop: abs(drop) > 0.01))
def test_the_score_is_that_of_the_restricted_likelihood(worse, better, drop):
    """The chance of a worse pair by numerical search instead of the root of the quadratic."""
    n = 40

    def minus_log_likelihood(q):
        p = q - drop
        chances = np.array([q, p, 1 - q - p])
        return -np.sum(np.array([worse, better, n - worse - better]) * np.log(np.maximum(chances, 1e-12)))

    q = minimize_scalar(minus_log_likelihood, bounds=(max(drop, 0), (1 + drop) / 2), options={"xatol": 1e-11}).x
    by_search = (better - worse + n * drop) / np.sqrt(n * (2 * q - drop - drop**2))
    assert score(Discordant(worse, better, n), drop) == pytest.approx(by_search, rel=1e-3, abs=1e-3)


def test_where_no_pair_differs_the_rule_of_three_bounds_the_drop():
    """149 clean pairs show a drop under 2 %: 0.98^149 = 0.0493; 148 don't."""
    assert drop_upper(Discordant(0, 0, 149), 0.95) < 0.02
    assert drop_upper(Discordant(0, 0, 148), 0.95) > 0.02


@given(st.integers(0, 9), st.integers(0, 9), st.integers(18, 200), st.sampled_from([0.9, 0.95, 0.99]))
def test_bounds_are_where_the_test_decides(worse, better, n, confidence):
    pairs = Discordant(worse, better, n)
    low, high = drop_lower(pairs, confidence), drop_upper(pairs, confidence)
    assert low <= pairs.drop <= high
    assert p_no_worse(pairs, high + 1e-9) <= 1 - confidence + 1e-6
    assert p_no_worse(pairs, high - 1e-6) >= 1 - confidence - 1e-4
    assert drop_upper(Discordant(worse + 1, better, n + 1), confidence) >= high - 1e-9, "one more that got worse"


@pytest.mark.parametrize("margin", [0.02, 0.05, 0.1])
@pytest.mark.parametrize("n", [20, 40, 80, 150])
def test_full_enumeration_a_drop_of_the_margin_passes_no_more_often_than_claimed(n, margin):
    """Every outcome of n pairs, with its chance under a true drop of just the margin, for chances of a better pair from
    none to the largest there can be.
    """
    outcomes = [(worse, better) for worse in range(n + 1) for better in range(n + 1 - worse)]
    passed = np.array([each for each in outcomes if p_no_worse(Discordant(*each, n), margin) <= 0.05])
    worse, better = passed[:, 0], passed[:, 1]
    ways = gammaln(n + 1) - gammaln(worse + 1) - gammaln(better + 1) - gammaln(n - worse - better + 1)
    for p in np.concatenate([[1e-12], np.linspace(0.001, (1 - margin) / 2 - 1e-6, 40)]):
        logs = worse * np.log(p + margin) + better * np.log(p) + (n - worse - better) * np.log(1 - 2 * p - margin)
        assert np.exp(ways + logs).sum() <= 0.05


def test_ratio_of_means_by_fieller():
    """The bounds are the ratios at which a paired t test of new - ratio x old has just the p-value asked for."""
    chance = np.random.default_rng(5)
    old = chance.lognormal(0, 0.5, 25)
    new = old * 1.1 + chance.normal(0, 0.1, 25)
    means = Means.of(list(zip(new, old, strict=True)))
    low, high = ratio_bounds(means, 0.95)
    assert low is not None
    assert high is not None
    assert low < new.mean() / old.mean() < high
    assert stats.ttest_1samp(new - high * old, 0, alternative="less").pvalue == pytest.approx(0.05)
    assert stats.ttest_1samp(new - low * old, 0, alternative="greater").pvalue == pytest.approx(0.05)
    expected = stats.ttest_1samp(new - 1.2 * old, 0, alternative="less").pvalue
    assert p_ratio_below(means, 1.2) == pytest.approx(expected)
    assert p_ratio_above(means, 1.2) == pytest.approx(1 - expected)


def test_one_pair_and_an_old_mean_that_may_be_zero_bound_no_ratio():
    assert ratio_bounds(Means.of([(1.0, 1.0)]), 0.95) == (None, None)
    assert ratio_bounds(Means.of([(1.0, 0.0), (1.0, 0.1), (1.0, -0.1)]), 0.95) == (None, None)
    assert p_ratio_below(Means.of([(1.0, 1.0)]), 9) == 1
