"""Which form of telemetry a JSON value is in, told by what is in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from traces.json_text import loads
from traces.log_record import LogRecord
from traces.otlp import canonical, console, decode, jaeger
from traces.otlp.flaw import Flaw
from traces.otlp.scalars import shown
from traces.span import Span

_WRAPPERS = ("trace", "result", "data")
"""What the query APIs of Tempo and Jaeger wrap a TracesData or their traces in."""


def records(document: Any) -> Iterator[Span | LogRecord | Flaw]:
    """The spans and log records of a JSON value, whichever form it is in, each broken one as a Flaw.

    OTLP (TracesData, LogsData, an export request, or spans and log records bare), spans and log records as the SDKs'
    console exporters print them, Jaeger's traces; and lists of these.
    """
    todo = [document]
    while todo:
        document = todo.pop()
        if isinstance(document, list):
            todo += reversed(document)
        elif not isinstance(document, dict):
            yield Flaw(f"no spans and no log records: {shown(document)}")
        elif not decode.ENVELOPES.isdisjoint(document):
            yield from decode.records(document)
        elif jaeger.is_trace(document):
            yield from jaeger.records(document)
        elif (one := _single(document)) is not None:
            yield one
        elif (wrapped := _wrapped(document)) is not None:
            todo.append(wrapped)
        elif document:  # an empty object is an empty request
            yield Flaw(f"no spans and no log records: an object of {shown(', '.join(map(str, document)))}")


def told(text: bytes) -> Sequence[Span | LogRecord | Flaw]:
    """The same of a JSON text. ValueError or RecursionError if it is none."""
    spans = canonical.spans(text)
    return list(records(loads(text))) if spans is None else spans


def known(document: Any) -> bool:
    """Whether this is an object in one of the forms, not only one that could be wrapped in them."""
    return isinstance(document, dict) and (
        not decode.ENVELOPES.isdisjoint(document) or jaeger.is_trace(document) or _reader(document) is not None
    )


def _single(document: Mapping[str, Any]) -> Span | LogRecord | Flaw | None:
    if (read := _reader(document)) is None:
        return None
    try:
        return read(document)
    except (ValueError, RecursionError) as error:
        what = "nested too deeply" if isinstance(error, RecursionError) else error
        return Flaw(f"{shown(document.get('name') or 'a record')}: {what}")


def _reader(document: Mapping[str, Any]) -> Callable[[Mapping[str, Any]], Span | LogRecord] | None:
    if console.is_span(document):
        return console.span
    if console.is_log_record(document):
        return console.log_record
    if "spanId" in document or "span_id" in document:
        if "name" in document:
            return lambda raw: decode.span(raw, {}, "")
        if "body" in document:
            return lambda raw: decode.log_record(raw, {}, "")
    return None


def _wrapped(document: Mapping[str, Any]) -> Any:
    for name in _WRAPPERS:
        if isinstance(held := document.get(name), dict | list):
            return held
    return None
