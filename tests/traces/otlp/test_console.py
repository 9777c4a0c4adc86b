import json

from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, Status, StatusCode

from traces.log_record import LogRecord
from traces.otlp.forms import records
from traces.plain import plain
from traces.span import Span, SpanEvent

TRACE, SPAN, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331", "00f067aa0ba902b7"


def test_the_text_of_a_span_of_the_python_sdk():
    exporter = InMemorySpanExporter()
    provider = TracerProvider(resource=Resource({"service.name": "shop"}))
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracer = provider.get_tracer("app")
    with tracer.start_as_current_span("turn") as turn:
        turn.set_status(Status(StatusCode.ERROR, "no such order"))
        turn.record_exception(ValueError("no such order"))
        with tracer.start_as_current_span("chat", kind=SpanKind.CLIENT, attributes={"n": 3, "tags": ["a", "b"]}):
            pass
    for finished in exporter.get_finished_spans():
        (found,) = records(json.loads(finished.to_json()))
        expected = plain(finished)
        assert found.resource["service.name"] == "shop"
        assert (found.trace_id, found.span_id, found.parent_id) == (
            expected.trace_id,
            expected.span_id,
            expected.parent_id,
        )
        assert (found.name, found.kind, found.status, found.status_text) == (
            expected.name,
            expected.kind,
            expected.status,
            expected.status_text,
        )
        assert found.attributes == expected.attributes
        assert [event.attributes for event in found.events] == [event.attributes for event in expected.events]
        assert abs(found.start - expected.start) <= 1000  # printed in microseconds


def test_a_log_record_of_the_python_sdk():
    printed = {
        "body": {"role": "user", "content": "Hello"},
        "severity_number": 9,
        "severity_text": "INFO",
        "attributes": {"event.name": "gen_ai.user.message"},
        "dropped_attributes": 0,
        "timestamp": "1970-01-01T00:00:01.000002Z",
        "observed_timestamp": "1970-01-01T00:00:02.000000Z",
        "trace_id": "0x" + TRACE,
        "span_id": "0x" + SPAN,
        "trace_flags": 1,
        "resource": {"attributes": {"service.name": "shop"}, "schema_url": ""},
        "event_name": "",
    }
    (found,) = records(printed)
    assert found == LogRecord(
        TRACE,
        SPAN,
        1_000_002_000,
        "gen_ai.user.message",
        {"role": "user", "content": "Hello"},
        {"event.name": "gen_ai.user.message"},
        {"service.name": "shop"},
        9,
    )


def test_the_text_of_a_span_of_the_go_sdk():
    printed = {
        "Name": "chat",
        "SpanContext": {"TraceID": TRACE, "SpanID": SPAN, "TraceFlags": "01", "TraceState": "", "Remote": False},
        "Parent": {"TraceID": TRACE, "SpanID": PARENT, "TraceFlags": "01", "TraceState": "", "Remote": True},
        "SpanKind": 3,
        "StartTime": "1970-01-01T01:00:00.000000001+01:00",
        "EndTime": "1970-01-01T00:00:02Z",
        "Attributes": [{"Key": "n", "Value": {"Type": "INT64", "Value": 3}}],
        "Events": [{"Name": "e", "Attributes": None, "DroppedAttributeCount": 0, "Time": "1970-01-01T00:00:01Z"}],
        "Links": [{"SpanContext": {"TraceID": TRACE, "SpanID": PARENT}, "Attributes": None}],
        "Status": {"Code": "Error", "Description": "no"},
        "DroppedAttributes": 1,
        "DroppedEvents": 0,
        "Resource": [{"Key": "service.name", "Value": {"Type": "STRING", "Value": "shop"}}],
        "InstrumentationScope": {"Name": "app", "Version": "", "SchemaURL": ""},
    }
    (found,) = records(printed)
    assert found == Span(
        TRACE,
        SPAN,
        PARENT,
        "chat",
        "client",
        1,
        2 * 10**9,
        {"n": 3},
        (SpanEvent("e", 10**9),),
        "error",
        "no",
        "app",
        {"service.name": "shop"},
        ((TRACE, PARENT),),
        1,
    )


def test_a_span_as_phoenix_exports_it():
    exported = {
        "name": "ChatOpenAI",
        "context": {"trace_id": TRACE, "span_id": SPAN},
        "span_kind": "LLM",
        "parent_id": None,
        "start_time": "1970-01-01T00:00:00.000001+00:00",
        "end_time": "1970-01-01T00:00:00.000002+00:00",
        "status_code": "OK",
        "status_message": "",
        "attributes": {"llm.model_name": "gpt-4o-mini"},
        "events": [],
    }
    (found,) = records([exported])
    assert found == Span(
        TRACE,
        SPAN,
        None,
        "ChatOpenAI",
        "unspecified",
        1000,
        2000,
        {"llm.model_name": "gpt-4o-mini", "openinference.span.kind": "LLM"},
        status="ok",
    )
