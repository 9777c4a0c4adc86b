"""Threads of model calls that go on from each other, and which of those in one run is the conversation itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from traces.reading.drafts import Asked, Draft
from traces.reading.forest import Node
from traces.reading.histories import Step


@dataclass(slots=True, eq=False)
class Thread:
    """Calls that go on from each other. `turns`: the turn that is open behind each beginning of its history.

    `news`: how many atoms at its beginning are of no news, for they retell what another thread held.
    """

    first: Step
    steps: list[Step] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    turns: dict[int, Draft] = field(default_factory=dict)
    news: int = 0


def threads(steps: Sequence[Step]) -> dict[Step, Thread]:
    """The thread of every call whose history is there; calls of one run that begin alike are one from the start."""
    found: dict[Step, Thread] = {}
    roots: dict[tuple[int, Node], Thread] = {}
    for step in steps:
        call = step.call
        if not call.atoms or call.cut:
            continue
        if step.after is not None:
            thread = found[step.after]
        elif call.node.tool is not None:
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
    spans: dict[int, int] = {}
    for thread in found:
        runs = {step.call.node.run: None for step in thread.steps if step.call.node.tool is None}
        spans[id(thread)] = len(runs)
        for run in runs:
            of_run.setdefault(run, []).append(thread)
    return {
        run: group[0] if len(group) == 1 else max(group, key=lambda thread: _weight(thread, spans))
        for run, group in of_run.items()
    }


def _weight(thread: Thread, spans: dict[int, int]) -> tuple[int, int]:
    return spans[id(thread)], max(len(step.call.marks) for step in thread.steps)
