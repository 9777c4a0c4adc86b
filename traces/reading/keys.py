"""The key by which telemetry is brought together before it is read: the conversation's id, where it is given."""

from __future__ import annotations

from traces.dialects.common import conversation_of
from traces.log_record import LogRecord
from traces.span import Span


def keys(record: Span | LogRecord) -> tuple[str, ...]:
    """The id of the record's conversation, if any. It stands for its whole trace."""
    own = conversation_of(record.attributes)
    return () if own is None else (own[0].strip('"'),)  # some dialects write it as JSON
