"""Spans as light as can be: those of the SDK to whoever makes and reads them, with plain data behind.

A span of the SDK takes four times as long to make, with its limits, locks and processors, and would be turned into the
same plain data in the end.
"""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any

from opentelemetry import trace
from opentelemetry.attributes import BoundedAttributes
from opentelemetry.context import Context, get_value
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import Event, ReadableSpan
from opentelemetry.sdk.trace import Tracer as SdkTracer
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from opentelemetry.trace import SpanContext, SpanKind, Status, StatusCode, TraceFlags
from opentelemetry.trace.propagation import _SPAN_KEY

from traces.clock import now_ns
from traces.gather import Gathered
from traces.plain import AS_IS, in_json, members
from traces.span import Span, SpanEvent

_SAMPLED = TraceFlags(TraceFlags.SAMPLED)
_INTERNAL = SpanKind.INTERNAL
_UNSET = Status(StatusCode.UNSET)
_TEXT = frozenset({str})
_FIXED = AS_IS | {float}
"""Types of attribute values that nobody can change."""

Attributes = Mapping[str, Any] | None


class OwnSpan(trace.Span, ReadableSpan):
    """A span that becomes plain data when it ends; what is done to it later is ignored."""

    _context: SpanContext
    _start_time: int
    _instrumentation_scope: InstrumentationScope
    _attributes: dict[str, Any]
    _instrumentation_info = None
    _end_time: int | None = None
    _status = _UNSET
    _events: list[Event]
    _links: list[trace.Link]
    _dropped = 0
    _as_is = True
    """Whether all attributes are JSON already."""

    def __init__(
        self,
        name: str,
        context: SpanContext,
        parent: SpanContext | None,
        kind: SpanKind,
        start: int,
        attributes: Attributes,
        links: Sequence[trace.Link] | None,
        tracer: OwnTracer,
        gathered: Gathered | None,
        *,
        record_exception: bool,
        set_status_on_exception: bool,
    ) -> None:
        # What the SDK's own `__init__` sets, but what stays as it is for most spans is set on the class.
        self._name = name
        self._context = context
        self._parent = parent
        self._kind = kind
        self._start_time = start
        self._resource = tracer.resource
        self._instrumentation_scope = tracer.scope
        self._tracer = tracer
        self._gathered = gathered
        self._record_exception = record_exception
        self._set_status_on_exception = set_status_on_exception
        self._attributes = {}
        if attributes:
            self._take(attributes)
        self._events = []
        self._links = list(links) if links else []

    @property
    def dropped_attributes(self) -> int:
        """How many attributes had no name, or none that is text."""
        return self._dropped

    def get_span_context(self) -> SpanContext:
        """Its ids."""
        return self._context

    def is_recording(self) -> bool:
        """Whether it has not ended."""
        return self._end_time is None

    def set_attribute(self, key: str, value: Any) -> None:
        """Set one attribute."""
        self.set_attributes({key: value})

    def set_attributes(self, attributes: Mapping[str, Any]) -> None:
        """Set attributes."""
        if self._end_time is None:
            self._take(attributes)

    def _take(self, attributes: Mapping[str, Any]) -> None:
        # The usual ones in one look, which also tells that nothing will have to be done to them at the end.
        if _are_named(attributes) and AS_IS.issuperset(map(type, attributes.values())):
            self._attributes.update(attributes)
            return
        taken = _clean(attributes)
        self._attributes.update(taken)
        self._dropped += len(attributes) - len(taken)
        self._as_is = False

    def update_name(self, name: str) -> None:
        """Give it another name."""
        if self.is_recording():
            self._name = name

    def add_event(self, name: str, attributes: Attributes = None, timestamp: int | None = None) -> None:
        """Add an event; `timestamp` in nanoseconds since the epoch."""
        if self.is_recording():
            self._events.append(Event(name, _clean(attributes), now_ns() if timestamp is None else timestamp))

    def add_link(self, context: SpanContext, attributes: Attributes = None) -> None:
        """Link it to another span."""
        if self.is_recording():
            self._links.append(trace.Link(context, _clean(attributes)))

    def record_exception(
        self,
        exception: BaseException,
        attributes: Attributes = None,
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
        if self.is_recording() and self._status.status_code is not StatusCode.OK and not given.is_unset:
            self._status = given

    def end(self, end_time: int | None = None) -> None:
        """End it, and hand it over."""
        if self._end_time is not None:
            return
        self._end_time = now_ns() if end_time is None else end_time
        # A trace may have begun to be gathered since this span began.
        if (gathered := self._gathered or self._tracer.gathered(self._context[0])) is not None:
            gathered.keep(self._context[1], self._data(gathered.trace_id), self._dropped)

    def _data(self, trace_id: str) -> Span:
        parent, status, events = self._parent, self._status, self._events
        return Span(
            trace_id,
            f"{self._context[1]:016x}",
            None if parent is None else f"{parent[1]:016x}",
            self._name,
            "internal" if self._kind is _INTERNAL else self._kind.name.lower(),
            self._start_time,
            self._end_time or 0,
            self._attributes if self._as_is else in_json(self._attributes),
            tuple([SpanEvent(event.name, event.timestamp, members(event.attributes)) for event in events])
            if events
            else (),
            "unset" if status is _UNSET else status.status_code.name.lower(),
            "" if status is _UNSET else status.description or "",
            self._tracer.scope_name,
        )

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        """End it, with the exception that leaves the `with`."""
        if error is not None and self._record_exception:
            self.record_exception(error, escaped=True)
        if error is not None and self._set_status_on_exception:
            self.set_status(StatusCode.ERROR, f"{type(error).__name__}: {error}")
        self.end()


class OwnTracer(trace.Tracer):
    """Makes spans. `scope` and `resource`: who makes them; `gathered`: finds what is gathered of a trace."""

    def __init__(
        self, scope: InstrumentationScope, resource: Resource, gathered: Callable[[int], Gathered | None]
    ) -> None:
        self.scope = scope
        self.scope_name = scope.name
        self.resource = resource
        self.gathered = gathered
        # Not the `random` module's own state, which an agent may seed the same way for every episode.
        self._random = random.Random()  # noqa: S311  ids are no secrets

    @property
    def full(self) -> trace.Tracer | None:
        """A tracer that is to make the spans instead."""
        return None

    def start_span(
        self,
        name: str,
        context: Context | None = None,
        kind: SpanKind = SpanKind.INTERNAL,
        attributes: Attributes = None,
        links: Sequence[trace.Link] | None = (),
        start_time: int | None = None,
        record_exception: bool = True,
        set_status_on_exception: bool = True,
    ) -> trace.Span:
        """A new span below the one that is current, or below that of `context`."""
        if (full := self.full) is not None:
            more = (attributes, links, start_time, record_exception, set_status_on_exception)
            return full.start_span(name, context, kind, *more)
        # `get_current_span` tests against an abstract class, which takes as long as all the rest here.
        current = get_value(_SPAN_KEY, context)
        parent: SpanContext | None
        if type(current) is OwnSpan:
            parent = current._context
        else:
            parent = trace.get_current_span(context).get_span_context()
            if parent is None or not parent.is_valid:
                parent = None
        span_id = self._random.getrandbits(64) or 1
        # A context is a tuple (ids, remote, flags, state, valid), and quicker read and made as one than by its methods.
        if parent is None:
            own = SpanContext(self._random.getrandbits(128) or 1, span_id, False, _SAMPLED)
        else:
            own = tuple.__new__(SpanContext, (parent[0], span_id, False, _SAMPLED, parent[4], True))
        gathered = self.gathered(own[0])
        span = OwnSpan(
            name,
            own,
            parent,
            kind,
            now_ns() if start_time is None else start_time,
            attributes,
            links,
            self,
            gathered,
            record_exception=record_exception,
            set_status_on_exception=set_status_on_exception,
        )
        if gathered is not None:
            gathered.running[span_id] = span
        return span

    start_as_current_span = SdkTracer.start_as_current_span
    """The same, current within the `with`, or while a function runs that it decorates."""


def _clean(attributes: Attributes) -> dict[str, Any]:
    """Attributes in a new dict, as the SDK takes them: nothing in it can be changed from outside."""
    if not attributes:
        return {}
    if _are_named(attributes) and _FIXED.issuperset(map(type, attributes.values())):
        return dict(attributes)
    return dict(BoundedAttributes(attributes=attributes))


def _are_named(attributes: Mapping[str, Any]) -> bool:
    return "" not in attributes and _TEXT.issuperset(map(type, attributes))
