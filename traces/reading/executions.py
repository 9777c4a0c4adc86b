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
        self._groups: list[list[Node]] = []
        self._past: dict[str, int] = {}

    def group(self, node: Node) -> list[Node]:
        """The execution that another instrumentation, which knows no id of the call, shows at the same time; else a new
        one.
        """
        scope = node.span.scope
        past = self._past.get(scope, 0)
        while past < len(self._groups) and not _is_open(self._groups[past], node):
            past += 1  # it is open to none of this instrumentation any more
        self._past[scope] = past
        for group in islice(self._groups, past, None):
            if _is_open(group, node) and _same(node, group[0]):
                return group
        self._groups.append([])
        return self._groups[-1]


def _is_open(group: Sequence[Node], node: Node) -> bool:
    """Whether an execution goes on where this span begins, and none of its instrumentation shows it."""
    return group[0].span.end >= node.span.start and all(other.span.scope != node.span.scope for other in group)


def _same(node: Node, other: Node) -> bool:
    mine, theirs = node.facts.tool, other.facts.tool
    if mine is None or theirs is None or not (same_name(mine.name, theirs.name) or not mine.name):
        return False
    if mine.id is not None and theirs.id is not None:
        return mine.id == theirs.id
    return (
        mine.arguments is None or theirs.arguments is None or canonical(mine.arguments) == canonical(theirs.arguments)
    )
