"""Keys by which telemetry is brought together before it is read: what belongs to one conversation shares some."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from traces.dialects.common import conversation_of
from traces.dialects.evaluations import event_name
from traces.dialects.facts import Facts, Message
from traces.dialects.messages import messages
from traces.dialects.otel_events import USER
from traces.dialects.otel_genai import INPUT
from traces.dialects.registry import facts
from traces.log_record import LogRecord
from traces.span import Span

_WINDOW = 10 * 10**9
"""Nanoseconds. Two spans of one model call begin within half of it."""


def keys(record: Span | LogRecord) -> Iterator[str]:
    """The keys of a span or log record. Most spans have one or none.

    They are what `conversations` joins by: the conversation's id, a response's, those of tool calls, the trace of a
    root and of a link; of a model call without a conversation's id the user's first words, for histories that go on
    from each other begin alike; and of every model call its tokens and about when it began, for another trace may tell
    of it too. To share a key is to be looked at together: it is no proof.
    """
    if isinstance(record, LogRecord):
        own = conversation_of(record.attributes)
        if own is not None:
            yield f"conversation {own[0]}"
        else:
            yield from _first(messages(record.attributes.get(INPUT)))
            if event_name(record) == USER:
                yield from _first(messages(record.attributes if record.body is None else record.body))
        return
    if record.parent_id is None:
        yield f"trace {record.trace_id}"
    for trace, _ in record.links:
        yield f"trace {trace}"
    yield from _of_facts(facts(record))


def _of_facts(found: Facts) -> Iterator[str]:
    if found.conversation is not None:
        yield f"conversation {found.conversation[0]}"
    if found.tool is not None:
        yield f"call {found.tool.id or (found.tool.name, found.span.start // _WINDOW)}"
    if found.kind != "model":
        return
    if found.response_id is not None:
        yield f"response {found.response_id}"
    for message in found.output or ():
        for call in message.calls:
            yield f"call {call.id or (call.name, found.span.end // _WINDOW)}"
    if found.usage is not None:
        for shift in (0, _WINDOW // 2):
            yield f"tokens {found.usage.input} {found.usage.output} {(found.span.start + shift) // _WINDOW}"
    if found.conversation is None:
        yield from _first(found.input or ())


def _first(history: Iterable[Message]) -> Iterator[str]:
    said = next((message.text for message in history if message.role == "user"), None)
    if said is not None:
        yield f"first {hash(said)}"
