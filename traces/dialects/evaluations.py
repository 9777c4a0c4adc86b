"""Judgements that come with a trace: `gen_ai.evaluation.result`, as a log record or as an event of the judged span."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from traces.conversation import Feedback, Origin
from traces.dialects.common import text_or_none
from traces.log_record import LogRecord
from traces.span import Span

EVALUATION = "gen_ai.evaluation.result"


def event_name(record: LogRecord) -> str:
    """The name of a log record's event, by the field or by the older attribute."""
    name = record.name or record.attributes.get("event.name")
    return name if isinstance(name, str) else ""


def evaluations(span: Span, logs: Sequence[LogRecord]) -> tuple[Feedback, ...]:
    """The judgements on a span, in its log records and its events."""
    return tuple(_found(span, logs))


def evaluation(record: LogRecord) -> Feedback | None:
    """The judgement in a log record; None if it holds none."""
    return _feedback(record.attributes, (record,)) if event_name(record) == EVALUATION else None


def score(value: Any) -> float | None:
    """A score as a number, None if it is none."""
    return float(value) if isinstance(value, int | float) else None


def _found(span: Span, logs: Sequence[LogRecord]) -> Iterator[Feedback]:
    for record in logs:
        if event_name(record) == EVALUATION:
            yield _feedback(record.attributes, (record,))
    for event in span.events:
        if event.name == EVALUATION:
            yield _feedback(event.attributes, (span,))


def _feedback(attributes: Mapping[str, Any], origin: Origin) -> Feedback:
    return Feedback(
        name=text_or_none(attributes.get("gen_ai.evaluation.name")) or "evaluation",
        value=score(attributes.get("gen_ai.evaluation.score.value")),
        label=text_or_none(attributes.get("gen_ai.evaluation.score.label")),
        explanation=text_or_none(attributes.get("gen_ai.evaluation.explanation")),
        origin=origin,
    )
