"""The keys by which telemetry is brought together before it is read: the conversation's id, where it is given, and that
of the prompt which records of no trace are about.
"""

from __future__ import annotations

from traces.dialects.common import conversation_of
from traces.log_record import LogRecord
from traces.reading.tree.untraced import prompt_of
from traces.span import Span


def keys(record: Span | LogRecord) -> tuple[str, ...]:
    """The id of the record's conversation, if any, which stands for its whole trace; without a trace, of its prompt."""
    own = conversation_of(record.attributes)
    given = () if own is None else (own[0].strip('"'),)  # some dialects write it as JSON
    if record.trace_id is None and (prompt := prompt_of(record)) is not None:
        return (*given, prompt)
    return given
