"""Calls that a tool's span may show alike, and the likeliest of them, found without a look at all the others."""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from traces.reading.calls.model_calls import Call
from traces.reading.compare import told_as
from traces.reading.drafts import Asked
from traces.reading.tree.forest import Node


def distance(asker: Call | None, node: Node) -> tuple[bool, bool, int]:
    """How far a span is from the model call that may have asked for it: another run, before it, and in nanoseconds."""
    if asker is None:
        return True, True, 0
    late = node.span.start - asker.start
    return asker.node.run is not node.run, late < 0, abs(late)


class Alike:
    """Calls that differ in nothing that a span tells of a call. Those that have a span are out of it."""

    def __init__(self, calls: Sequence[Asked]) -> None:
        self._all = _Near(calls)
        self._told: dict[tuple[str, str], list[Asked]] = {}
        self._near: dict[tuple[str, str], _Near] = {}
        for call in calls:
            for form in told_as(call.answer.content) if call.answer is not None else ():
                self._told.setdefault(form, []).append(call)

    def likeliest(self, group: Iterable[Node]) -> Iterator[Asked]:
        """The nearest of those whose answer is what these spans show as a result, else the nearest of all.

        There may be one for each form that the results have.
        """
        node, *_ = group = list(group)
        forms = {form for seen in group if seen.facts.has_result for form in told_as(seen.facts.result)}
        found = [call for form in forms & self._told.keys() if (call := self._telling(form).to(node)) is not None]
        if not found and (nearest := self._all.to(node)) is not None:
            found.append(nearest)
        yield from found

    def _telling(self, form: tuple[str, str]) -> _Near:
        if form not in self._near:
            self._near[form] = _Near(self._told[form])
        return self._near[form]


class _Near:
    """Calls by the run and the time in which they were asked for."""

    def __init__(self, calls: Iterable[Asked]) -> None:
        of_run: dict[Node | None, list[Asked]] = {}
        for call in calls:
            of_run.setdefault(None if call.asker is None else call.asker.node.run, []).append(call)
        self._unknown = _Times(of_run.pop(None, ()))
        self._runs = {run: _Times(some) for run, some in of_run.items()}
        self._any = _Times([call for call in calls if call.asker is not None])

    def to(self, node: Node) -> Asked | None:
        """The one that is the least far from this span, of several the first."""
        time, own = node.span.start, self._runs.get(node.run)
        return (
            (own and (own.before(time) or own.after()))
            or self._any.before(time)
            or self._unknown.before(time)
            or self._any.after()
        )


class _Times:
    """Calls by the time at which they were asked for, 0 where that is not known."""

    def __init__(self, calls: Iterable[Asked]) -> None:
        self._at: dict[int, deque[Asked]] = {}
        for call in calls:
            self._at.setdefault(call.asker.start if call.asker else 0, deque()).append(call)
        self._starts = sorted(self._at)

    def before(self, time: int) -> Asked | None:
        """The one that was asked for last up to this time."""
        for place in range(bisect_right(self._starts, time) - 1, -1, -1):
            if (found := self._first(place)) is not None:
                return found
        return None

    def after(self) -> Asked | None:
        """The one that was asked for first of all: there must be none before."""
        while self._starts:
            if (found := self._first(0)) is not None:
                return found
        return None

    def _first(self, place: int) -> Asked | None:
        """The first of those that were asked for at one time; a time without any is forgotten."""
        calls = self._at[self._starts[place]]
        while calls:
            if not calls[0].spans:
                return calls[0]
            calls.popleft()
        del self._starts[place]
        return None
