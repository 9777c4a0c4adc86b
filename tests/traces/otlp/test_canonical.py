"""What is decoded into types at once is what the reader of everything makes of it."""

import json

import pytest
from hypothesis import given

from tests.traces.otlp.trees import RECORDS
from traces.json_text import loads
from traces.otlp import canonical, lines
from traces.otlp.forms import records, told
from traces.span import Span

IDS = {"traceId": "ab" * 16, "spanId": "12" * 8}
LARGEST = 2**63 - 1


def request(*spans, **beside):
    return {"resourceSpans": [{"scopeSpans": [{"spans": list(spans)}], **beside}]}


def with_value(value):
    return request({**IDS, "attributes": [{"key": "it", "value": value}]})


def exact(found):
    """All of it as text: 1, 1.0 and True differ."""
    return list(map(repr, found))


@given(RECORDS)
def test_any_spans_are_what_the_reader_of_everything_makes_of_them(found):
    for line in lines([record for record in found if isinstance(record, Span)]):
        assert exact(told(line)) == exact(records(loads(line)))


@pytest.mark.parametrize(
    "value",
    [
        {"stringValue": "O-1"},
        {"stringValue": ""},
        {"intValue": "443"},
        {"intValue": 443},
        {"intValue": str(LARGEST)},
        {"intValue": -LARGEST - 1},
        {"boolValue": False},
        {"doubleValue": 0},
        {"doubleValue": 0.5},
        {"doubleValue": "NaN"},
        {"arrayValue": {"values": [{"stringValue": "stop"}, {"intValue": "2"}, {}]}},
        {"arrayValue": {}},
        {"kvlistValue": {"values": [{"key": "a", "value": {"boolValue": True}}]}},
        {"bytesValue": "AAE="},
        {},
        {"stringValue": None},
        {"stringValue": None, "intValue": "5"},
        {"intValue": None, "doubleValue": 1.5},
        {"kvlistValue": None},
        {"arrayValue": {"values": [{"stringValue": None, "intValue": "1"}, {"stringValue": None}]}},
    ],
)
def test_values_of_every_kind(value):
    text = json.dumps(with_value(value)).encode()
    assert exact(canonical.spans(text)) == exact(records(loads(text)))


@pytest.mark.parametrize(
    "document",
    [
        with_value({"stringValue": 5}),
        with_value({"string_value": "x"}),
        with_value({"intValue": "12.0"}),
        with_value({"intValue": 12.0}),
        with_value({"intValue": 12.5}),
        with_value({"intValue": " 12 "}),
        with_value({"intValue": "1_000"}),
        with_value({"intValue": str(2**70)}),
        with_value({"intValue": True}),
        with_value({"intValue": {"low": 5, "high": 1}}),
        with_value({"boolValue": "true"}),
        with_value({"boolValue": 1}),
        with_value({"doubleValue": "1.5"}),
        with_value({"doubleValue": "many"}),
        with_value("bare"),
        with_value(None),
        with_value({"newValue": 1}),
        with_value({"kvlistValue": {"a": 1}}),
        with_value({"arrayValue": [1, 2]}),
        request({**IDS, "attributes": {"it": 1}}),
        request({**IDS, "attributes": [{"value": {"stringValue": "x"}}]}),
        request({**IDS, "attributes": [{"key": "it"}]}),
        request({**IDS, "attributes": [{"key": "it", "value": {"stringValue": "x"}}] * 2}),
        request({**IDS, "attributes": None}),
        request({**IDS, "name": None, "kind": "SPAN_KIND_CLIENT"}),
        request({**IDS, "name": 5, "kind": 3}),
        request({**IDS, "kind": 77}, IDS),
        request({**IDS, "startTimeUnixNano": "5", "endTimeUnixNano": 6.0}),
        request({**IDS, "startTimeUnixNano": "2026-11-02T10:00:00Z", "endTimeUnixNano": -1}),
        request({**IDS, "startTimeUnixNano": {"low": 1, "high": 2}}),
        request({**IDS, "parentSpanId": ""}),
        request({"traceId": "AB" * 16, "spanId": "12" * 8, "parentSpanId": "0" * 16}),
        request({"traceId": "q6urq6urq6urq6urq6urqw==", "spanId": "EhISEhISEhI="}),
        request({"traceId": "0" * 32, "spanId": "12" * 8}, IDS),
        request({"spanId": "12" * 8}),
        request({"trace_id": "ab" * 16, "span_id": "12" * 8}),
        request({**IDS, "unheard": 1}),
        request({**IDS, "flags": 257, "traceState": "a=b", "droppedLinksCount": 3, "droppedEventsCount": "2"}),
        request({**IDS, "status": {"code": 2, "message": "late"}}, {**IDS, "status": {"code": "STATUS_CODE_OK"}}),
        request({**IDS, "status": {}}, {**IDS, "status": "ERROR"}, {**IDS, "status": None}),
        request({**IDS, "events": [{"name": "e", "timeUnixNano": "1", "attributes": []}], "links": [IDS]}),
        request({**IDS, "events": {}}, {**IDS, "links": [1]}),
        request(IDS, "no span"),
        request(IDS, resource={"attributes": [{"key": "service.name", "value": {"stringValue": "shop"}}]}),
        request(IDS, resource={"attributes": {"service.name": "shop"}}),
        request(IDS, resource={"attributes": 5}),
        request(IDS, resource=None, schemaUrl="https://opentelemetry.io/schemas/1.37.0"),
        request(IDS, instrumentationLibrarySpans=[]),
        {"resourceSpans": [{"scopeSpans": [{"scope": {"name": "app", "version": "1"}, "spans": [IDS]}]}]},
        {"resourceSpans": [{"scopeSpans": [{"scope": {"name": None}, "spans": [IDS]}]}]},
        {"resourceSpans": [{"scopeSpans": [{"scope": "app", "spans": [IDS]}]}]},
        {"resourceSpans": [{"scopeSpans": None}]},
        {"resourceSpans": None},
        {"resourceSpans": []},
        {"resourceSpans": [], "resourceLogs": []},
        {},
        [],
    ],
)
def test_what_is_written_otherwise_is_read_as_well(document):
    text = json.dumps(document).encode()
    assert exact(told(text)) == exact(records(loads(text)))


@pytest.mark.parametrize("text", [b'{"resourceSpans": [', b"\xff", b"{}{}", b'{"resourceSpans": [{"resource": NaN}]}'])
def test_what_is_no_json_is_left_to_the_reader_of_everything(text):
    assert canonical.spans(text) is None


def test_depth_is_no_fault_of_this_reader():
    parts = ['{"arrayValue": {"values": ['] * 5_000 + ["{}"] + ["]}}"] * 5_000
    text = json.dumps(with_value("@")).replace('"@"', "".join(parts)).encode()
    assert canonical.spans(text) is None
