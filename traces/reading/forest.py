"""The spans, each once, as trees; and what a span takes over from those above it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from traces.dialects.facts import Facts
from traces.dialects.registry import facts
from traces.genai import TURN
from traces.identity import distinct_logs, distinct_spans
from traces.log_record import LogRecord
from traces.span import Span

Key = tuple[str | None, str | None]


@dataclass(slots=True, eq=False)
class Node:
    """A span with its facts. What is below is taken from the spans above it, None where none of them gives it.

    `run`: the span that stands for the handling of one message: the one that is marked as a turn, else the outermost
    agent's, else the outermost server's, else the root. `tool`: the tool's span that it is within. `model`: the nearest
    model call's span above. `agent`: the agent that it belongs to.
    """

    facts: Facts
    parent: Node | None = None
    root: Node = field(init=False)
    run: Node = field(init=False)
    tool: Node | None = None
    model: Node | None = None
    agent: str | None = None

    def __post_init__(self) -> None:
        self.root = self.run = self

    @property
    def span(self) -> Span:
        """The span itself."""
        return self.facts.span


def forest(spans: Iterable[Span], logs: Iterable[LogRecord]) -> tuple[list[Node], list[LogRecord]]:
    """The spans in the order of their starts, and the log records that belong to none of them.

    A span or record that came twice counts once, and the order in which they come changes nothing.
    """
    told: dict[Key, list[LogRecord]] = {}
    for record in distinct_logs(logs):
        told.setdefault((record.trace_id, record.span_id), []).append(record)
    nodes: dict[Key, Node] = {}
    for span in distinct_spans(spans):
        key = (span.trace_id, span.span_id)
        nodes[key] = Node(facts(span, told.pop(key, ())))
    order = list(nodes.values())
    _hang(nodes, order)
    return order, [record for group in told.values() for record in group]


def _hang(nodes: dict[Key, Node], order: Sequence[Node]) -> None:
    """Hangs every node under its parent and hands down what is taken over, parents first."""
    below: dict[Key, list[Node]] = {}
    tops: list[Node] = []
    for node in order:
        above = (node.span.trace_id, node.span.parent_id)
        if node.span.parent_id is not None and above in nodes:
            below.setdefault(above, []).append(node)
        else:
            tops.append(node)
    left = len(order)
    for node in tops:  # grows while it is walked
        left -= 1
        _inherit(node)
        for child in below.pop((node.span.trace_id, node.span.span_id), ()):
            child.parent = node
            tops.append(child)
    if left:  # spans that are each other's parents: they hang from nothing
        for group in below.values():
            for node in group:
                if node.parent is None:
                    _inherit(node)


def _inherit(node: Node) -> None:
    kind, parent = node.facts.kind, node.parent
    node.agent = node.facts.agent
    if parent is None:
        return
    node.root = parent.root
    node.agent = node.facts.agent or parent.agent
    node.tool = parent if parent.facts.kind == "tool" else parent.tool
    node.model = parent if parent.facts.kind == "model" else parent.model
    if TURN in node.span.attributes or (kind == "agent" and not _is_run(parent.run)):
        return
    server = node.span.kind in ("server", "consumer")
    node.run = node if server and parent.run is parent.root and not _is_run(parent.run) else parent.run


def _is_run(node: Node) -> bool:
    """Whether this run is one that no span below it makes doubtful."""
    return node.facts.kind == "agent" or TURN in node.span.attributes
