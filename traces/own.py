"""Spans of the harness and the sandbox themselves: the OpenTelemetry API, with plain data behind it.

They are parents of the agent's spans like any other. A span of the SDK takes five times as long to make, with its
limits, locks and resources, and would be turned into the same plain data in the end.
"""

from __future__ import annotations

import secrets
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.trace import SpanContext, SpanKind, Status, StatusCode, TraceFlags

from traces.clock import now_ns
from traces.gather import Gatherer
from traces.plain import members
from traces.span import Span, SpanEvent

_SAMPLED = TraceFlags(TraceFlags.SAMPLED)


class OwnSpan(trace.Span):
    """A span that becomes plain data when it ends; what is done to it later is ignored."""

    def __init__(
        self,
        name: str,
        context: SpanContext,
        parent: SpanContext | None,
        kind: SpanKind,
        start: int,
        attributes: Mapping[str, Any] | None,
        tracer: OwnTracer,
    ) -> None:
        self.name = name
        self.attributes: dict[str, Any] = dict(attributes) if attributes else {}
        self._context = context
        self._parent = parent
        self._kind = kind
        self._start = start
        self._tracer = tracer
        self._status = Status()
        self._events: list[SpanEvent] = []
        self._ended = False

    def get_span_context(self) -> SpanContext:
        """Its ids."""
        return self._context

    def is_recording(self) -> bool:
        """Whether it has not ended."""
        return not self._ended

    def set_attribute(self, key: str, value: Any) -> None:
        """Set one attribute."""
        self.set_attributes({key: value})

    def set_attributes(self, attributes: Mapping[str, Any]) -> None:
        """Set attributes."""
        if not self._ended:
            self.attributes.update(attributes)

    def update_name(self, name: str) -> None:
        """Give it another name."""
        if not self._ended:
            self.name = name

    def add_event(self, name: str, attributes: Mapping[str, Any] | None = None, timestamp: int | None = None) -> None:
        """Add an event; `timestamp` in nanoseconds since the epoch."""
        if not self._ended:
            self._events.append(SpanEvent(name, timestamp or now_ns(), members(attributes)))

    def record_exception(
        self,
        exception: BaseException,
        attributes: Mapping[str, Any] | None = None,
        timestamp: int | None = None,
        escaped: bool = False,
    ) -> None:
        """Add an exception as an event."""
        kind = type(exception)
        told = {
            "exception.type": kind.__qualname__
            if kind.__module__ == "builtins"
            else f"{kind.__module__}.{kind.__qualname__}",
            "exception.message": str(exception),
            "exception.stacktrace": "".join(traceback.format_exception(exception)),
            "exception.escaped": str(escaped),
        }
        self.add_event("exception", {**told, **(attributes or {})}, timestamp)

    def set_status(self, status: Status | StatusCode, description: str | None = None) -> None:
        """Set the status; once it is OK it stays so."""
        given = status if isinstance(status, Status) else Status(status, description)
        if not self._ended and self._status.status_code is not StatusCode.OK and not given.is_unset:
            self._status = given

    def end(self, end_time: int | None = None) -> None:
        """End it, and hand it over."""
        if self._ended:
            return
        self._ended = True
        context, parent = self._context, self._parent
        gathered = self._tracer.gatherer.of(context.trace_id)
        if gathered is None:
            return
        gathered.running.pop(context.span_id, None)
        gathered.ended.append(
            Span(
                f"{context.trace_id:032x}",
                f"{context.span_id:016x}",
                f"{parent.span_id:016x}" if parent is not None else None,
                self.name,
                self._kind.name.lower(),
                self._start,
                end_time or now_ns(),
                members(self.attributes),
                tuple(self._events),
                self._status.status_code.name.lower(),
                self._status.description or "",
                self._tracer.scope,
            )
        )


class OwnTracer(trace.Tracer):
    """Makes spans for a gatherer. `scope`: the name of who makes them."""

    def __init__(self, scope: str, gatherer: Gatherer) -> None:
        self.scope = scope
        self.gatherer = gatherer

    def start_span(
        self,
        name: str,
        context: Context | None = None,
        kind: SpanKind = SpanKind.INTERNAL,
        attributes: Mapping[str, Any] | None = None,
        links: Sequence[trace.Link] | None = (),
        start_time: int | None = None,
        record_exception: bool = True,
        set_status_on_exception: bool = True,
    ) -> OwnSpan:
        """A new span below the one that is current, or below that of `context`. Links are not kept."""
        parent: SpanContext | None = trace.get_current_span(context).get_span_context()
        if parent is None or not parent.is_valid:
            parent = None
        # Not the `random` module's state, which an agent may seed the same way for every episode.
        trace_id = parent.trace_id if parent is not None else secrets.randbits(128) or 1
        own = SpanContext(trace_id, secrets.randbits(64) or 1, False, _SAMPLED)
        span = OwnSpan(name, own, parent, kind, start_time or now_ns(), attributes, self)
        if (gathered := self.gatherer.of(trace_id)) is not None:
            gathered.running[own.span_id] = span
        return span

    @contextmanager
    def start_as_current_span(  # type: ignore[override]  # the API's decorator is a context manager of its own kind
        self,
        name: str,
        *given: Any,
        record_exception: bool = True,
        set_status_on_exception: bool = True,
        end_on_exit: bool = True,
        **more: Any,
    ) -> Iterator[trace.Span]:
        """The same, current within the `with`."""
        span = self.start_span(name, *given, **more)
        with trace.use_span(span, end_on_exit, record_exception, set_status_on_exception):
            yield span
