"""The spans of a conversation as trees, trace by trace, in the order of their starts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from harness.reports.printable import one_line
from traces.conversation import Conversation
from traces.dialects.facts import Facts
from traces.reading.tree.forest import Node, forest

KIND_STYLES = {"model": "blue", "tool": "cyan", "agent": "bold", "retrieval": "magenta", "other": "bright_black"}
_DEEPEST = 16
"""Levels that are indented: beyond, there is no room for words."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A span in its place: `stem` is what is drawn before it. `circular`: it is above itself, by way of its parents."""

    node: Node
    stem: str
    depth: int
    circular: bool

    @property
    def label(self) -> str:
        """What the span is of, in the words of its kind: never its name alone, which may say anything."""
        return one_line(_label(self.node.facts), 100)


def branches(conversation: Conversation) -> Iterator[list[Branch]]:
    """The spans of each trace, parents before their children; traces in the order of their first spans."""
    nodes, _ = forest(conversation.spans, conversation.logs)
    hung = _hung_from_circles(nodes)
    circular = {node for node, parent in hung.items() if parent is None}
    below: dict[Node, list[Node]] = {}
    traces: dict[str, list[Node]] = {}
    for node in nodes:
        parent = node.parent or hung.get(node)
        if parent is None:
            traces.setdefault(node.span.trace_id, []).append(node)
        else:
            below.setdefault(parent, []).append(node)
    for tops in traces.values():
        yield list(_walk(tops, below, circular))


def _hung_from_circles(nodes: list[Node]) -> dict[Node, Node | None]:
    """The parents of those that the forest hangs from nothing although their parents are there: some are each other's,
    and stand alone (None); the others are below these.
    """
    named = {(node.span.trace_id, node.span.span_id): node for node in nodes}
    parents: dict[Node, Node | None] = {
        node: parent
        for node in nodes
        if node.parent is None and (parent := named.get((node.span.trace_id, node.span.parent_id or ""))) is not None
    }
    children = Counter(parents.values())
    childless = [node for node in parents if not children[node]]
    circular = parents.keys() - childless
    for node in childless:  # grows while it is walked: whoever has no child left is on no circle
        parent = parents[node]
        children[parent] -= 1
        if parent is not None and not children[parent]:
            circular.discard(parent)
            childless.append(parent)
    return parents | dict.fromkeys(circular)


def _walk(tops: list[Node], below: dict[Node, list[Node]], circular: set[Node]) -> Iterator[Branch]:
    left = [(node, "", "", 0) for node in reversed(tops)]
    while left:
        node, stem, under, depth = left.pop()
        yield Branch(node, stem, depth, node in circular)
        children = below.get(node, [])
        for place, child in enumerate(reversed(children)):
            deep = depth >= _DEEPEST
            fork, line = ("└─ ", "   ") if place == 0 else ("├─ ", "│  ")
            left.append((child, under if deep else under + fork, under if deep else under + line, depth + 1))


def _label(facts: Facts) -> str:
    if facts.kind == "tool" and facts.tool is not None:
        return facts.tool.name
    if facts.kind == "model":
        return facts.response_model or facts.model or facts.span.name
    if facts.kind == "agent":
        return facts.agent or facts.span.name
    return facts.span.name
