"""The spans of each trace that is being captured, as they start and end, in whatever thread."""

from __future__ import annotations

from typing import Protocol

from opentelemetry.context import Context
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor
from opentelemetry.sdk.trace import Span as SdkSpan

from traces.plain import plain
from traces.span import Span


class Running(Protocol):
    """A span that has not ended."""

    @property
    def name(self) -> str:
        """Its name so far."""
        ...


class Gathered:
    """The spans of one trace: those that ended, and those that did not yet. `cut`: how many of their attributes and
    events the limits of a provider cut off, span by span. `trace_id`: 32 hex digits.
    """

    __slots__ = ("cut", "ended", "running", "trace_id")

    def __init__(self, trace_id: str) -> None:
        self.trace_id = trace_id
        self.ended: list[Span] = []
        self.running: dict[int, Running] = {}
        self.cut: list[int] = []

    def keep(self, span_id: int, span: Span, cut: int) -> None:
        """Keep a span that has ended."""
        self.running.pop(span_id, None)
        self.ended.append(span)
        if cut:
            self.cut.append(cut)


class Gatherer:
    """Gathers the spans of the traces it was asked for, in the thread that ends them: no queue, so nothing is lost.

    A single dict or list operation is atomic, so that no lock is needed.
    """

    def __init__(self) -> None:
        self._traces: dict[int, Gathered] = {}

    def open(self, trace_id: int) -> Gathered:
        """Begin to gather the spans of a trace."""
        gathered = self._traces[trace_id] = Gathered(f"{trace_id:032x}")
        return gathered

    def close(self, trace_id: int) -> None:
        """Stop gathering; spans of the trace that end later are dropped."""
        self._traces.pop(trace_id, None)

    def of(self, trace_id: int) -> Gathered | None:
        """What is gathered of a trace, if it is."""
        return self._traces.get(trace_id)


class Listener(SpanProcessor):
    """Hears the spans of an SDK provider for a gatherer."""

    def __init__(self, gatherer: Gatherer) -> None:
        self.gatherer = gatherer

    def on_start(self, span: SdkSpan, parent_context: Context | None = None) -> None:
        """Remember that the span runs."""
        context = span.context
        if (gathered := self.gatherer.of(context.trace_id)) is not None:
            gathered.running[context.span_id] = span

    def on_end(self, span: ReadableSpan) -> None:
        """Keep the span."""
        if (gathered := self.gatherer.of(span.context.trace_id)) is not None:
            gathered.keep(span.context.span_id, plain(span), span.dropped_attributes + span.dropped_events)
