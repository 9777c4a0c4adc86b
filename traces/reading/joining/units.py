"""The parts of traces that are of one conversation each, by the ids that spans give."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from traces.dialects.common import CONVERSATION_IDS
from traces.reading.tree.forest import Node

Unit = tuple[str, str | None]
"""A trace, or the part of it that belongs to one conversation: the trace's id and the conversation's."""

_RANK = {name: rank for rank, name in enumerate(CONVERSATION_IDS)}


def rank(rule: str) -> int:
    """How sure an id is that this attribute gives: the lower, the surer."""
    return _RANK.get(rule, len(_RANK))


def units(nodes: Sequence[Node]) -> tuple[dict[Node, Unit], dict[str, str]]:
    """The unit of every span; and of each id the surest of the attributes that gave it."""
    given: dict[str, dict[tuple[str, str], None]] = {}
    for node in nodes:
        if node.facts.conversation is not None:
            given.setdefault(node.span.trace_id, {})[node.facts.conversation] = None
    for node in nodes:
        if node.tool is not None and (own := node.facts.conversation) is not None and own != _outermost(node):
            given[node.span.trace_id].pop(own, None)
    ids: dict[str, dict[str, str]] = {}
    whole: dict[str, Unit] = {}
    for trace, found in given.items():
        if not found:
            continue  # sub-agents' only
        best = min(rank(rule) for _, rule in found)
        ids[trace] = {conversation: rule for conversation, rule in found if rank(rule) == best}
        if len(ids[trace]) == 1:
            whole[trace] = (trace, next(iter(ids[trace])))
    unit: dict[Node, Unit] = {}
    divided = []
    for node in nodes:
        trace = node.span.trace_id
        if trace in whole:
            unit[node] = whole[trace]
        elif trace not in ids:
            unit[node] = whole[trace] = (trace, None)
        else:
            divided.append(node)
    if divided:
        _divide(divided, ids, unit)
    return unit, _rules(ids.values())


def _rules(ids: Iterable[Mapping[str, str]]) -> dict[str, str]:
    rules: dict[str, str] = {}
    for found in ids:
        for conversation, rule in found.items():
            rules[conversation] = min(rules.get(conversation, rule), rule, key=rank)
    return rules


def _outermost(node: Node) -> tuple[str, str] | None:
    """The id that a span gives; within a tool, that of the conversation which called it."""
    own, above = node.facts.conversation, node.tool
    while own is not None and above is not None:
        own, above = above.facts.conversation or own, above.parent
    return own


def _divide(nodes: Sequence[Node], ids: dict[str, dict[str, str]], unit: dict[Node, Unit]) -> None:
    """Of traces with several ids: a span has its own, else that of the nearest above, else the only one below."""
    below: dict[Node, str | None] = {}  # None: several
    for node in nodes:
        own = _outermost(node)
        if own is None or own[0] not in ids[node.span.trace_id]:
            continue
        unit[node] = (node.span.trace_id, own[0])
        above = node.parent
        while above is not None and (above not in below or below[above] not in (None, own[0])):
            below[above] = None if above in below else own[0]
            above = above.parent
    for node in nodes:
        trail = []
        seen: Node | None = node
        while seen is not None and seen not in unit:
            trail.append(seen)
            seen = seen.parent
        inherited = unit[seen][1] if seen is not None else None
        for one in trail:
            unit[one] = (one.span.trace_id, inherited or below.get(one))
