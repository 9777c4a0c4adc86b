"""Sending spans and log records to an OTLP endpoint over HTTP, in protobuf, until it has taken them."""

from __future__ import annotations

import gzip
import re
import time
import zlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC
from email.utils import parsedate_to_datetime
from itertools import islice
from typing import Self

import httpx

from traces.log_record import LogRecord
from traces.otlp import protobuf
from traces.otlp.endpoint import Endpoint, Signal
from traces.span import Span

AT_ONCE = 512
"""Spans or log records of one request, at most."""
_LARGEST = 4 * 2**20
"""Bytes of one request, as far as a single record allows: what most servers take."""
_TRANSIENT = frozenset({429, 502, 503, 504})
_NO_SUCH_PLACE = frozenset({404, 405, 501})
_ATTEMPTS = 6
_LONGEST_WAIT = 60.0
_READABLE = 300
"""Characters of what an endpoint says."""
_NUMBER = re.compile(r"\[Errno -?\d+\] ")


class SendingProblem(Exception):
    """The endpoint does not take what is sent. The text says why, as far as it tells; its own words may hold anything.
    `status`: of its answer; None if there was none.
    """

    def __init__(self, text: str, status: int | None = None) -> None:
        super().__init__(text)
        self.status = status


@dataclass(slots=True)
class Sent:
    """What was taken, what was rejected, and the log records that the endpoint has no place for: many a backend takes
    spans only. `notes`: what the endpoint said to what it took, or why it took only a part of it.
    """

    spans: int = 0
    logs: int = 0
    rejected: int = 0
    unplaced: int = 0
    notes: dict[str, None] = field(default_factory=dict)


class Sender:
    """Sends to the endpoints of both signals, within the `with`. `wait` sleeps for so many seconds."""

    def __init__(self, endpoints: dict[Signal, Endpoint], wait: Callable[[float], None] = time.sleep) -> None:
        self.sent = Sent()
        self._endpoints = endpoints
        self._wait = wait
        self._clients = {
            signal: httpx.Client(verify=each.tls(), timeout=each.timeout) for signal, each in endpoints.items()
        }

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *args: object) -> None:
        for client in self._clients.values():
            client.close()

    def send(self, records: Iterable[Span | LogRecord]) -> Sent:
        """Send them, a part at a time. Raises SendingProblem where the endpoint takes no more of it."""
        every = iter(records)
        while batch := list(islice(every, AT_ONCE)):
            self._send_spans([record for record in batch if isinstance(record, Span)])
            self._send_logs([record for record in batch if isinstance(record, LogRecord)])
        return self.sent

    def _send_spans(self, spans: Sequence[Span]) -> None:
        if spans and not self._took("traces", protobuf.traces_data(spans), len(spans)):
            self._send_spans(spans[: len(spans) // 2])
            self._send_spans(spans[len(spans) // 2 :])

    def _send_logs(self, logs: Sequence[LogRecord]) -> None:
        if self.sent.unplaced:
            self.sent.unplaced += len(logs)
        elif logs and not self._took("logs", protobuf.logs_data(logs), len(logs)):
            self._send_logs(logs[: len(logs) // 2])
            self._send_logs(logs[len(logs) // 2 :])

    def _took(self, signal: Signal, body: bytes, count: int) -> bool:
        """Whether the endpoint took these records; False where they are too large and can be sent in parts."""
        if count > 1 and len(body) > _LARGEST:
            return False
        answer = self._answered(signal, body)
        if answer.status_code == 413 and count > 1:
            return False
        if signal == "logs" and answer.status_code in _NO_SUCH_PLACE:
            self.sent.unplaced += count
            return True
        if not answer.is_success:
            raise SendingProblem(f"{self._endpoints[signal].url}: {_refusal(answer)}", answer.status_code)
        rejected, note = _partial(signal, answer)
        if signal == "traces":
            self.sent.spans += count - rejected
        else:
            self.sent.logs += count - rejected
        self.sent.rejected += rejected
        if note:
            self.sent.notes[note] = None
        return True

    def _answered(self, signal: Signal, body: bytes) -> httpx.Response:
        """The answer, once the endpoint is not busy and can be reached, or after the last attempt."""
        endpoint = self._endpoints[signal]
        headers = {**endpoint.headers, "content-type": "application/x-protobuf"}
        if endpoint.compression != "none":
            headers["content-encoding"] = endpoint.compression
            body = gzip.compress(body, 6) if endpoint.compression == "gzip" else zlib.compress(body)
        for attempt in range(_ATTEMPTS):
            last = attempt == _ATTEMPTS - 1
            try:
                answer = self._clients[signal].post(endpoint.url, content=body, headers=headers)
            except httpx.TransportError as error:
                if last or not isinstance(error, _PASSING):
                    raise SendingProblem(f"{endpoint.url}: {_failure(error, endpoint)}") from None
                self._wait(float(2**attempt))
                continue
            except (httpx.InvalidURL, httpx.HTTPError, ValueError) as error:
                raise SendingProblem(f"{endpoint.url}: {_folded(str(error))}") from None
            if last or answer.status_code not in _TRANSIENT:
                return answer
            self._wait(_pause(answer, attempt))
        raise AssertionError("the last attempt returns or raises")


_PASSING = (httpx.TimeoutException, httpx.ReadError, httpx.WriteError, httpx.RemoteProtocolError)
"""Failures of a connection that was there; where there is none, a person had better look at once."""


def _pause(answer: httpx.Response, attempt: int) -> float:
    """Seconds to wait: as long as the server asks, in seconds or until a time, else longer every time."""
    asked = answer.headers.get("retry-after", "").strip()
    seconds = float(2**attempt)
    if asked.isdecimal():
        seconds = float(asked)
    elif asked:
        with suppress(ValueError):  # no date either
            until = parsedate_to_datetime(asked)
            seconds = (until if until.tzinfo else until.replace(tzinfo=UTC)).timestamp() - time.time()
    return min(max(seconds, 0.0), _LONGEST_WAIT)


def _partial(signal: Signal, answer: httpx.Response) -> tuple[int, str]:
    """How many records were rejected, and what the endpoint says of it; both may be nothing."""
    from google.protobuf.message import DecodeError
    from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceResponse
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

    if not answer.headers.get("content-type", "").startswith("application/x-protobuf"):
        return 0, ""
    try:
        if signal == "traces":
            traces = ExportTraceServiceResponse.FromString(answer.content).partial_success
            return traces.rejected_spans, _folded(traces.error_message)
        logs = ExportLogsServiceResponse.FromString(answer.content).partial_success
        return logs.rejected_log_records, _folded(logs.error_message)
    except DecodeError:
        return 0, ""


def _refusal(answer: httpx.Response) -> str:
    said = "" if answer.headers.get("content-type", "").startswith("application/x-protobuf") else _folded(answer.text)
    return f"HTTP {answer.status_code}{f' ({said})' if said else ''}"


def _failure(error: httpx.TransportError, endpoint: Endpoint) -> str:
    if isinstance(error, httpx.TimeoutException):
        return f"no answer within {endpoint.timeout:g} s (OTEL_EXPORTER_OTLP_TIMEOUT)"
    why = _NUMBER.sub("", _folded(str(error)))
    return f"it can't be reached: {why}" if why else "it can't be reached"


def _folded(text: str) -> str:
    """On one line, and no more of it than is read."""
    return " ".join(text[: 4 * _READABLE].split())[:_READABLE]
