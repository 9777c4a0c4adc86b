"""What an agent did again and again until it was stopped: the same question, the same reply, the same call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from harness.model.episode import AskKind
from harness.model.failure import Evidence
from harness.scoring.efficiency import call_text
from harness.scoring.timeline import Step, Timeline
from tools_sandbox.values import show

_OFTEN = 3


@dataclass(frozen=True, slots=True)
class Repetition:
    """What was done `times` times over, the first time not counted, `since` the step at which it was repeated first."""

    what: str
    since: Step
    times: int
    evidence: Evidence

    @property
    def text(self) -> str:
        """In words."""
        return f"{self.what} again and again, {self.times} times from turn {self.since[0]}"


def most_repeated(timeline: Timeline) -> Repetition | None:
    """What was done most often; a question says more than the words that it is put in. None if nothing was done three
    times.
    """
    seen: dict[tuple[str, str], list[tuple[Step, str, Evidence]]] = {}
    for kind, what, step, words, evidence in _done(timeline):
        seen.setdefault((kind, what), []).append((step, words, evidence))
    often = max(seen.values(), key=len, default=[])
    if len(often) < _OFTEN:
        return None
    step, words, evidence = often[1]
    return Repetition(words, step, len(often) - 1, evidence)


def _done(timeline: Timeline) -> Iterator[tuple[str, str, Step, str, Evidence]]:
    for step, reply in timeline.agent:
        for slot, ask in {ask.slot: ask for ask in reply.asks if ask.slot and ask.kind is AskKind.SLOT}.items():
            wanted = f"asks for the {str(slot).replace('_', ' ')}"
            yield "ask", str(slot), step, wanted, Evidence(turn=step[0], quote=ask.quote)
    for step, reply in timeline.agent:
        yield "reply", reply.text, step, f"says {show(reply.text)}", Evidence(turn=step[0], quote=show(reply.text, 200))
    for step, call in timeline.calls:
        evidence = Evidence(turn=step[0], call=call.id, span=call.span_id)
        yield "call", call_text(call), step, f"calls {show(call.tool)} with the same arguments", evidence
