"""The tracer provider that agents find where they set none: nothing in the environment samples, cuts or disables it."""

from __future__ import annotations

from opentelemetry import trace
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanLimits, SpanProcessor, SynchronousMultiSpanProcessor, TracerProvider
from opentelemetry.sdk.trace.sampling import ALWAYS_ON
from opentelemetry.sdk.util.instrumentation import InstrumentationScope

from traces.gather import Gathered, Gatherer, Listener
from traces.own import Attributes, OwnTracer


class CapturingProvider(TracerProvider):
    """A provider of the SDK, but that its spans are light ones for as long as nobody but listeners of ours hears them.
    An agent may add span processors like to any other.
    """

    def __init__(self) -> None:
        everything = SpanLimits.UNSET
        self._hearers = _Hearers()
        super().__init__(
            sampler=ALWAYS_ON,
            resource=Resource({"service.name": "turngate"}),
            shutdown_on_exit=False,
            active_span_processor=self._hearers,
            span_limits=SpanLimits(*[everything] * 8),
        )
        self._disabled = False  # OTEL_SDK_DISABLED is about production telemetry; here spans are the evidence

    def get_tracer(
        self,
        instrumenting_module_name: str,
        instrumenting_library_version: str | None = None,
        schema_url: str | None = None,
        attributes: Attributes = None,
    ) -> trace.Tracer:
        """The tracer of a library."""
        named = (instrumenting_module_name or "", instrumenting_library_version, schema_url, attributes)
        return _Tracer(InstrumentationScope(*named), self.resource, self._hearers, super().get_tracer(*named))


class _Hearers(SynchronousMultiSpanProcessor):
    """Everybody who hears a provider's spans. `are_ours`: whether all of them are listeners."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._seen: tuple[SpanProcessor, ...] = ()
        self._are_ours = True
        self._gatherers: list[Gatherer] = []

    @property
    def are_ours(self) -> bool:
        """Whether all of them are listeners."""
        if self._seen is not self._span_processors:
            self._look()
        return self._are_ours

    def gathered(self, trace_id: int) -> Gathered | None:
        """What one of the listeners gathers of a trace."""
        if self._seen is not self._span_processors:
            self._look()
        for gatherer in self._gatherers:
            if (gathered := gatherer.of(trace_id)) is not None:
                return gathered
        return None

    def _look(self) -> None:
        """They change seldom, and by a new tuple each time; asked for they are with every span."""
        seen = self._span_processors
        self._gatherers = [each.gatherer for each in seen if type(each) is Listener]
        self._are_ours = len(self._gatherers) == len(seen)
        self._seen = seen


class _Tracer(OwnTracer):
    """Makes light spans, or those of the SDK's tracer where somebody else hears them too."""

    def __init__(self, scope: InstrumentationScope, resource: Resource, hearers: _Hearers, sdk: trace.Tracer) -> None:
        super().__init__(scope, resource, hearers.gathered)
        self._hearers = hearers
        self._sdk = sdk

    @property
    def full(self) -> trace.Tracer | None:
        """The SDK's tracer where it is to make the spans."""
        return None if self._hearers.are_ours else self._sdk
