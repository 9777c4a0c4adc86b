"""Capturing spans while an episode is played: all of them, whole, whatever the environment says.

One trace an episode, `episode` > `turn` > whatever the agent emits. The agent's spans join by context: they reach the
same collector through the global tracer provider, or through the SDK provider that the agent set for itself.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from operator import attrgetter
from typing import Any, Self

from opentelemetry import context as otel_context
from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.sampling import ALWAYS_ON, ParentBased
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from opentelemetry.trace import StatusCode

from traces.gather import Gathered, Gatherer, Listener
from traces.genai import TURN
from traces.own import OwnTracer
from traces.provider import CapturingProvider
from traces.span import Span

_DETACHING = logging.getLogger(otel_context.__name__)
_START = attrgetter("start")
_NAMED = 5
"""How many unfinished spans are named; the rest are counted."""


class Tracing:
    """Owns a tracer provider whose sampler and limits no environment variable can change, and collects its spans."""

    def __init__(self) -> None:
        self._gatherer = Gatherer()
        self._listener = Listener(self._gatherer)
        self._provider = CapturingProvider()
        self._provider.add_span_processor(self._listener)
        self._joined: trace.TracerProvider = self._provider
        self._doubt: str | None = None
        self.tracer = OwnTracer(InstrumentationScope("turngate"), self._provider.resource, self._gatherer.of)
        """For the spans of the harness and the sandbox."""

    def install(self) -> None:
        """Hear the agent's spans from now on: become the global provider if there is none, else join the one there.

        Called when a turn begins, so that an agent may still set a provider of its own on import and in its factory.
        Cheap to call again.
        """
        if trace.get_tracer_provider() is not self._joined:
            if isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider):
                trace.set_tracer_provider(self._provider)
            self._join()
        _DETACHING.addFilter(_wanted)

    def _join(self) -> None:
        """Add our collector to the SDK provider that the agent set, if it did."""
        current = trace.get_tracer_provider()
        if current is self._joined or isinstance(current, trace.ProxyTracerProvider):
            return
        self._joined = current
        if isinstance(current, TracerProvider):
            current.add_span_processor(self._listener)
            self._doubt = _doubt(current)
        else:
            self._doubt = f"the agent's tracer provider ({type(current).__name__}) is not of the OpenTelemetry SDK"

    def close(self) -> None:
        """Hear nothing more: leave the provider that was joined as it was before."""
        for provider in (self._provider, self._joined):
            if isinstance(provider, TracerProvider):
                _remove(self._listener, provider)

    def episode(self, name: str = "episode", attributes: Mapping[str, Any] | None = None) -> EpisodeTrace:
        """One trace, current within the `with`: a new trace id each time, whatever span is current outside."""
        self._join()
        root = self.tracer.start_span(name, Context(), attributes=attributes)
        return EpisodeTrace(self, root, self._gatherer.open(root.get_span_context().trace_id))

    def _close(self, root: trace.Span) -> str | None:
        self._gatherer.close(root.get_span_context().trace_id)
        return self._doubt


class EpisodeTrace:
    """The trace of one episode while it is played."""

    def __init__(self, tracing: Tracing, root: trace.Span, gathered: Gathered) -> None:
        self._tracing = tracing
        self._root = root
        self._below = trace.set_span_in_context(root, Context())
        self._current = root
        self._gathered = gathered
        self._finished: tuple[list[Span], str | None] | None = None
        self._lacks: list[str] = []
        self.trace_id = f"{root.get_span_context().trace_id:032x}"
        """32 hex digits."""

    def __enter__(self) -> Self:
        self._token = otel_context.attach(self._below)
        return self

    def __exit__(self, *_: object) -> None:
        otel_context.detach(self._token)
        self.finish()

    @property
    def traceparent(self) -> str:
        """The W3C header that makes a remote agent's spans join the turn (or the episode, between turns)."""
        return f"00-{self.trace_id}-{self._current.get_span_context().span_id:016x}-01"

    def turn(self, number: int) -> _TurnSpan:
        """The span of one turn, current within the `with`; an exception that leaves it is written on the span."""
        return _TurnSpan(self, number)

    def so_far(self) -> list[Span]:
        """The spans that have ended, in order of their start."""
        return sorted(self._gathered.ended, key=_START)

    def end(self) -> None:
        """End the episode's own span: what is still to come of other processes is no part of its time."""
        self._root.end()

    def join(self, spans: Iterable[Span]) -> None:
        """Take in spans of other processes, but those that are here already."""
        known = {span.span_id for span in self._gathered.ended}
        new = [span for span in spans if span.span_id not in known]
        self._gathered.ended += new
        self._gathered.cut += [span.dropped for span in new if span.dropped]

    def lacks(self, why: str) -> None:
        """Something of the trace is not there."""
        self._lacks.append(why)

    def finish(self) -> tuple[list[Span], str | None]:
        """End the episode's span: all finished spans in order of their start, and why the trace is not complete (None:
        it is). The same answer when called again.
        """
        if self._finished is None:
            self._root.end()
            doubt = self._tracing._close(self._root)
            gathered = self._gathered
            found = (_unfinished(gathered), _gaps(gathered), doubt, *self._lacks)
            reasons = [reason for reason in found if reason]
            self._finished = self.so_far(), "; ".join(reasons) or None
        return self._finished


class _TurnSpan:
    """A turn of an episode while it goes on."""

    def __init__(self, episode: EpisodeTrace, number: int) -> None:
        self._episode = episode
        self._number = number

    def __enter__(self) -> trace.Span:
        episode = self._episode
        episode._tracing.install()
        self._span = span = episode._tracing.tracer.start_span("turn", episode._below, attributes={TURN: self._number})
        episode._current = span
        self._token = otel_context.attach(trace.set_span_in_context(span))
        return span

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: object) -> None:
        if isinstance(error, Exception):
            self._span.record_exception(error)
            self._span.set_status(StatusCode.ERROR, f"{type(error).__name__}: {error}")
        otel_context.detach(self._token)
        self._span.end()
        self._episode._current = self._episode._root


def _remove(listener: Listener, provider: TracerProvider) -> None:
    """Take a listener off a provider, for which the SDK has no call: every run of a process would leave one more."""
    processors = provider._active_span_processor
    with processors._lock:
        processors._span_processors = tuple(each for each in processors._span_processors if each is not listener)


def _doubt(provider: TracerProvider) -> str | None:
    """Why spans made through the agent's own provider may not all be there."""
    if provider._disabled:
        return "the agent's tracer provider is disabled (OTEL_SDK_DISABLED)"
    if provider.sampler is ALWAYS_ON or isinstance(provider.sampler, ParentBased):
        return None
    return f"the agent's tracer provider samples its spans ({provider.sampler.get_description()})"


def _unfinished(gathered: Gathered) -> str | None:
    """Spans that were still running when the episode ended, by name."""
    names = [span.name for span in list(gathered.running.values())]
    if not names:
        return None
    listed = ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")
    return f"{len(names)} span(s) had not ended: {listed}"


def _gaps(gathered: Gathered) -> str | None:
    """What shows that something was cut off or never seen."""
    known: set[str | None] = {span.span_id for span in gathered.ended}
    known.add(None)
    orphans = [span.name for span in gathered.ended if span.parent_id not in known]
    reasons = []
    if cut := sum(gathered.cut):
        reasons.append(f"{cut} attribute(s) or event(s) were cut off by the limits of the agent's tracer provider")
    if orphans:
        reasons.append(f"the parent of {len(orphans)} span(s) was never seen: {', '.join(orphans[:_NAMED])}")
    return "; ".join(reasons) or None


def _wanted(record: logging.LogRecord) -> bool:
    """Leave out the complaint about a generator that was left early while a span was current: the span is whole."""
    return not record.getMessage().startswith("Failed to detach context")
