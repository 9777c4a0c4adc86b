"""context_retention: what the user has said stays known.

Nothing that was given is asked for again, a correction replaces the old value, and the slots of `retained` are used.
Asking again is fair as a read-back, for another one ("the other order"), and after a call with the value had failed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from harness.model.episode import Ask, AskKind
from harness.model.failure import Evidence, Finding
from harness.model.score import Score
from harness.model.status import PASSED, Judgement, failed, not_applicable
from harness.scoring.memory import Corrected, Given, Memory, same, uses
from harness.scoring.reading import Reading
from harness.scoring.registry import reading_scorer
from harness.scoring.timeline import Step, Timeline
from harness.scoring.values import leaves
from harness.scoring.writes import says
from tools_sandbox.call import Call

VERSION = "1"
_ANOTHER = re.compile(
    r"\b(?:other|another|else|different|new|second|additional|otr[oa]s?|nuev[oa]s?|distint[oa]s?|adicional(?:es)?)\b"
    r"|另|其他|别的|新的",
    re.IGNORECASE,
)


@reading_scorer("context_retention", dimension="context_retention", version=VERSION)
def context_retention(reading: Reading) -> Score:
    """Whether the agent kept what it was told. Not applicable if it was told no fact that it could have kept.

    Details: how many facts were `given`, and how often one was `asked_again`.
    """
    timeline = reading.timeline
    memory = Memory.of(reading.episode, reading.material, timeline)
    again = list(_asked_again(memory, timeline))
    findings = [*again, *_stale(memory, timeline), *_not_retained(reading, memory)]
    findings.sort(key=lambda finding: finding.step)
    details: dict[str, object] = {"given": len({one.slot for one in memory.given}), "asked_again": len(again)}
    return Score("context_retention", VERSION, _judged(findings, memory, timeline), tuple(findings), details)


def _judged(findings: Iterable[Finding], memory: Memory, timeline: Timeline) -> Judgement:
    standing = [finding for finding in findings if not finding.recovered]
    if standing:
        return failed(standing[0].text)
    first = min((one.step for one in memory.given), default=None)
    if first is None or not any(first < step for step, _ in (*timeline.agent, *timeline.calls)):
        return not_applicable("the user gave no fact that could have been kept")
    return PASSED


def _asked_again(memory: Memory, timeline: Timeline) -> Iterator[Finding]:
    for step, message in timeline.agent:
        if not message.asks:
            continue
        for slot, ask in {ask.slot: ask for ask in message.asks if ask.kind is AskKind.SLOT and ask.slot}.items():
            given = memory.last(slot, step)
            if given is None or _fair(ask, given, step, timeline):
                continue
            said = f"{given.value!r}" if given.value is not None else "that there is none"
            yield Finding(
                f"asks for {slot} again, which the user had given in turn {given.step[0]}",
                "UN2",
                step,
                Evidence(turn=message.turn, quote=ask.quote),
                expected=f"keep {said}",
                actual=ask.quote,
            )


def _fair(ask: Ask, given: Given, step: Step, timeline: Timeline) -> bool:
    if _ANOTHER.search(ask.quote):
        return True
    value = given.value
    since = [call for at, call in timeline.calls if given.step < at < step]
    return value is not None and any(uses(call, value) and not _found(call) for call in since)


def _found(call: Call) -> bool:
    """Whether a call found something: an error, nothing, or a plain "no" is a reason to ask again."""
    if not call.ok or call.result in (None, False, "", [], {}):
        return False
    return not (isinstance(call.result, dict) and any(member is False for member in call.result.values()))


def _stale(memory: Memory, timeline: Timeline) -> Iterator[Finding]:
    """Calls given a value that the user had corrected."""
    for correction in memory.corrected:
        since = [(step, call) for step, call in timeline.calls if step > correction.step]
        for step, call in since:
            name = next((name for name, value in leaves(call.arguments) if _old(name, value, correction)), None)
            if name is None or _said_again(correction, step, timeline):
                continue
            new = correction.new
            if new is not None and uses(call, new):
                continue
            later = any(at > step and other.ok and new is not None and uses(other, new) for at, other in since)
            yield Finding(
                f"{call.tool} was given the old {correction.slot}, which the user had corrected in turn "
                f"{correction.step[0]}",
                "UN2",
                step,
                Evidence(turn=call.turn, call=call.id, span=call.span_id, path=f"{call.tool}.{name}"),
                expected=new,
                actual=correction.old,
                recovered=later and call.kind == "reads",
            )


def _old(name: str, value: str, correction: Corrected) -> bool:
    slot = correction.slot
    named = name == slot or name.endswith(f"_{slot}")
    return same(correction.old, value) and (named or any(map(str.isdigit, value)))


def _said_again(correction: Corrected, step: Step, timeline: Timeline) -> bool:
    texts = (message.text for at, message in timeline.user if correction.step < at < step)
    return any(says(correction.old, text) for text in texts)


def _not_retained(reading: Reading, memory: Memory) -> Iterator[Finding]:
    """Slots that the scenario wants retained and that were given, but never used since."""
    scenario, timeline = reading.material.scenario, reading.timeline
    said = {turn.scripted for turn in reading.episode.turns}
    expectations = [
        scenario.expect,
        *(line.expect for number, line in enumerate(scenario.user.turns) if number in said),
    ]
    for slot in dict.fromkeys(slot for expect in expectations if expect is not None for slot in expect.retained):
        if (text := unused(slot, memory, timeline)) is not None:
            yield Finding(text, "UN2", timeline.stop, Evidence(turn=timeline.last), expected=f"use of {slot}")


def unused(slot: str, memory: Memory, timeline: Timeline) -> str | None:
    """How a given slot was not retained: its last value is in no call and no reply after it was first said. None if it
    is, or if the user never gave one.
    """
    given = memory.last(slot, (timeline.last + 1, 0))
    if given is None or given.value is None:
        return None
    first = next(one.step for one in memory.given if one.slot == slot and one.value == given.value)
    value = given.value
    if any(step > first and uses(call, value) for step, call in timeline.calls):
        return None
    if any(step > first and says(value, message.text) for step, message in timeline.agent):
        return None
    return f"{slot} was given in turn {first[0]} and never used"
