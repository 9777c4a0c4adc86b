"""Spans of our own keep what the OpenTelemetry API promises, as the SDK's do."""

from __future__ import annotations

import random

import pytest
from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from opentelemetry.trace import SpanKind, Status, StatusCode

from traces.gather import Gatherer, Listener
from traces.own import OwnTracer


@pytest.fixture
def gatherer():
    return Gatherer()


@pytest.fixture
def tracer(gatherer):
    return OwnTracer(InstrumentationScope("ours"), Resource({}), gatherer.of)


def gathered(tracer, gatherer, work):
    """The spans that end below a root while the work is done with a child of it."""
    root = tracer.start_span("root", Context())
    found = gatherer.open(root.get_span_context().trace_id)
    child = tracer.start_span("child", trace.set_span_in_context(root), SpanKind.CLIENT, {"a": 1})
    work(child)
    child.end()
    return found


def everything(span):
    span.set_attribute("b", (1, 2))
    span.set_attributes({"c": {"d": b"\x00"}})
    span.add_event("note", {"n": 1}, timestamp=7)
    span.update_name("renamed")
    span.record_exception(KeyError("O-1"), {"more": True})
    span.set_status(Status(StatusCode.ERROR, "no such order"))


def test_a_span_is_the_same_data_as_the_sdks(tracer, gatherer):
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(Listener(gatherer))
    (own,) = gathered(tracer, gatherer, everything).ended
    (sdk,) = [span for span in gathered(provider.get_tracer("ours"), gatherer, everything).ended if span.parent_id]

    def comparable(span):
        events = [(event.name, {**event.attributes, "exception.stacktrace": ""}) for event in span.events]
        return span.name, span.kind, span.attributes, events, span.status, span.status_text, span.scope

    assert comparable(own) == comparable(sdk)
    assert own.events[0].time == 7
    assert 0 < own.start <= own.end
    assert (len(own.trace_id), len(own.span_id), len(own.parent_id)) == (32, 16, 16)


def test_once_ended_it_is_handed_over_once_and_nothing_is_changed(tracer, gatherer):
    found = gathered(tracer, gatherer, lambda span: span.end(end_time=9))
    (before,) = found.ended
    assert before.end == 9
    kept = []
    found = gathered(tracer, gatherer, kept.append)
    everything(kept[0])
    kept[0].end()
    (after,) = found.ended
    assert (after.name, after.attributes, after.events, after.status) == ("child", {"a": 1}, (), "unset")
    assert not kept[0].is_recording()


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ([(StatusCode.ERROR, "first"), (StatusCode.ERROR, "second")], ("error", "second")),
        ([(StatusCode.OK, None), (StatusCode.ERROR, "late")], ("ok", "")),
        ([(StatusCode.ERROR, "kept"), (StatusCode.UNSET, None)], ("error", "kept")),
    ],
)
def test_ok_is_final_and_unset_changes_nothing(tracer, gatherer, given, kept):
    (span,) = gathered(tracer, gatherer, lambda span: [span.set_status(*status) for status in given]).ended
    assert (span.status, span.status_text) == kept


def test_it_runs_until_it_ends(tracer, gatherer):
    running = []
    found = gathered(tracer, gatherer, lambda span: running.append(dict(found_of(gatherer, span).running)))
    assert [span.name for span in running[0].values()] == ["child"]
    assert found.running == {}


def found_of(gatherer, span):
    return gatherer.of(span.get_span_context().trace_id)


def test_ids_differ_though_an_agent_seeds_the_random_numbers(tracer):
    ids = set()
    for _ in range(3):
        random.seed(1)
        context = tracer.start_span("root", Context()).get_span_context()
        assert context.is_valid
        assert context.trace_flags.sampled
        ids |= {context.trace_id, context.span_id}
    assert len(ids) == 6


def test_it_is_current_within_a_with_and_ends_with_its_error(tracer, gatherer):
    root = tracer.start_span("root", Context())
    found = gatherer.open(root.get_span_context().trace_id)
    names = []

    def fail():
        names.append(trace.get_current_span().name)
        raise ValueError("lost")

    with pytest.raises(ValueError, match="lost"), tracer.start_as_current_span("work", trace.set_span_in_context(root)):
        fail()
    assert names == ["work"]
    (span,) = found.ended
    assert (span.status, span.status_text, span.events[0].name) == ("error", "ValueError: lost", "exception")
