"""Recorded results, each served once and only to the call that it was the answer to."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass

from harness.replay.canonical import Canon
from harness.replay.divergence.acts import Act, acts
from tools_sandbox.call import Call, Json
from tools_sandbox.schema import SandboxSchema


@dataclass(frozen=True, slots=True)
class Miss:
    """That no recorded result answers a call, and why, in words."""

    why: str


class RecordedResults:
    """The results of recorded calls, which are in order. Of equal calls the first gets the first result, and none gets
    any where other things were written before it than then. `before`: how many of the calls were made already.
    """

    def __init__(self, calls: Sequence[Call], schema: SandboxSchema, canon: Canon, before: int = 0) -> None:
        self._calls = calls
        self._schema = schema
        self._canon = canon
        self._tools = {call.tool for call in calls}
        self._places: dict[Hashable, list[int]] = defaultdict(list)
        self._after: dict[tuple[int, Hashable], int] = {}
        """What was written so far has a number: that of all but the last write, with that one, gives the next."""
        self._written: list[int] = []
        self._now = 0
        self._made: Counter[Hashable] = Counter()
        self._used = set(range(before))
        for act in acts(calls, schema, canon):
            self._written.append(self._now)
            self._places[act.key].append(act.place)
            self._now = self._next(act)
        self._now = 0
        for act in acts(calls[:before], schema, canon):
            self._count(act)

    def answer(self, tool: str, arguments: dict[str, Json] | None, raw: str | None) -> Call | Miss:
        """The recorded call whose result this call gets, and no other gets then; or why there is none."""
        act = self._act(Call("", 0, tool, raw, arguments, None))
        places, nth = self._places.get(act.key, []), self._made[act.key]
        if not places:
            known = tool in self._tools
            return Miss("it was never called with these arguments" if known else "the tool was never called")
        if nth >= len(places):
            times = "once" if len(places) == 1 else f"{len(places)} times"
            return Miss(f"it was called {times} with these arguments, and this is one more")
        place = places[nth]
        if self._written[place] != self._now:
            return Miss("other things had been written before it")
        found = self._calls[place]
        if found.error is not None and found.error.kind == "outside":
            return Miss("its result is not on record")
        self._used.add(place)
        return found

    def made(self, call: Call) -> None:
        """Take note of a call that was answered, by whatever."""
        self._count(self._act(call))

    def unused(self, turns: Collection[int]) -> Iterator[Call]:
        """The recorded calls of these turns that answered nothing."""
        return (call for place, call in enumerate(self._calls) if place not in self._used and call.turn in turns)

    def _act(self, call: Call) -> Act:
        return next(acts([call], self._schema, self._canon))

    def _count(self, act: Act) -> None:
        self._made[act.key] += 1
        self._now = self._next(act)

    def _next(self, act: Act) -> int:
        return self._after.setdefault((self._now, act.key), len(self._after) + 1) if act.bars else self._now
