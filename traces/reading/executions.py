"""Which tool span shows which of the calls that the messages hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from traces.reading.compare import canonical, last_part, same_arguments, same_name, same_result
from traces.reading.drafts import Asked
from traces.reading.forest import Node
from traces.reading.model_calls import Call

Fits = Callable[[Asked, Node], bool]


def executions(nodes: Iterable[Node]) -> list[list[Node]]:
    """The tool spans, those of one execution together: one within another, or of the same call at the same time."""
    found: list[list[Node]] = []
    running: dict[tuple[str, str], list[list[Node]]] = {}
    of: dict[Node, list[Node]] = {}
    by_id: dict[str, list[Node]] = {}
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
        place = node.span.trace_id, last_part(node.facts.tool.name)
        if group is None:
            running[place] = [one for one in running.get(place, ()) if one[0].span.end >= node.span.start]
            group = next((one for one in running[place] if _along(node, one)), None)
        if group is None:
            group = []
            found.append(group)
            running[place].append(group)
        group.append(node)
        of[node] = group
        if call_id is not None:
            by_id[call_id] = group
    return found


def attach(asked: Sequence[Asked], groups: Iterable[list[Node]]) -> list[list[Node]]:
    """Gives each call the spans that show it: by its id, else by name and arguments, else by name and order.

    Returns the spans that no call is for. A span of another trace than its call's has lost its context: its call is
    marked as mended. Calls that the id tells apart are never mixed with those that it doesn't; but an id that no
    message knows is the library's own, and tells none apart in its trace.
    """
    waiting = list(groups)
    known = {item.call.id for item in asked}

    def by_no_id(item: Asked, node: Node) -> bool:
        seen, asker = node.facts.tool, item.asker
        if seen is None or seen.id in known or asker is None or asker.node.span.trace_id != node.span.trace_id:
            return False
        return same_name(item.call.name, seen.name) and same_arguments(item.call.arguments, seen.arguments)

    for fits in (_by_id, _by_arguments, _by_name, by_no_id):
        if not waiting or not asked:
            break
        left: list[list[Node]] = []
        index = _Index(asked)
        for group in waiting:
            found = index.find(group, fits)
            if found is None:
                left.append(group)
                continue
            found.spans.extend(group)
            asker = found.asker
            found.mended = asker is not None and all(
                node.span.trace_id != seen.span.trace_id for node in group for seen in asker.nodes
            )
        waiting = left
    return waiting


def _along(node: Node, group: Sequence[Node]) -> bool:
    """Whether another instrumentation, that knows no id of the call, shows this execution at the same time."""
    if any(other.span.scope == node.span.scope for other in group) or not _same(node, group[0]):
        return False
    mine, theirs = node.facts, group[0].facts
    if mine.error is None or theirs.error is None or mine.error.message is None:
        return False  # what succeeded shows its id or its result, by which its call is found
    return mine.error.message == theirs.error.message


def _same(node: Node, other: Node) -> bool:
    mine, theirs = node.facts.tool, other.facts.tool
    if mine is None or theirs is None or not same_name(mine.name, theirs.name):
        return False
    if mine.id is not None and theirs.id is not None:
        return mine.id == theirs.id
    return (
        mine.arguments is None or theirs.arguments is None or canonical(mine.arguments) == canonical(theirs.arguments)
    )


def _by_id(asked: Asked, node: Node) -> bool:
    seen = node.facts.tool
    return seen is not None and seen.id is not None and seen.id == asked.call.id


def _by_arguments(asked: Asked, node: Node) -> bool:
    seen = node.facts.tool
    if seen is None or (seen.id is not None and asked.call.id is not None and seen.id != asked.call.id):
        return False
    return same_name(asked.call.name, seen.name) and same_arguments(asked.call.arguments, seen.arguments)


def _by_name(asked: Asked, node: Node) -> bool:
    seen = node.facts.tool
    if seen is None or (seen.id is not None and asked.call.id is not None and seen.id != asked.call.id):
        return False
    known = asked.call.arguments is not None and seen.arguments is not None
    return same_name(asked.call.name, seen.name) and not known


class _Index:
    """The calls without a span yet, by id and by the last part of the name."""

    def __init__(self, asked: Sequence[Asked]) -> None:
        self._open: dict[str, list[Asked]] = {}
        for item in asked:
            if not item.spans:
                for key in _keys(item.call.id, item.call.name):
                    self._open.setdefault(key, []).append(item)

    def find(self, group: Sequence[Node], fits: Fits) -> Asked | None:
        """The call that these spans fit: of several the one with the very result, of the same run, asked for last."""
        seen = group[0].facts.tool
        if seen is None:
            return None
        found: list[Asked] = []
        for key in _keys(seen.id, seen.name):
            for item in self._open.get(key, ()):
                if not item.spans and item not in found and any(fits(item, node) for node in group):
                    found.append(item)
        if len(found) < 2:
            return found[0] if found else None
        node = group[0]
        return min(found, key=lambda item: (not _told(item, group), *_distance(item.asker, node)))


def _keys(call_id: str | None, name: str) -> tuple[str, ...]:
    last = last_part(name)
    return (f"name {last}",) if call_id is None else (f"id {call_id}", f"name {last}")


def _told(asked: Asked, group: Sequence[Node]) -> bool:
    """Whether the model was told the very result that a span shows."""
    given = asked.answer
    return given is not None and any(
        same_result(given.content, node.facts.result) for node in group if node.facts.has_result
    )


def _distance(asker: Call | None, node: Node) -> tuple[bool, bool, int]:
    """How far a span is from the model call that may have asked for it: another run, before it, and in time."""
    if asker is None:
        return True, True, 0
    late = node.span.start - asker.start
    return asker.node.run is not node.run, late < 0, abs(late)
