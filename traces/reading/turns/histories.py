"""Which model call goes on from which: the one whose history and output another's history begins with."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from traces.reading.calls.atoms import OF_A_MODEL
from traces.reading.calls.model_calls import Call
from traces.reading.tree.forest import Node


@dataclass(slots=True, eq=False)
class Step:
    """A model call in its place. `after`: the call that it goes on from. `known`: how many atoms of its history are
    that call's; `replaced`: the history tells another output of that call than it gave.
    """

    call: Call
    after: Step | None = None
    known: int = 0
    replaced: bool = False


def ordered(calls: Sequence[Call]) -> list[Step]:
    """The calls, each behind the one that it goes on from, else in the order of their starts.

    A call goes on from the one with the longest state that its history begins with (what a failed one gave before it
    broke off may be left out of it); from one whose output is told otherwise in later histories (trimmed, or replaced
    by a guard) where that is longer; from the call whose response it names as its previous one; or from the one that
    asked for what its history begins to answer. Clocks may be skewed between hosts: they only decide where histories
    don't.
    """
    steps = [Step(call) for call in calls]
    index = _Index(steps)
    for step in steps:
        index.place(step)
    return _causal(steps)


class _Index:
    def __init__(self, steps: Sequence[Step]) -> None:
        self._rank = {step: rank for rank, step in enumerate(steps)}
        self._states: dict[int, list[Step]] = {}
        self._histories: dict[int, list[Step]] = {}
        self._runs: dict[Node, list[Step]] = {}
        self._responses: dict[str, Step] = {}
        self._askers: dict[str, Step] = {}
        for step in steps:
            call = step.call
            self._runs.setdefault(call.node.run, []).append(step)
            if (response := call.first("response_id")) is not None:
                self._responses.setdefault(response, step)
            for atom in call.given:
                if atom.call is not None and atom.call.id is not None:
                    self._askers.setdefault(atom.call.id, step)
            atoms = call.atoms
            if atoms is None or call.cut:
                continue
            self._states.setdefault(call.marks[-1], []).append(step)
            if call.given and atoms:
                known = self._states if call.failed else self._histories
                known.setdefault(call.marks[len(atoms)], []).append(step)

    def place(self, step: Step) -> None:
        call = step.call
        if call.atoms is None or call.cut:
            return
        marks, atoms = call.marks, call.atoms
        states, histories = self._states, self._histories
        for length in range(len(atoms), 0, -1):
            mark = marks[length]
            if mark in states and (before := self._before(states[mark], step, length)) is not None:
                step.after, step.known = before, length
                return
            if mark in histories and length < len(atoms):
                if retold := atoms[length].kind in OF_A_MODEL:
                    found = histories[mark]
                elif atoms[length - 1].kind in OF_A_MODEL or atoms[length].kind != "user":
                    continue
                else:
                    found = self._unkept(histories[mark], call)
                if found and (before := self._before(found, step, length)) is not None:
                    step.after, step.known, step.replaced = before, length, retold
                    return
        for named in (self._responses.get(call.previous or ""), self._askers.get(call.answered or "")):
            if named is not None and self._rank[named] < self._rank[step]:
                step.after = named
                return

    def _unkept(self, found: Sequence[Step], call: Call) -> list[Step]:
        """Those of which another run tells nothing but the history, for their own was cancelled, or a session keeps no
        reply twice: the user speaks next. All of that run must tell it so: a guard is told the user's words alone. Nor
        does a client alone count, which shows no run: a prompt may be made of several messages of the user.
        """
        run, length = call.node.run, len(call.atoms or ())
        others = [step for step in found if step.call.node.run is not run]
        if run is call.node or not others:
            return []
        known = (step.call.marks for step in self._runs[run])
        return others if all(len(marks) > length and marks[length] == call.marks[length] for marks in known) else []

    def _before(self, found: Sequence[Step], step: Step, length: int) -> Step | None:
        """The latest of these that began before; else the first that held less, for then the clocks are skewed."""
        before = bisect_left(found, self._rank[step], key=self._rank.__getitem__)
        if before:
            return found[before - 1]
        return next((other for other in found if other is not step and len(other.call.atoms or ()) < length), None)


def _causal(steps: Sequence[Step]) -> list[Step]:
    seen: set[Step | None] = {None}
    for step in steps:
        if step.after not in seen:
            break
        seen.add(step)
    else:
        return list(steps)
    rank = {step: at for at, step in enumerate(steps)}
    waiting: dict[Step, list[Step]] = {}
    ready: list[int] = []
    for step in steps:
        if step.after is None:
            ready.append(rank[step])
        else:
            waiting.setdefault(step.after, []).append(step)
    heapify(ready)
    found: list[Step] = []
    while ready:
        step = steps[heappop(ready)]
        found.append(step)
        for later in waiting.pop(step, ()):
            heappush(ready, rank[later])
    if len(found) < len(steps):  # calls that go on from each other, which only a false telling does
        for step in sorted((step for group in waiting.values() for step in group), key=rank.__getitem__):
            step.after, step.known, step.replaced = None, 0, False
            found.append(step)
    return found
