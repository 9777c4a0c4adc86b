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


def smallest_drop(rate: float, n: int) -> float:
    """The smallest drop in a rate that a comparison of n independent pairs shows, with 95 % confidence, in 80 % of
    cases; 1 for no pair.

    From the sample size of a paired comparison, n d^2 = (z_95 + z_80)^2 (w - d^2) of Miettinen 1968 (Biometrics 24,
    339-352), for a share w of pairs of which only one passes: 2p(1 - p) where both versions pass at rate p and
    independently of each other.
    """
    z2 = (_CONFIDENT + _LIKELY) ** 2
    return sqrt(z2 * 2 * rate * (1 - rate) / (n + z2)) if n else 1.0


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
