"""Which tool spans show the same execution: several instrumentations may see it."""

from __future__ import annotations

from collections.abc import Iterable

from traces.reading.compare import canonical, same_name, tool_name
from traces.reading.tools.failed_alike import FailedAlike
from traces.reading.tools.paused import Paused
from traces.reading.tree.forest import Node


def executions(nodes: Iterable[Node]) -> list[list[Node]]:
    """The tool spans, those of one execution together: one within another, or of the same call at the same time, or one
    that was paused and the one that ran when it went on.

    `nodes`: in the order of their starts.
    """
    found: list[list[Node]] = []
    failed: dict[object, FailedAlike] = {}
    of: dict[Node, list[Node]] = {}
    by_id: dict[str, list[Node]] = {}
    paused = Paused()
    for node in nodes:
        call = node.facts.tool
        if node.facts.kind == "model":
            paused.ask(node)
        if node.facts.kind != "tool" or call is None:
            continue
        group = of.get(node.tool) if node.tool is not None and _same(node, node.tool) else None
        if group is None and call.id is not None:
            along = by_id.get(call.id)
            group = (
                along if along is not None and along[0].span.end >= node.span.start and _same(node, along[0]) else None
            )
        if group is None:
            group = paused.resumed(call, node.span.start)
        if group is None:
            group = []
            message = None if node.facts.error is None else node.facts.error.message
            if message is not None or node.facts.paused:
                place = node.span.trace_id, tool_name(call.name), message
                group = failed.setdefault(place, FailedAlike()).group(node, call)
            if not group:
                found.append(group)
        group.append(node)
        of[node] = group
        if call.id is not None:
            by_id[call.id] = group
        if node.facts.paused:
            paused.add(call, group)
    return found


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
