import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from harness.gates.decide import decide
from harness.gates.noise import planned_floors, smallest_drop
from tests.harness.gates.build import results, trials, workflow


@given(st.floats(0.05, 0.95), st.integers(1, 5000))
def test_the_sample_size_of_miettinen_for_that_drop_is_the_one_there_is(rate, n):
    drop = smallest_drop(rate, n)
    apart = 2 * rate * (1 - rate)
    needed = (norm.ppf(0.95) + norm.ppf(0.80)) ** 2 * (apart - drop**2) / drop**2
    assert needed == pytest.approx(n, rel=1e-4)


def test_more_trials_see_less_and_no_trial_sees_nothing():
    """40 pairs at 90 %: 2.4865 sqrt(0.18 / 46.18) = 0.155."""
    assert smallest_drop(0.9, 40) == pytest.approx(0.155, abs=1e-3)
    assert smallest_drop(0.9, 400) < smallest_drop(0.9, 40) < smallest_drop(0.9, 0) == 1


def test_floors_by_family_of_these_scenarios_and_of_others():
    found = [*trials("PPPP", "a"), *trials("PPPP", "b"), *results("P", item="x", family="g", tier="explore")]
    (floor,) = decide(workflow({"metric": "task_success", "at_least": "0.5"}, families={"f": [], "g": []}), found).noise
    assert (floor.family, floor.pairs, floor.scenarios) == ("f", 8, 2)
    assert floor.fixed == pytest.approx(smallest_drop(10 / 12, 8))
    assert floor.general == pytest.approx(smallest_drop(10 / 12, 2))


def test_spared_and_unjudged_trials_add_nothing_and_observed_ones_have_no_second_version():
    plan = workflow({"metric": "task_success", "at_least": "0.5"})
    (floor,) = decide(plan, trials("PPSSN"), deterministic=True).noise
    assert floor.pairs == 2
    assert decide(plan, results("PP"), observed=True).noise == ()


def test_floors_of_a_plan():
    (floor,) = planned_floors({"f": 10, "empty": 0}, 4)
    assert (floor.family, floor.pairs, floor.scenarios) == ("f", 40, 10)
    assert floor.fixed == pytest.approx(0.155, abs=1e-3)
