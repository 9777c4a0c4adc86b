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
    drop_lower,
    drop_upper,
    p_no_worse,
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


def test_scenarios_whose_trials_agree_are_pairs_and_others_are_sharper():
    """Shares of 0 and 1 are pairs; a quarter lost in each of 20 scenarios has a twentieth of the variance of 5 lost."""
    assert p_no_worse(Discordant(5, 2, 100, 7), 0.1) == p_no_worse(Discordant(5, 2, 100), 0.1)
    assert p_no_worse(Discordant(5, 5, 100, 2.5), 0.05) < p_no_worse(Discordant(5, 5, 100), 0.05)
    assert Discordant(5, 2, 100, 0.5).spread == 3, "no less than what is told from nothing"


@pytest.mark.parametrize("lost", ["by chance", "altogether", "half"])
def test_scenarios_with_a_drop_of_the_margin_pass_no_more_often_than_claimed(lost):
    """60 scenarios of 4 trials that pass at 0.9, and a drop of 0.10 over all or over a few of them: 2000 runs."""
    chance = np.random.default_rng(11)
    passed = 0
    for _ in range(2000):
        gone = chance.random(60) < {"by chance": 0, "altogether": 0.1 / 0.9, "half": 0.2 / 0.9}[lost]
        rate = np.where(gone, 0 if lost == "altogether" else 0.45, 0.8 if lost == "by chance" else 0.9)
        off = (chance.binomial(4, 0.9, 60) - chance.binomial(4, rate)) / 4
        pairs = Discordant(np.maximum(off, 0).sum(), np.maximum(-off, 0).sum(), 60, (off**2).sum())
        passed += p_no_worse(pairs, 0.1) <= 0.05
    assert passed / 2000 <= 0.05
