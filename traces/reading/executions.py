"""Which tool spans show the same execution: several instrumentations may see it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from traces.reading.compare import canonical, same_name, tool_name
from traces.reading.forest import Node


def executions(nodes: Iterable[Node]) -> list[list[Node]]:
    """The tool spans, those of one execution together: one within another, or of the same call at the same time, or one
    that was paused and the one that ran when it went on.

    `nodes`: in the order of their starts.
    """
    found: list[list[Node]] = []
    failing: dict[object, _Failing] = {}
    of: dict[Node, list[Node]] = {}
    by_id: dict[str, list[Node]] = {}
    paused: list[list[Node]] = []
    for node in nodes:
        if node.facts.kind != "tool" or node.facts.tool is None:
            continue
        group = of.get(node.tool) if node.tool is not None and _same(node, node.tool) else None
        call_id = node.facts.tool.id
        if group is None and call_id is not None:
            along = by_id.get(call_id)
            group = (
                along if along is not None and along[0].span.end >= node.span.start and _same(node, along[0]) else None
            )
        if group is None:
            group = next((one for one in paused if _same(node, one[0])), None)
        if group is None:
            group = []
            if node.facts.error is not None and node.facts.error.message is not None:
                place = node.span.trace_id, tool_name(node.facts.tool.name), node.facts.error.message
                group = failing.setdefault(place, _Failing()).group(node)
            if not group:
                found.append(group)
        group.append(node)
        of[node] = group
        if call_id is not None:
            by_id[call_id] = group
        if paused or node.facts.paused:
            paused = [one for one in paused if one is not group] + ([group] if node.facts.paused else [])
    return found


class _Failing:
    """Executions of one tool that failed with one message. What succeeds shows its id or its result, by which its call
    is found.
    """

    def __init__(self) -> None:
        self._all = _Line()
        self._by_arguments: dict[str | None, _Line] = {}

    def group(self, node: Node) -> list[Node]:
        """The execution that another instrumentation, which knows no id of the call, shows at the same time; else a new
        one.
        """
        own = _arguments(node)
        lines = [self._by_arguments.get(key) for key in (own, None)] if own is not None else [self._all]
        found = [one for line in lines if line is not None and (one := line.first(node)) is not None]
        if found:
            return min(found)[1]
        new: tuple[int, list[Node]] = len(self._all.groups), []
        for line in (self._all, self._by_arguments.setdefault(own, _Line())):
            line.groups.append(new)
        return new[1]


class _Line:
    """Executions with their numbers, in the order of their starts."""

    def __init__(self) -> None:
        self.groups: list[tuple[int, list[Node]]] = []
        self._past: dict[str, int] = {}

    def first(self, node: Node) -> tuple[int, list[Node]] | None:
        """The first that this span may show too."""
        scope = node.span.scope
        past = self._past.get(scope, 0)
        while past < len(self.groups) and not _is_open(self.groups[past][1], node):
            past += 1  # it is open to none of this instrumentation any more
        self._past[scope] = past
        rest = islice(self.groups, past, None)
        return next((one for one in rest if _is_open(one[1], node) and _same(node, one[1][0])), None)


def _is_open(group: Sequence[Node], node: Node) -> bool:
    """Whether an execution goes on where this span begins, and none of its instrumentation shows it."""
    return group[0].span.end >= node.span.start and all(other.span.scope != node.span.scope for other in group)


def _arguments(node: Node) -> str | None:
    tool = node.facts.tool
    return None if tool is None or tool.arguments is None else canonical(tool.arguments)


def _same(node: Node, other: Node) -> bool:
    mine, theirs = node.facts.tool, other.facts.tool
    if mine is None or theirs is None or not (same_name(mine.name, theirs.name) or not mine.name):
        return False
    if mine.id is not None and theirs.id is not None:
        return mine.id == theirs.id
    told = {_arguments(node), _arguments(other)}
    return None in told or len(told) == 1
