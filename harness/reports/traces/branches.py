"""The spans of a conversation as trees, trace by trace, in the order of their starts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from harness.reports.printable import one_line
from traces.conversation import Conversation
from traces.dialects.facts import Facts
from traces.reading.forest import Node, forest

KIND_STYLES = {"model": "blue", "tool": "cyan", "agent": "bold", "retrieval": "magenta", "other": "bright_black"}
_DEEPEST = 16
"""Levels that are indented: beyond, there is no room for words."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A span in its place: `stem` is what is drawn before it."""

    node: Node
    stem: str
    depth: int

    @property
    def label(self) -> str:
        """What the span is of, in the words of its kind: never its name alone, which may say anything."""
        return one_line(_label(self.node.facts), 100)


def branches(conversation: Conversation) -> Iterator[list[Branch]]:
    """The spans of each trace, parents before their children; traces in the order of their first spans."""
    nodes, _ = forest(conversation.spans, conversation.logs)
    below: dict[int, list[Node]] = {}
    traces: dict[str, list[Node]] = {}
    seen: set[int] = set()
    for node in nodes:
        if node.parent is None:
            traces.setdefault(node.span.trace_id, []).append(node)
        else:
            below.setdefault(id(node.parent), []).append(node)
    for tops in traces.values():
        yield list(_walk(tops, below, seen))


def _walk(tops: list[Node], below: dict[int, list[Node]], seen: set[int]) -> Iterator[Branch]:
    left = [(node, "", "", 0) for node in reversed(tops)]
    while left:
        node, stem, under, depth = left.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        yield Branch(node, stem, depth)
        children = below.get(id(node), [])
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
