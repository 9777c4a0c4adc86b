"""pass^k: whether a scenario that passes once passes every time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from harness.gates.readings import Readings
from harness.gates.statistics import pass_hat
from harness.model.result import Result
from harness.model.status import Judgement, Status


def pass_hats(
    families: Iterable[str], results: Sequence[Result], *, deterministic: bool = False
) -> dict[str, tuple[float, ...]]:
    """pass^1, pass^2 … of task success by family, averaged over its scenarios, as far as every scenario has judged
    trials; empty where one has none. Spared trials count as what the played ones agree on, if `deterministic` (as
    `decide` takes it); `explore` is left out.
    """
    readings = Readings(results, deterministic=deterministic)
    tallies: dict[str, dict[str, list[bool]]] = {family: {} for family in families}
    for result in results:
        if result.tier == "explore" or result.key.condition != "clean":
            continue
        passed = tallies[result.family].setdefault(result.key.item, [])
        reading = readings.of(result, "task_success")
        if isinstance(reading, Judgement) and reading.status in (Status.PASSED, Status.FAILED):
            passed.append(reading.status is Status.PASSED)
    return {
        family: _hats([(sum(trials), len(trials)) for trials in found.values()]) for family, found in tallies.items()
    }


def _hats(tallies: list[tuple[int, int]]) -> tuple[float, ...]:
    most = min((trials for _, trials in tallies), default=0)
    hats = (pass_hat(k, tallies) for k in range(1, most + 1))
    return tuple(float(hat) for hat in hats if hat is not None)
