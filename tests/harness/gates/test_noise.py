from collections import Counter

import numpy as np
import pytest

from harness.gates.decide import decide
from harness.gates.noise import planned_floors, smallest_drop
from harness.gates.paired import Discordant, p_no_worse
from tests.harness.gates.build import results, trials, workflow


@pytest.mark.parametrize(("rate", "n"), [(0.5, 20), (0.7, 60), (0.9, 12), (0.9, 60), (0.9, 200), (0.98, 40)])
def test_a_drop_of_the_floor_shows_in_four_of_five_comparisons(rate, n):
    """Both versions played out, and the test of a gate asked whether there is a drop at all: 4000 runs, by which a
    share of 80 % is off by 0.006. Up to nine in ten: of few pairs, the normal distribution errs on the side of caution.
    """
    chance = np.random.default_rng(3)
    drop = smallest_drop(rate, n)
    old, new = chance.random((4000, n)) < rate, chance.random((4000, n)) < rate - drop
    counts = Counter(zip((old & ~new).sum(axis=1), (~old & new).sum(axis=1), strict=True))
    shown = sum(times for (worse, better), times in counts.items() if _shows(worse, better, n))
    assert 0.785 <= shown / 4000 <= 0.91


def _shows(worse: int, better: int, n: int) -> bool:
    return p_no_worse(Discordant(worse, better, n).exchanged, 0) <= 0.05


def test_more_trials_see_less_and_a_few_see_nothing():
    """40 pairs at 90 %: with d = 0.263, w = 0.18 + 0.8d = 0.390, and 40d - 1 = 9.5 is 1.645 x 3.95 + 0.842 x 3.58."""
    assert smallest_drop(0.9, 40) == pytest.approx(0.263, abs=1e-3)
    assert smallest_drop(0.9, 400) < smallest_drop(0.9, 40) < smallest_drop(0.9, 4) == 1
    assert smallest_drop(0.9, 0) == 1


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
    assert floor.fixed == pytest.approx(0.263, abs=1e-3)
