import base64

import pytest

from traces.log_record import LogRecord
from traces.otlp.flaw import Flaw
from traces.otlp.forms import records
from traces.span import Span, SpanEvent

TRACE, SPAN, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331", "00f067aa0ba902b7"


def otlp(*spans, resource=(), scope="app"):
    return {
        "resourceSpans": [
            {
                "resource": {"attributes": list(resource)},
                "scopeSpans": [{"scope": {"name": scope}, "spans": list(spans)}],
            }
        ]
    }


def logs(*found):
    return {"resourceLogs": [{"scopeLogs": [{"logRecords": list(found)}]}]}


def raw(**more):
    return {"traceId": TRACE, "spanId": SPAN, "name": "work", **more}


def one(document):
    (found,) = records(document)
    return found


def attribute(value):
    return one(otlp(raw(attributes=[{"key": "it", "value": value}]))).attributes["it"]


def test_a_span_in_the_words_of_the_specification():
    span = one(
        otlp(
            {
                "traceId": TRACE.upper(),
                "spanId": SPAN.upper(),
                "parentSpanId": PARENT,
                "name": "chat gpt",
                "kind": 3,
                "startTimeUnixNano": "1795990683604000000",
                "endTimeUnixNano": 1795990683736199816,
                "attributes": [{"key": "a", "value": {"stringValue": "b"}}],
                "events": [{"name": "exception", "timeUnixNano": "5", "attributes": [{"key": "n", "value": {}}]}],
                "links": [{"traceId": TRACE, "spanId": PARENT}],
                "status": {"code": 2, "message": "it failed"},
                "droppedAttributesCount": 2,
                "droppedEventsCount": 1,
            },
            resource=[{"key": "service.name", "value": {"stringValue": "shop"}}],
        )
    )
    assert span == Span(
        TRACE,
        SPAN,
        PARENT,
        "chat gpt",
        "client",
        1795990683604000000,
        1795990683736199816,
        {"a": "b"},
        (SpanEvent("exception", 5, {"n": None}),),
        "error",
        "it failed",
        "app",
        {"service.name": "shop"},
        ((TRACE, PARENT),),
        3,
    )


@pytest.mark.parametrize(
    "written",
    [
        TRACE,
        TRACE.upper(),
        "0x" + TRACE,
        f"{TRACE[:8]}-{TRACE[8:12]}-{TRACE[12:16]}-{TRACE[16:20]}-{TRACE[20:]}",
        base64.b64encode(bytes.fromhex(TRACE)).decode(),
        base64.urlsafe_b64encode(bytes.fromhex(TRACE)).decode().rstrip("="),
        list(bytes.fromhex(TRACE)),
        {"type": "Buffer", "data": list(bytes.fromhex(TRACE))},
        int(TRACE, 16),
    ],
)
def test_a_trace_id_however_it_is_written(written):
    assert one(otlp(raw(traceId=written))).trace_id == TRACE


def test_a_short_id_has_lost_its_leading_zeros():
    assert one(otlp(raw(spanId="f067aa0ba902b7"))).span_id == PARENT


@pytest.mark.parametrize("parent", ["", None, "0" * 16, "AAAAAAAAAAA=", []])
def test_a_root_however_it_is_written(parent):
    assert one(otlp(raw(parentSpanId=parent))).parent_id is None


@pytest.mark.parametrize(
    ("more", "what"),
    [
        ({"traceId": ""}, "it has no trace id"),
        ({"spanId": "0" * 16}, "it has no span id"),
        ({"traceId": "mine"}, "'mine' is no trace id, which is 32 hex digits or 16 bytes in base64"),
        ({"startTimeUnixNano": "soon"}, "'soon' is no whole number"),
        ({"startTimeUnixNano": -1}, "-1 is no time"),
        ({"kind": "SPAN_KIND_ODD"}, "'SPAN_KIND_ODD' is none of unspecified, internal"),
        ({"attributes": "a=b"}, "attributes are a list, not 'a=b'"),
        ({"attributes": ["a"]}, "'a' is no attribute, which has a `key` and a `value`"),
        ({"events": {"name": "x"}}, "`events` is no list of objects"),
    ],
)
def test_a_broken_span_is_told_and_the_rest_goes_in(more, what):
    broken, whole = records(otlp(raw(**more), raw()))
    assert isinstance(broken, Flaw)
    assert broken.what.startswith("span 'work': ")
    assert what in broken.what
    assert isinstance(whole, Span)


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        ({"stringValue": "x"}, "x"),
        ({"stringValue": '[{"role":"us'}, '[{"role":"us'),
        ({"boolValue": False}, False),
        ({"boolValue": "true"}, True),
        ({"intValue": "9223372036854775807"}, 2**63 - 1),
        ({"intValue": 140}, 140),
        ({"intValue": {"low": -1, "high": 0, "unsigned": False}}, 2**32 - 1),
        ({"intValue": "many"}, "many"),
        ({"doubleValue": 0.5}, 0.5),
        ({"doubleValue": 5}, 5.0),
        ({"doubleValue": "NaN"}, "nan"),
        ({"doubleValue": "-Infinity"}, "-inf"),
        ({"bytesValue": "AQI="}, "AQI="),
        ({"bytesValue": [1, 2]}, "AQI="),
        ({}, None),
        ({"stringValue": None}, None),
        (None, None),
        ({"arrayValue": {}}, []),
        ({"arrayValue": {"values": [{"stringValue": "x"}, {}, {"intValue": "1"}]}}, ["x", None, 1]),
        ({"kvlistValue": {}}, {}),
        (
            {"kvlistValue": {"values": [{"key": "a", "value": {"arrayValue": {"values": [{"boolValue": True}]}}}]}},
            {"a": [True]},
        ),
        ({"string_value": "x"}, "x"),
        ({"kvlist_value": {"values": [{"key": "trace_id", "value": {"int_value": "3"}}]}}, {"trace_id": 3}),
        ("bare", "bare"),
        ({"unknown": 1}, {"unknown": 1}),
    ],
)
def test_a_value_of_every_kind(value, plain):
    found = attribute(value)
    assert found == plain
    assert type(found) is type(plain)


def test_snake_case_and_the_names_of_enums():
    document = {
        "resource_spans": [
            {
                "resource": {"attributes": [{"key": "service.name", "value": {"string_value": "shop"}}]},
                "scope_spans": [
                    {
                        "scope": {"name": "lib"},
                        "spans": [
                            {
                                "trace_id": TRACE,
                                "span_id": SPAN,
                                "parent_span_id": PARENT,
                                "name": "work",
                                "kind": "SPAN_KIND_CLIENT",
                                "start_time_unix_nano": "1",
                                "end_time_unix_nano": "2",
                                "status": {"code": "STATUS_CODE_ERROR"},
                                "events": [{"time_unix_nano": "3", "name": "e"}],
                                "links": [{"trace_id": TRACE, "span_id": PARENT}],
                                "dropped_attributes_count": 4,
                            }
                        ],
                    }
                ],
            }
        ]
    }
    assert one(document) == Span(
        TRACE,
        SPAN,
        PARENT,
        "work",
        "client",
        1,
        2,
        events=(SpanEvent("e", 3),),
        status="error",
        scope="lib",
        resource={"service.name": "shop"},
        links=((TRACE, PARENT),),
        dropped=4,
    )


def test_a_log_record():
    record = one(
        logs(
            {
                "timeUnixNano": "7",
                "severityNumber": 9,
                "eventName": "gen_ai.choice",
                "body": {"kvlistValue": {"values": [{"key": "index", "value": {"intValue": 0}}]}},
                "traceId": TRACE,
                "spanId": SPAN,
            }
        )
    )
    assert record == LogRecord(TRACE, SPAN, 7, "gen_ai.choice", {"index": 0}, severity=9)


def test_a_log_record_of_an_older_sdk():
    named = [{"key": "event.name", "value": {"stringValue": "gen_ai.user.message"}}]
    record = one(logs({"observedTimeUnixNano": "8", "severityNumber": "SEVERITY_NUMBER_WARN2", "attributes": named}))
    assert record == LogRecord(
        None, None, 8, "gen_ai.user.message", attributes={"event.name": "gen_ai.user.message"}, severity=14
    )


@pytest.mark.parametrize(
    "wrap", [lambda it: {"trace": it}, lambda it: {"result": it}, lambda it: [it], lambda it: [[it]]]
)
def test_what_query_interfaces_wrap_it_in(wrap):
    assert one(wrap(otlp(raw()))).span_id == SPAN


def test_batches_of_tempo_and_the_names_of_old_versions():
    document = {
        "batches": [{"instrumentationLibrarySpans": [{"instrumentationLibrary": {"name": "lib"}, "spans": [raw()]}]}]
    }
    assert one(document).scope == "lib"


def test_a_bare_span():
    assert one(raw(attributes={"a": [1, float("nan")]})).attributes == {"a": [1, "nan"]}


@pytest.mark.parametrize("empty", [{"resourceSpans": []}, {"resourceSpans": [{}]}, {"resourceMetrics": [{}]}, {}, []])
def test_empty_requests_and_metrics_hold_nothing_and_are_not_wrong(empty):
    assert list(records(empty)) == []


@pytest.mark.parametrize(
    ("document", "what"),
    [
        ({"a": 1, "b": 2}, "no spans and no log records: an object of 'a, b'"),
        (3, "no spans and no log records: 3"),
        ({"resourceSpans": {}}, "`resourceSpans` is no list"),
        ({"resourceSpans": [1]}, "`resourceSpans` holds 1, which is no object"),
        ({"resourceSpans": [{"resource": 1}]}, "`resource` can't be read: 1 is no object"),
    ],
)
def test_what_is_no_telemetry_is_told(document, what):
    assert one(document).what.startswith(what)


def test_nesting_without_end_is_told():
    deep = {"stringValue": "x"}
    for _ in range(2000):
        deep = {"arrayValue": {"values": [deep]}}
    broken, whole = records(otlp(raw(attributes=[{"key": "a", "value": deep}]), raw()))
    assert broken == Flaw("span 'work': nested too deeply")
    assert whole.span_id == SPAN
