"""The noise floor: the smallest drop that a suite can tell from chance when two versions are compared on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import sqrt

from harness.gates.readings import Readings, status_of
from harness.model.result import NoiseFloor, Result
from harness.model.status import Status

ASSUMED = 0.9
"""The rate of success that a plan is taken to have, before anything is played."""

_CONFIDENT, _LIKELY = 1.644854, 0.841621
"""Standard normal quantiles of 95 % and 80 %."""

_HALVINGS = 40
"""Of an interval of rates: far more than a report has digits."""


def smallest_drop(rate: float, n: int) -> float:
    """The smallest drop from a rate that a comparison of n independent pairs shows, with 95 % confidence, in 80 % of
    cases; 1 where even a version that always fails is not told apart.

    From the sample size of a paired comparison, n d = z_95 sqrt(n w) + z_80 sqrt(n (w - d^2)) of Connor 1987
    (Biometrics 43, 207-211), and 1 more pair, as `harness.gates.paired` corrects by. w is the share of pairs of which
    only one passes: p(1 - q) + q(1 - p) where the versions pass at rates p and q = p - d, independently of each other.
    """

    def shows(drop: float) -> bool:
        apart = rate * (1 - rate + drop) + (rate - drop) * (1 - rate)
        chance = _CONFIDENT * sqrt(n * apart) + _LIKELY * sqrt(max(n * (apart - drop**2), 0.0))
        return n * drop - 1 >= chance

    if not shows(rate):
        return 1.0
    low, high = 0.0, rate
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if shows(middle) else (middle, high)
    return high


def noise_floors(families: Iterable[str], results: Sequence[Result], readings: Readings) -> tuple[NoiseFloor, ...]:
    """Of task success in each family that has a judged episode, at the rate that it came to. Rates near 0 and 1 are
    taken by Agresti and Coull (1998): two passes and two failures more, so that no suite seems to be without noise.
    """
    floors = []
    for family in families:
        own = [each for each in results if each.family == family and each.tier != "explore" and each.state == "played"]
        read = [(each.key.item, status_of(readings.of(each, "task_success"))) for each in own]
        rated = [(item, status) for item, status in read if status in (Status.PASSED, Status.FAILED)]
        if rated:
            rate = (sum(status is Status.PASSED for _, status in rated) + 2) / (len(rated) + 4)
            floors.append(_floor(family, rate, len(rated), len({item for item, _ in rated})))
    return tuple(floors)


def planned_floors(scenarios: Mapping[str, int], trials: int) -> tuple[NoiseFloor, ...]:
    """Of families with so many scenarios each, all played so many times, if 90 % passed."""
    return tuple(_floor(family, ASSUMED, count * trials, count) for family, count in scenarios.items() if count)


def _floor(family: str, rate: float, pairs: int, scenarios: int) -> NoiseFloor:
    return NoiseFloor(family, pairs, scenarios, smallest_drop(rate, pairs), smallest_drop(rate, scenarios))
