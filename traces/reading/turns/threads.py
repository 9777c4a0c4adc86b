"""Threads of model calls that go on from each other, and which of those in one run is the conversation itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from traces.reading.calls.atoms import Atom
from traces.reading.drafts import Draft
from traces.reading.tree.forest import Node
from traces.reading.turns.answering import Requests
from traces.reading.turns.histories import Step


@dataclass(slots=True, eq=False)
class Thread:
    """Calls that go on from each other. `turns`: the turn that is open behind each beginning of its history.

    `news`: how many atoms at its beginning are of no news, for they retell what another thread held.
    """

    first: Step
    steps: list[Step] = field(default_factory=list)
    asked: Requests = field(default_factory=Requests)
    turns: dict[int, Draft] = field(default_factory=dict)
    news: int = 0
    _heard: dict[int, Draft] = field(default_factory=dict, init=False)
    _listened: int = field(default=0, init=False)
    _step: Step | None = field(default=None, init=False)
    _places: dict[int, int] = field(default_factory=dict, init=False)

    def heard(self, step: Step, at: int) -> Draft | None:
        """The turn that a user's message opened, where a history that tells otherwise what came between tells it again.

        `at`: of the message among the atoms of the history. The last one counts only within the run that it is of: said
        again in another, it is new.
        """
        while (before := self.steps[self._listened]) is not step:
            self._listened += 1
            call = before.call
            for place, said in _said(call.atoms or ()):
                if (turn := self.turns.get(call.marks[place + 1])) is not None:
                    self._heard.setdefault(said, turn)
        if self._step is not step:
            self._step, self._places = step, dict(_said(step.call.atoms or ()))
        found = self._heard.get(self._places[at])
        if found is None or step.call.node.run in found.runs or at < next(reversed(self._places)):
            return found
        return None


def threads(steps: Sequence[Step]) -> dict[Step, Thread]:
    """The thread of every call whose history is there; calls of one run that begin alike are one from the start.

    One whose history was not captured begins a thread if another goes on from it, by its id or by what it asked for.
    """
    found: dict[Step, Thread] = {}
    roots: dict[tuple[int, Node], Thread] = {}
    followed = {step.after for step in steps}
    for step in steps:
        call = step.call
        if call.cut or not (call.atoms or step in followed):
            continue
        if step.after is not None and step.after in found:
            thread = found[step.after]
        elif call.node.tool is not None or not call.atoms:
            thread = Thread(step)
        else:
            key = call.marks[len(call.atoms)], call.node.run
            thread = roots[key] if key in roots else roots.setdefault(key, Thread(step))
        found[step] = thread
        thread.steps.append(step)
    return found


def owners(found: Iterable[Thread]) -> dict[Node, Thread]:
    """Of each run, the thread that is the conversation; all others in it are asides: routers, guards, sub-agents.

    It is the one that spans the most runs, else the one with the longest history, else the first. A call within a
    tool is always an aside.
    """
    of_run: dict[Node, list[Thread]] = {}
    spans: dict[Thread, int] = {}
    for thread in found:
        runs = {step.call.node.run: None for step in thread.steps if step.call.node.tool is None}
        spans[thread] = len(runs)
        for run in runs:
            of_run.setdefault(run, []).append(thread)
    several = {thread for group in of_run.values() if len(group) > 1 for thread in group}
    longest = {thread: max(len(step.call.marks) for step in thread.steps) for thread in several}
    return {
        run: group[0] if len(group) == 1 else max(group, key=lambda thread: (spans[thread], longest[thread]))
        for run, group in of_run.items()
    }


def _said(atoms: Iterable[Atom]) -> Iterator[tuple[int, int]]:
    """Where the user's messages are among these, each with the digest of all of them up to it."""
    digest = 0
    for at, atom in enumerate(atoms):
        if atom.kind == "user":
            digest = hash((digest, atom.digest))
            yield at, digest
