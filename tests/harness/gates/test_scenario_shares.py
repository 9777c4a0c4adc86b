from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.gates.scenario_shares import by_scenario, mean_pass_hat, mean_share
from harness.gates.shares import Tally
from harness.model.status import PASSED, failed, not_applicable, not_judged

counted = st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(0, 3)).filter(sum)
tallies = st.lists(counted, min_size=1, max_size=8)


def test_a_scenario_counts_once_however_many_trials_it_has():
    share = mean_share([Tally(9, 0, 0), Tally(0, 1, 0)])
    assert share is not None
    assert share.figure == Fraction(1, 2)
    assert share.n == 2
    assert share.judged == 10


def test_ten_trials_of_each_of_a_few_scenarios_are_a_few_observations():
    """All of three scenarios passed: the bound is that of three observations, 0.05^(1/3) = 0.368, not of thirty."""
    share = mean_share([Tally(10, 0, 0)] * 3)
    assert share is not None
    assert share.lower(0.95) == pytest.approx(0.05 ** (1 / 3))
    assert "only more scenarios: about 29 at this rate, 26 more" in share.more(0.9, 0.95)


def test_what_is_open_is_failed_and_passed():
    share = mean_share([Tally(3, 0, 1), Tally(0, 0, 4)])
    assert share is not None
    assert (share.worst, share.figure, share.best) == (Fraction(3, 8), 1, 1)


def test_pass_hat_of_fixed_scenarios_is_bounded_by_its_blocks():
    """Two scenarios of 7 trials hold 2 blocks of 3 each: 4 observations, 0.05^(1/4) = 0.473."""
    share = mean_pass_hat([Tally(7, 0, 0), Tally(7, 0, 0)], 3, generalise=False)
    assert share is not None
    assert share.n == 4
    assert share.lower(0.95) == pytest.approx(0.05**0.25)
    assert "about 45 trials of each scenario" in share.more(0.9, 0.95), "29 blocks of 3, in two scenarios"


def test_pass_hat_takes_k_trials_of_every_scenario_and_those_not_judged_count_both_ways():
    assert mean_pass_hat([Tally(3, 0, 0), Tally(2, 0, 0)], 3, generalise=False) is None
    share = mean_pass_hat([Tally(3, 0, 0), Tally(2, 0, 1)], 3, generalise=False)
    assert share is not None
    assert (share.worst, share.figure, share.best) == (Fraction(1, 2), 1, 1)
    alone = mean_pass_hat([Tally(2, 0, 1)], 3, generalise=False)
    assert alone is not None
    assert (alone.worst, alone.figure, alone.best) == (0, 0, 1)


@given(tallies)
def test_more_that_passed_never_lowers_a_bound(counts):
    before = mean_share([Tally(*each) for each in counts])
    (passed, failed_, open_), *rest = counts
    after = mean_share([Tally(*each) for each in [(passed + 1, failed_, open_), *rest]])
    if before is not None and after is not None:
        assert after.lower(0.95) >= before.lower(0.95) - 1e-12
        assert before.worst <= before.best


def test_trials_are_put_together_by_scenario():
    read = [("a", PASSED), ("b", failed()), ("a", not_judged("x")), ("c", not_applicable("y"))]
    assert by_scenario(read) == [Tally(1, 0, 1), Tally(0, 1, 0)]
