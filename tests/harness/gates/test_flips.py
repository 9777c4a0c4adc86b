from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.gates.flips import trials_of
from harness.model.result import Trials
from tests.harness.gates.build import result, trials


def counted(passed, failed, not_judged=0):
    return Trials("s", "f", "core", passed, failed, not_judged)


@given(st.integers(0, 12), st.integers(0, 12))
def test_the_flip_rate_is_the_share_of_pairs_that_disagree(passed, failed):
    pairs = list(combinations([True] * passed + [False] * failed, 2))
    expected = sum(a is not b for a, b in pairs) / len(pairs) if pairs else None
    assert counted(passed, failed).flip_rate == pytest.approx(expected) if pairs else expected is None


def test_it_is_one_less_the_agreement_of_fleiss_1971():
    """His table 1: 30 patients, six psychiatrists each; of patient 29, one category has 5 of them and another 1, which
    is an agreement of 20 of 30 ordered pairs."""
    assert 1 - counted(5, 1).flip_rate == pytest.approx(20 / 30)


def test_trials_that_are_not_judged_agree_and_disagree_with_none():
    (found,) = trials_of(trials("PNNF"))
    assert (found.passed, found.failed, found.not_judged, found.flip_rate) == (1, 1, 2, 1.0)
    assert found.flaky
    assert counted(1, 0, 3).flip_rate is None
    assert not counted(4, 0, 3).flaky


def test_only_what_was_played_counts_whatever_its_tier():
    rows = [*trials("PPSM", "steady"), result("P", "tried", tier="explore")]
    assert [(each.item, each.passed, each.tier) for each in trials_of(rows)] == [
        ("steady", 2, "core"),
        ("tried", 1, "explore"),
    ]
