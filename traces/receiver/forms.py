"""The two forms of OTLP/HTTP: reading requests, and answering in the form of the request."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from traces.json_text import dumps, flaw, loads
from traces.log_record import LogRecord
from traces.otlp import canonical
from traces.otlp.decode import LOGS, TRACES
from traces.otlp.decode import records as records_of_json
from traces.otlp.flaw import Flaw
from traces.receiver.taking import Refused
from traces.span import Span

Found = Iterable[Span | LogRecord | Flaw]

JSON = "application/json"
PROTOBUF = "application/x-protobuf"

_OTHERWISE = "if it is to be {}, Content-Type has to say so"

_INVALID_ARGUMENT, _UNAUTHENTICATED, _EXHAUSTED, _UNAVAILABLE = 3, 16, 8, 14
_CODES = {400: _INVALID_ARGUMENT, 401: _UNAUTHENTICATED, 413: _EXHAUSTED, 429: _EXHAUSTED, 503: _UNAVAILABLE}
"""Of google.rpc.Code, by HTTP status."""


@dataclass(frozen=True, slots=True)
class Signal:
    """What an endpoint takes. `items`: what they are called; `rejected`: the field that counts those not taken."""

    items: str
    rejected: str
    names: tuple[str, ...]
    of: Callable[[bytes], Found]


def _spans(body: bytes) -> Found:
    from traces.otlp.protobuf import spans

    return _of_protobuf(spans, body)


def _logs(body: bytes) -> Found:
    from traces.otlp.protobuf import log_records

    return _of_protobuf(log_records, body)


def _of_protobuf(parsed: Callable[[bytes], Found], body: bytes) -> Found:
    try:
        return parsed(body)
    except ValueError as error:
        raise ValueError(f"the body is {error}; {_OTHERWISE.format(JSON)}") from None


SIGNALS = {
    "/v1/traces": Signal("spans", "rejectedSpans", TRACES, _spans),
    "/v1/logs": Signal("log records", "rejectedLogRecords", LOGS, _logs),
}
"""By path."""


def read(signal: Signal, kind: str, body: bytes) -> tuple[list[Span | LogRecord], Refused | None]:
    """The records of a request, and what of it can't be read. ValueError if it is no such request at all."""
    found = list(signal.of(body) if kind == PROTOBUF else _of_json(signal, body))
    flaws = [each for each in found if isinstance(each, Flaw)]
    if not flaws:
        return found, None  # type: ignore[return-value]
    return [each for each in found if not isinstance(each, Flaw)], Refused(len(flaws), _told(flaws))


def accepted(signal: Signal, kind: str, refused: Refused | None) -> bytes:
    """The body of an answer that takes a request, but for what is refused."""
    if kind == JSON:
        if refused is None:
            return b"{}"
        return dumps({"partialSuccess": {signal.rejected: str(refused.count), "errorMessage": refused.why}})
    if refused is None:
        return b""
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
        ExportTracePartialSuccess,
        ExportTraceServiceResponse,
    )

    # That for logs has other names for the same numbers.
    partial = ExportTracePartialSuccess(rejected_spans=refused.count, error_message=_clean(refused.why))
    return ExportTraceServiceResponse(partial_success=partial).SerializeToString()


def refusal(kind: str, status: int, text: str) -> bytes:
    """The body of an answer that does not: a google.rpc.Status."""
    code = _CODES.get(status, _INVALID_ARGUMENT)
    if kind == JSON:
        return dumps({"code": code, "message": text})
    from google.rpc.status_pb2 import Status  # type: ignore[import-untyped]

    content: bytes = Status(code=code, message=_clean(text)).SerializeToString()
    return content


def _of_json(signal: Signal, body: bytes) -> Found:
    if signal.names is TRACES and (found := canonical.spans(body)) is not None:
        return found
    try:
        document: Any = loads(body)
    except RecursionError:
        raise ValueError("the body is JSON that is nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"the body is {flaw(body, error)}; {_OTHERWISE.format(PROTOBUF)}") from None
    if not isinstance(document, dict):
        raise ValueError("the body is no JSON object: send one request of OTLP")
    if document and not any(name in document for name in signal.names):
        raise ValueError(f"the body has no `{signal.names[0]}`, so there are no {signal.items} in it")
    return records_of_json({name: held for name, held in document.items() if name in signal.names})


def _told(flaws: list[Flaw]) -> str:
    first = flaws[0].what
    return first if len(flaws) == 1 else f"{first}; and {len(flaws) - 1} more"


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
