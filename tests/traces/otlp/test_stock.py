"""Held against what the OpenTelemetry SDK and protobuf write by themselves."""

import pytest
from google.protobuf.json_format import MessageToDict
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.proto.trace.v1.trace_pb2 import TracesData
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import Link, SpanKind, Status, StatusCode

from tests.traces.otlp.trees import SPANS
from traces.otlp import protobuf
from traces.otlp.forms import records
from traces.plain import plain


@pytest.fixture
def finished():
    exporter = InMemorySpanExporter()
    provider = TracerProvider(resource=Resource({"service.name": "shop"}))
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracer = provider.get_tracer("app")
    with tracer.start_as_current_span("turn", attributes={"a": True, "b": 1.5, "c": ["x", "y"], "d": 2**40}) as turn:
        with tracer.start_as_current_span("chat", kind=SpanKind.CLIENT, links=[Link(turn.get_span_context())]) as chat:
            chat.add_event("first token", {"n": 1})
            chat.set_status(Status(StatusCode.ERROR, "cut off"))
        with tracer.start_as_current_span("execute_tool") as tool:
            tool.set_status(StatusCode.OK)
    return exporter.get_finished_spans()


def test_what_the_stock_exporter_sends_is_what_is_captured_in_process(finished):
    sent = list(protobuf.records(encode_spans(finished).SerializeToString()))
    for read, span in zip(sent, finished, strict=True):
        assert read.resource["service.name"] == "shop"
        read.resource = {}
        read.links = ()  # not kept of spans in process
        assert read == plain(span)
    (link,) = next(iter(protobuf.records(encode_spans(finished[:1]).SerializeToString()))).links
    assert link == (f"{finished[2].context.trace_id:032x}", f"{finished[2].context.span_id:016x}")


@pytest.mark.parametrize("names", [True, False], ids=["snake", "camel"])
@given(spans=st.lists(SPANS, max_size=4))
def test_the_json_that_protobuf_writes_by_itself(names, spans):
    """Ids in base64, enums by name."""
    packed = protobuf.traces_data(spans)
    dumped = MessageToDict(TracesData.FromString(packed), preserving_proto_field_name=names)
    assert sorted(map(repr, records(dumped))) == sorted(map(repr, protobuf.spans(packed)))
