"""Model calls whose spans never came, but whose log records did: content may go another way than spans, or alone."""

from __future__ import annotations

from collections.abc import Sequence

from traces.dialects.evaluations import event_name
from traces.dialects.otel_events import MESSAGES
from traces.dialects.otel_genai import DETAILS
from traces.genai import CHAT, OPERATION
from traces.log_record import LogRecord
from traces.span import Span

LOST = "a model call's span did not come: it is told by its log records alone, without a duration"


def stand_in(records: Sequence[LogRecord]) -> Span | None:
    """A span with what the log records of one span tell of its model call; None if they tell of none."""
    first = records[0]
    told = [record for record in records if event_name(record) == DETAILS or event_name(record) in MESSAGES]
    if first.trace_id is None or first.span_id is None or not told:
        return None
    attributes = {OPERATION: CHAT}
    for record in told:
        attributes.update(record.attributes)
    return Span(
        first.trace_id,
        first.span_id,
        None,
        "",
        "client",
        told[0].time,
        told[-1].time,
        attributes,
        scope=first.scope,
        resource=first.resource,
    )
