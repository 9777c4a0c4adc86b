"""By what traces may belong together, told span by span, before a conversation is seen whole."""

from __future__ import annotations

from collections.abc import Iterator

from traces.dialects.common import conversation_of
from traces.dialects.registry import facts
from traces.log_record import LogRecord
from traces.span import Span


def keys(record: Span | LogRecord) -> Iterator[str]:
    """What ties a span or log record to those of other traces: the conversation's id, the response's that several
    instrumentations saw, and the ids of tool calls, asked for in one trace and made in another.
    """
    if isinstance(record, LogRecord):
        named = conversation_of(record.attributes)
        if named is not None:
            yield f"conversation {named[0]}"
        return
    found = facts(record)
    if found.conversation is not None:
        yield f"conversation {found.conversation[0]}"
    if found.response_id is not None:
        yield f"response {found.response_id}"
    if found.kind == "tool" and found.tool is not None and found.tool.id:
        yield f"call {found.tool.id}"
    for message in found.output or ():
        for call in message.calls:
            if call.id:
                yield f"call {call.id}"
