"""Spans and log records in, conversations out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from traces.conversation import Conversation
from traces.log_record import LogRecord
from traces.reading.assembly import assemble
from traces.reading.forest import Node, forest
from traces.reading.joining import Group, groups
from traces.reading.model_calls import collapse
from traces.span import Span

NO_SPANS = (
    "no spans arrived: the instrumentation did not start (of a version that it does not know, it only logs so), the"
    " exporter was not flushed, or it was pointed elsewhere"
)


def conversations(spans: Iterable[Span], logs: Iterable[LogRecord] = ()) -> list[Conversation]:
    """The conversations that these spans and records tell of, in the order of their starts; none if there are no spans.

    The order of the input, doubles, and how it was spread over files and requests make no difference. Traces with
    nothing of an agent in them are left out, unless all are like that: then there is one conversation that says so.
    """
    nodes, loose = forest(spans, logs)
    if not nodes:
        return []
    found = groups(nodes, collapse(nodes), loose)
    telling = [group for group in found if any(_tells(node) for node in group.nodes)]
    if not telling:
        return [_assembled(Group(nodes, [], loose), [_unknown(nodes)])]
    return [_assembled(group, ()) for group in telling]


def conversation(spans: Iterable[Span], logs: Iterable[LogRecord] = ()) -> Conversation:
    """The one conversation that all of these spans are of, whatever they say; that none came is a warning in it."""
    nodes, loose = forest(spans, logs)
    if not nodes:
        return assemble([], [], loose, notes=[NO_SPANS])
    calls = collapse(nodes)
    found = groups(nodes, calls, loose)
    first = min(found, key=lambda group: group.id is None)
    notes = [] if any(_tells(node) for node in nodes) else [_unknown(nodes)]
    return _assembled(Group(nodes, calls, loose, first.id, first.joined), notes)


def _assembled(group: Group, notes: Sequence[str]) -> Conversation:
    return assemble(group.nodes, group.calls, group.logs, group.id, group.joined, notes)


def _tells(node: Node) -> bool:
    return node.facts.kind != "other" or bool(node.facts.feedback)


def _unknown(nodes: Sequence[Node]) -> str:
    names = sorted({name for node in nodes for name in node.span.attributes})
    shown = ", ".join(names[:12]) + (", …" if len(names) > 12 else "") or "none"
    return f"{len(nodes)} spans arrived, but none tells of an agent in a dialect that is known; attributes: {shown}"
