"""What a rule reads of one planned episode: a judgement or a measure, whether it was played, spared or is missing."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from harness.gates.kinds import PER_TURN
from harness.model.result import Result
from harness.model.status import Judgement, Measure, Status, not_applicable, not_judged

Reading = Judgement | Measure

_MISSING = not_judged("planned, but not played")
_NO_STANDING = not_judged("spared, but trials of the run turned out not to agree")

ON_PLAYED = not_applicable("spared, and the measure varies: taken over the trials that were played")
"""The reading of a spared trial whose twins differ in a measure such as time. It adds nothing to the figure."""


class Readings:
    """Reads results. A spared trial stands for what the played trials of its scenario agree on, if `deterministic`:
    all played trials of every scenario went the same way. A resumed run may turn out otherwise after it spared
    some, which are not judged then.
    """

    def __init__(self, results: Sequence[Result], *, deterministic: bool = False) -> None:
        self.deterministic = deterministic
        self._played: dict[tuple[str, str, str], list[Result]] = {}
        for result in results:
            if result.state == "played":
                self._played.setdefault(scenario_of(result), []).append(result)

    def of(self, result: Result, metric: str | None) -> Reading:
        """The reading of a metric, or of the episode's verdict where `metric` is None."""
        if result.state == "missing":
            return _MISSING
        if result.state == "played":
            return _own(result, metric)
        if not self.deterministic:
            return _NO_STANDING
        twins = [_own(twin, metric) for twin in self._played.get(scenario_of(result), ())]
        if not twins:
            return not_judged("spared, but no trial of its scenario was played")
        if len({gist(twin) for twin in twins}) > 1:
            if all(isinstance(twin, Measure) and twin.value is not None for twin in twins):
                return ON_PLAYED
            return not_judged("spared, but the played trials of its scenario do not agree")
        return twins[0]

    def of_turns(self, result: Result) -> Reading:
        """Whether times of an episode's turns are there: the time of all that are."""
        if result.state == "missing":
            return _MISSING
        if result.state == "spared":
            return ON_PLAYED if self.deterministic else _NO_STANDING
        known = [seconds for seconds in result.turn_seconds if seconds is not None]
        if not known:
            return result.scores.get(PER_TURN) or not_judged("no turn was played")
        return Measure("seconds", sum(known))


def scenario_of(result: Result) -> tuple[str, str, str]:
    """What the trials of one scenario have in common: agent, item, condition."""
    return result.key.agent, result.key.item, result.key.condition


def _own(result: Result, metric: str | None) -> Reading:
    if metric is not None:
        return result.scores.get(metric) or not_judged(f"there is no score named {metric}")
    if result.verdict is None:
        return not_judged("the episode was not scored")
    if result.verdict.status is Status.NOT_APPLICABLE:
        return not_judged(f"nothing applied to the episode: {result.verdict.reason}")
    return result.verdict


def gist(reading: Reading) -> Hashable:
    """What two trials must have in common to agree; reasons are free to differ."""
    return reading.status if isinstance(reading, Judgement) else (reading.value, reading.missing)


def status_of(reading: Reading) -> Status:
    """How a reading came out; a measure with a value counts as passed, for it is there."""
    if isinstance(reading, Judgement):
        return reading.status
    return Status.PASSED if reading.missing is None else reading.missing
