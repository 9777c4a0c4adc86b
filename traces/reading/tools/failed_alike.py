"""Which spans of several instrumentations show one execution of a tool that tells no more than how it failed."""

from __future__ import annotations

from bisect import bisect_left, insort
from itertools import count, product
from operator import itemgetter

from traces.dialects.facts import AskedCall
from traces.reading.compare import canonical
from traces.reading.tree.forest import Node

_Entry = tuple[int, int, list[Node]]
"""When an execution ended, its number and its spans."""


class FailedAlike:
    """Executions of one tool that ended with one message. What succeeds shows its id or its result, by which its call
    is found.
    """

    def __init__(self) -> None:
        self._numbers = count()
        self._lines: dict[tuple[str | None, bool], _Line] = {}

    def group(self, node: Node, call: AskedCall) -> list[Node]:
        """The execution that another instrumentation shows too, else a new one, empty.

        Two with ids are not the same. If both show the same arguments it is enough that they overlap in time; if one
        shows none, it may be another that failed alike, unless this span is within the time of the other.
        """
        span, own = node.span, None if call.arguments is None else canonical(call.arguments)
        known = call.id is not None
        for arguments, least in [(own, span.start), (None, span.end)] if own is not None else [("any", span.end)]:
            line = self._lines.get((arguments, known))
            if line is not None and (found := line.first(span.scope, least)) is not None:
                return found
        new: _Entry = span.end, next(self._numbers), []
        for key in product((own, "any"), (False,) if known else (False, True)):
            self._lines.setdefault(key, _Line()).add(new, frozenset([span.scope]))
        return new[2]


class _Line:
    """Executions in the order of their ends, by instrumentations that show them."""

    def __init__(self) -> None:
        self._by_scopes: dict[frozenset[str], list[_Entry]] = {}

    def add(self, entry: _Entry, scopes: frozenset[str]) -> None:
        insort(self._by_scopes.setdefault(scopes, []), entry)

    def first(self, scope: str, least: int) -> list[Node] | None:
        """The first that did not end before that time and that this instrumentation does not show."""
        found: list[_Entry] = []
        for line in [line for scopes, line in self._by_scopes.items() if scope not in scopes]:
            at = bisect_left(line, least, key=itemgetter(0))
            while at < len(line) and scope in (seen := frozenset([node.span.scope for node in line[at][2]])):
                self.add(line.pop(at), seen)  # it is seen by more since
            found += line[at : at + 1]
        return min(found)[2] if found else None
