"""Light spans are to an agent what the SDK's are: the same evidence, the same things to read, the same ways to use."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor
from opentelemetry.sdk.trace import Span as SdkSpan
from opentelemetry.trace import SpanKind, Status, StatusCode

from traces.gather import Gatherer, Listener
from traces.own import OwnSpan
from traces.provider import CapturingProvider


class Heard(SpanProcessor):
    """A processor of an agent's own."""

    def __init__(self):
        self.names = []

    def on_end(self, span):
        self.names.append(span.name)


@pytest.fixture
def gatherer():
    return Gatherer()


@pytest.fixture
def provider(gatherer):
    return listened(gatherer)


def listened(gatherer):
    provider = CapturingProvider()
    provider.add_span_processor(Listener(gatherer))
    return provider


ATTRIBUTES = st.dictionaries(
    st.text(max_size=3),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.just(object),
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
        max_leaves=4,
    ),
    max_size=3,
)
STATUS = st.sampled_from([Status(StatusCode.OK), Status(StatusCode.ERROR, "no"), StatusCode.UNSET, StatusCode.ERROR])
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("set_attributes"), ATTRIBUTES),
        st.tuples(st.just("set_attribute"), st.text(max_size=3), st.floats() | st.lists(st.text(), max_size=2)),
        st.tuples(st.just("add_event"), st.text(), ATTRIBUTES, st.integers(0, 9)),
        st.tuples(st.just("update_name"), st.text()),
        st.tuples(st.just("set_status"), STATUS),
        st.tuples(st.just("end"), st.integers(5, 9)),
    ),
    max_size=5,
)


def in_order(attributes):
    return [(name, attributes[name]) for name in sorted(attributes)]


def evidence(gatherer, provider, attributes, kind, steps, error):
    """What is gathered of a span with which all this is done."""
    tracer = provider.get_tracer("agent", "1.0")
    with tracer.start_as_current_span("root") as root:
        gathered = gatherer.open(root.get_span_context().trace_id)
        with suppress(KeyError), tracer.start_span("work", None, kind, attributes, None, 3) as span:
            for step, *arguments in steps:
                getattr(span, step)(*arguments)
            status = span.status.status_code, span.status.description
            read = span.name, span.kind, span.start_time, in_order(span.attributes), status, span.dropped_attributes
            if error:
                raise KeyError("O-1")
    (found,) = [one for one in gathered.ended if one.parent_id]
    return (
        read,
        (found.name, found.kind, found.start, in_order(found.attributes), found.status, found.status_text, found.scope),
        [(event.name, {**event.attributes, "exception.stacktrace": ""}) for event in found.events],
        gathered.cut,
    )


@given(ATTRIBUTES, st.sampled_from(SpanKind), STEPS, st.booleans())
def test_a_light_span_reads_and_ends_as_the_sdks_does(attributes, kind, steps, error):
    gatherer = Gatherer()
    light, full = listened(gatherer), listened(gatherer)
    full.add_span_processor(Heard())
    given = (attributes, kind, steps, error)
    assert repr(evidence(gatherer, light, *given)) == repr(evidence(gatherer, full, *given))


def test_spans_are_light_only_until_somebody_else_wants_to_hear_them(provider):
    tracer = provider.get_tracer("agent")
    light = tracer.start_span("before")
    assert isinstance(light, OwnSpan)
    assert isinstance(light, ReadableSpan)
    heard = Heard()
    provider.add_span_processor(heard)
    with tracer.start_as_current_span("after") as span:
        assert isinstance(span, SdkSpan)
    assert heard.names == ["after"]


def test_a_light_span_says_what_it_belongs_to(provider):
    tracer = provider.get_tracer("agent", "1.0")
    with tracer.start_as_current_span("above") as above, tracer.start_as_current_span("below") as below:
        assert trace.get_current_span() is below
    assert below.parent == above.get_span_context()
    assert below.context.trace_id == above.context.trace_id
    assert (below.instrumentation_scope.name, below.instrumentation_scope.version) == ("agent", "1.0")
    assert below.resource.attributes["service.name"] == "turngate"
    assert below.start_time <= below.end_time
    assert json.loads(below.to_json())["parent_id"] == f"0x{above.context.span_id:016x}"


def test_links_can_be_read(provider):
    tracer = provider.get_tracer("agent")
    other, another = tracer.start_span("other"), tracer.start_span("another")
    span = tracer.start_span("work", links=[trace.Link(other.get_span_context())])
    span.add_link(another.get_span_context(), {"why": "retry"})
    assert [link.context for link in span.links] == [other.context, another.context]
    assert span.links[1].attributes == {"why": "retry"}


def test_what_was_given_can_be_changed_afterwards_without_harm(provider, gatherer):
    given = ["a"]
    tracer = provider.get_tracer("agent")
    with tracer.start_as_current_span("root") as root:
        gathered = gatherer.open(root.get_span_context().trace_id)
        span = tracer.start_span("work", attributes={"list": given})
        span.add_event("note", {"list": given})
        given.append("b")
        span.end()
    assert gathered.ended[0].attributes == {"list": ["a"]}
    assert gathered.ended[0].events[0].attributes == {"list": ["a"]}


def test_a_function_can_be_decorated_be_it_async_or_not(provider, gatherer):
    tracer = provider.get_tracer("agent")

    @tracer.start_as_current_span("sync")
    def sync():
        return trace.get_current_span().name

    @tracer.start_as_current_span("async")
    async def coroutine():
        await asyncio.sleep(0)
        return trace.get_current_span().name

    with tracer.start_as_current_span("root") as root:
        gathered = gatherer.open(root.get_span_context().trace_id)
        assert sync() == "sync"
        assert asyncio.run(coroutine()) == "async"
    assert [span.name for span in gathered.ended] == ["sync", "async", "root"]
