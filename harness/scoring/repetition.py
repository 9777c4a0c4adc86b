"""What an agent did again and again until it was stopped: the same question, the same reply, the same call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from harness.model.episode import Ask, AskKind
from harness.model.failure import Evidence
from harness.scoring.efficiency import call_text
from harness.scoring.timeline import Step, Timeline
from harness.scoring.values import words
from tools_sandbox.values import show

OFTEN = 3
"""So many times is no slip."""
MOST_CALLS = 10
"""More equal calls than that, with nothing done between them, are a loop, whatever comes of it."""


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


_Once = tuple[Step, str, Evidence]
"""When something was done, in words, and what shows it."""


def most_repeated(timeline: Timeline) -> Repetition | None:
    """What was done most often; a question says more than the words that it is put in. None if nothing was done three
    times.
    """
    seen: dict[tuple[str, str], list[_Once]] = {}
    for kind, done, step, told, evidence in _done(timeline):
        seen.setdefault((kind, done), []).append((step, told, evidence))
    return _repeated(seen.values(), OFTEN)


def endless_calls(timeline: Timeline) -> Repetition | None:
    """More than ten equal calls with no successful write between them; one that changes nothing does not part its like.
    None if no call was made as often.
    """
    if len(timeline.calls) <= MOST_CALLS:
        return None
    runs: list[list[_Once]] = []
    open_: dict[str, list[_Once]] = {}
    for (step, call), (_, text, _, told, evidence) in zip(timeline.calls, _calls(timeline), strict=True):
        if text not in open_:
            runs.append(open_.setdefault(text, []))
        open_[text].append((step, told, evidence))
        if call.kind == "writes" and call.ok:
            open_ = {} if call.changes else {text: open_[text]}
    return _repeated(runs, MOST_CALLS + 1)


def _repeated(runs: Iterable[list[_Once]], fewest: int) -> Repetition | None:
    longest = max(runs, key=len, default=[])
    if len(longest) < fewest:
        return None
    step, told, evidence = longest[1]
    return Repetition(told, step, len(longest) - 1, evidence)


def asked_on(timeline: Timeline, left_open: Iterable[Ask]) -> bool:
    """Whether one of the asks that the user had no answer to was put in three turns."""
    counts = Counter(asked for _, asks in _asked(timeline) for asked in asks)
    return any(counts[what(ask)] >= OFTEN for ask in left_open)


def what(ask: Ask) -> str:
    """What is asked for, however it is worded: a slot; else the words."""
    return ask.slot if ask.slot and ask.kind is AskKind.SLOT else " ".join(words(ask.quote))


def _asked(timeline: Timeline) -> Iterator[tuple[Step, dict[str, Ask]]]:
    """What is asked for in each turn, with the step of the turn's first such reply."""
    turns: dict[int, tuple[Step, dict[str, Ask]]] = {}
    for step, reply in timeline.agent:
        if reply.asks:
            turns.setdefault(step[0], (step, {}))[1].update({what(ask): ask for ask in reply.asks})
    yield from turns.values()


def _done(timeline: Timeline) -> Iterator[tuple[str, str, Step, str, Evidence]]:
    for step, asks in _asked(timeline):
        for asked, ask in asks.items():
            told = f"asks for the {asked.replace('_', ' ')}" if asked == ask.slot else f"asks {show(ask.quote)}"
            yield "ask", asked, step, told, Evidence(turn=step[0], quote=ask.quote)
    for step, reply in timeline.agent:
        yield "reply", reply.text, step, f"says {show(reply.text)}", Evidence(turn=step[0], quote=show(reply.text, 200))
    yield from _calls(timeline)


def _calls(timeline: Timeline) -> Iterator[tuple[str, str, Step, str, Evidence]]:
    for step, call in timeline.calls:
        evidence = Evidence(turn=step[0], call=call.id, span=call.span_id)
        yield "call", call_text(call), step, f"calls {show(call.tool)} with the same arguments", evidence
