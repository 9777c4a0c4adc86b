"""Ratios of a new version's figures to an old one's."""

from fractions import Fraction

import numpy as np
import pytest

from harness.gates.means import mean_of
from harness.gates.ratios import MeanRatio, QuantileRatio

P95 = Fraction(95, 100)


def test_ratio_of_means_is_bounded_where_the_paired_differences_are():
    old = [4.0, 5.0, 6.0] * 10
    new = [1.1 * one + off for one, off in zip(old, [-0.3, 0.0, 0.3, 0.3, 0.0, -0.3] * 5, strict=True)]
    values = list(zip(new, old, strict=True))
    low, high = MeanRatio(values).bounds(0.95)
    assert low is not None
    assert high is not None
    assert low < 1.1 < high
    off = mean_of([ours - high * theirs for ours, theirs in values])
    assert off is not None
    assert off.upper(0.95) == pytest.approx(0, abs=1e-9)
    assert MeanRatio(values).p_below(high) == pytest.approx(0.05)
    assert MeanRatio(values).p_above(low) == pytest.approx(0.05)


def test_few_pairs_and_an_old_mean_that_may_be_zero_bound_no_ratio_of_means():
    assert MeanRatio([(1.0, 1.0)] * 9).bounds(0.95) == (None, None)
    assert MeanRatio([(1.0, 0.0), (1.0, 0.1), (1.0, -0.1)] * 4).bounds(0.95)[1] is None
    assert MeanRatio([(1.0, 1.0)] * 9).p_below(9) == 1
    assert MeanRatio([(1.0, 1.0)] * 9).more(9, 0.95) == "it takes 10 pairs at least"


def test_undecided_ratios_say_how_many_pairs_would_decide():
    old = [4.0, 5.0, 6.0] * 10
    new = [one * (1.2 if n % 2 else 0.9) for n, one in enumerate(old)]
    ratio = MeanRatio(list(zip(new, old, strict=True)))
    said = ratio.more(1.08, 0.95)
    enough = int(said.split("about ")[1].split()[0])
    assert said == f"at these values about {enough} pairs would decide, {enough - 30} more"
    assert MeanRatio(ratio.values * (enough // 30 + 1)).p_below(1.08) <= 0.05 < ratio.p_below(1.08)


def test_ratio_of_quantiles_is_of_a_bound_on_either_side_each_wrong_half_as_often():
    """0.95^72 = 0.0249, 0.95^71 = 0.0262: from 72 values on, the largest bounds a 95th percentile at 97.5 %. The 64th
    bounds it from below: P(Binomial(72, 0.95) >= 64) = 0.990, >= 65 with 0.973.
    """
    old = [float(value) for value in range(1, 73)]
    new = [value * 2 for value in old]
    assert QuantileRatio(new, old, P95).bounds(0.95) == pytest.approx((2 * 64 / 72, 2 * 72 / 64))
    assert QuantileRatio(new[:71], old[:71], P95).bounds(0.95) == (None, None)


def test_p_values_of_quantiles_are_where_their_bounds_decide():
    old = [float(value) for value in range(1, 201)]
    ratio = QuantileRatio([value * 1.1 for value in old], old, P95)
    low, high = ratio.bounds(0.95)
    assert low is not None
    assert high is not None
    assert ratio.p_below(high) <= 0.05 + 1e-12 < ratio.p_below(high - 1e-6) + 1e-12
    assert ratio.p_above(low) <= 0.05 + 1e-12 < ratio.p_above(low + 1e-6) + 1e-12


def test_an_old_quantile_that_may_be_zero_bounds_no_ratio_from_above():
    assert QuantileRatio([1.0] * 80, [0.0] * 80, P95).bounds(0.95) == (None, None)


@pytest.mark.parametrize("clusters", [None, 75])
def test_quantiles_of_a_ratio_of_just_the_limit_pass_no_more_often_than_claimed(clusters):
    """300 lognormal values, alone or four to a scenario with much in common: 400 runs, 5 % claimed."""
    chance = np.random.default_rng(5)
    wrong = 0
    for _ in range(400):
        scale = np.repeat(chance.normal(0, 0.4, clusters or 300), 300 // (clusters or 300))
        new, old = (sorted(np.exp(scale + chance.normal(0, 0.3, 300))) for _ in range(2))
        low, high = QuantileRatio(new, old, Fraction(1, 2), clusters and 75).bounds(0.95)
        wrong += (high is not None and high < 1) + (low is not None and low > 1)
    assert wrong / 400 <= 0.05
