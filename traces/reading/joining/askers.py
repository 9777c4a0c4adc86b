"""Which model call asked for a tool whose span has lost its context."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import Any

from traces.reading.calls.model_calls import Call
from traces.reading.compare import canonical, last_part
from traces.reading.tree.forest import Node

NEAR = 60 * 10**9
"""Nanoseconds. Without an id, only calls asked for within this time before a tool ran may be those it ran for."""


class Askers:
    """Looks up the model calls that asked for a tool, by its name and the call's id, else by name and arguments."""

    def __init__(self, calls: Iterable[Call]) -> None:
        self._calls = list(calls)
        self._ids: dict[tuple[str, str], list[tuple[int, int]]] = {}
        self._like: dict[tuple[str, str], list[tuple[int, int]]] = {}
        for at, call in enumerate(self._calls):
            for atom in call.given:
                if atom.call is None:
                    continue
                name = last_part(atom.call.name)
                if atom.call.id is not None:
                    insort(self._ids.setdefault((name, atom.call.id), []), (call.end, at))
                for arguments in forms(atom.call.arguments):
                    insort(self._like.setdefault((name, arguments), []), (call.end, at))

    def of(self, node: Node) -> list[Call]:
        """The calls that may have asked for it: by id the last one before it, by arguments all shortly before it."""
        tool = node.facts.tool
        if node.facts.kind != "tool" or tool is None:
            return []
        name = last_part(tool.name)
        if tool.id is not None:
            found = self._ids.get((name, tool.id), [])
            return [self._calls[at] for _, at in found[max(0, self._before(found, node) - 1) :][:1]]
        found = self._like.get((name, canonical(tool.arguments)), [])
        end = self._before(found, node)
        return [self._calls[at] for asked, at in found[max(0, end - 8) : end] if node.span.start - asked <= NEAR]

    @staticmethod
    def _before(found: list[tuple[int, int]], node: Node) -> int:
        return bisect_right(found, node.span.start, key=itemgetter(0))


def forms(arguments: Any) -> Iterator[str]:
    """Arguments as a span may show them: whole, or of a single one its bare value."""
    yield canonical(arguments)
    if isinstance(arguments, dict) and len(arguments) == 1:
        yield canonical(next(iter(arguments.values())))
