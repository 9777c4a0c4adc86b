"""Spans and log records in, conversations out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from traces.conversation import Conversation, TraceWarning
from traces.log_record import LogRecord
from traces.otlp import BadLine, read_file
from traces.otlp.spool import Spool
from traces.reading.assembly import assemble
from traces.reading.calls.collapse import collapse
from traces.reading.calls.model_calls import Call
from traces.reading.joining.grouping import Group, groups
from traces.reading.joining.kin import kindred
from traces.reading.keys import keys
from traces.reading.tree.forest import Node, forest
from traces.span import Span

_SHOWN = 100
"""Spans of no known dialect that are kept to be shown where nothing else was found."""

NO_SPANS = TraceWarning(
    "no spans arrived: the instrumentation did not start (of a version that it does not know, it only logs so), the"
    " exporter was not flushed, or it was pointed elsewhere"
)

UNREADABLE = "no spans arrived: what came is no telemetry, or it is broken"


def read(*paths: str | Path, bad: Callable[[BadLine], object] | None = None) -> Iterator[Conversation]:
    """The conversations in files of telemetry, whatever form they are in and however it is spread over them.

    About in the order of their starts; but where traces without a conversation's id look for the one that they belong
    to, these and what they may belong to come last. In memory there is one conversation at a time and what may belong
    to it. `bad` is told what could not be read and where; without it, that raises a ValueError, once everything else
    was read.
    """
    flaws: list[BadLine] = []
    tell = bad or flaws.append

    def records() -> Iterator[Span | LogRecord]:
        for path in paths:
            for record in read_file(path):
                if isinstance(record, BadLine):
                    tell(record)
                else:
                    yield record

    yield from stream(records())
    if flaws:
        shown = "".join(f"\n  {flaw}" for flaw in flaws[:20])
        raise ValueError(f"{len(flaws)} parts of the telemetry could not be read:{shown}")


def stream(records: Iterable[Span | LogRecord]) -> Iterator[Conversation]:
    """The conversations that any amount of telemetry tells of, once all of it is in; as `read` gives them."""
    strangers: list[Node] = []
    known = False
    with Spool(keys) as spool:
        spool.extend(records)
        for nodes, calls, loose, fitting in kindred(spool):
            found = _known(nodes, calls, loose, fitting)
            known = known or bool(found)
            strangers = [] if known else [*strangers, *nodes][:_SHOWN]
            yield from found
    if strangers:
        yield _unknown(strangers, ())


def conversations(spans: Iterable[Span], logs: Iterable[LogRecord] = ()) -> list[Conversation]:
    """The conversations that these spans and records tell of, in the order of their starts; none if there are no spans.

    The order of the input, doubles, and how it was spread over files and requests make no difference, but for log
    records of one span and time: those stand as they came. Traces with nothing of an agent in them are left out,
    unless all are like that: then there is one conversation that says so.
    """
    nodes, loose = forest(spans, logs)
    if not nodes:
        return []
    return _known(nodes, collapse(nodes), loose) or [_unknown(nodes, loose)]


def conversation(spans: Iterable[Span], logs: Iterable[LogRecord] = ()) -> Conversation:
    """The one conversation that all of these spans are of, whatever they say; that none came is a warning in it."""
    nodes, loose = forest(spans, logs)
    if not nodes:
        return assemble([], [], loose, notes=[NO_SPANS])
    if not any(_tells(node) for node in nodes):
        return _unknown(nodes, loose)
    calls = collapse(nodes)
    found = groups(nodes, calls, loose)
    first = min(found, key=lambda group: group.id is None)
    return _assembled(Group(nodes, calls, loose, first.id, first.joined))


def _known(
    nodes: Sequence[Node], calls: Sequence[Call], loose: Sequence[LogRecord], fitting: Mapping[int, int] | None = None
) -> list[Conversation]:
    """The conversations among these spans; none of what tells of no agent."""
    found = groups(nodes, calls, loose, fitting or {})
    return [_assembled(group) for group in found if any(_tells(node) for node in group.nodes)]


def _assembled(group: Group) -> Conversation:
    return assemble(group.nodes, group.calls, group.logs, group.id, group.joined, group.notes)


def _tells(node: Node) -> bool:
    return node.facts.kind != "other" or bool(node.facts.feedback)


def _unknown(nodes: Sequence[Node], loose: Sequence[LogRecord]) -> Conversation:
    names = sorted({name for node in nodes for name in node.span.attributes})
    shown = ", ".join(names[:12]) + (", …" if len(names) > 12 else "") or "none"
    note = TraceWarning(f"spans arrived, but none tells of an agent in a known dialect; their attributes: {shown}")
    return assemble(nodes, [], loose, notes=[note])
