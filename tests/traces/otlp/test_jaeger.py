from traces.otlp.flaw import Flaw
from traces.otlp.forms import records
from traces.span import Span, SpanEvent

TRACE, SPAN, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331", "00f067aa0ba902b7"


def tag(key, value, kind="string"):
    return {"key": key, "type": kind, "value": value}


def span(**more):
    return {"traceID": TRACE, "spanID": SPAN, "operationName": "work", "startTime": 5, "duration": 2, **more}


def found(*spans, processes=None):
    return list(records({"data": [{"traceID": TRACE, "spans": list(spans), "processes": processes or {}}]}))


def test_a_trace_of_jaegers():
    (read,) = found(
        span(
            references=[
                {"refType": "CHILD_OF", "traceID": TRACE, "spanID": PARENT},
                {"refType": "FOLLOWS_FROM", "traceID": "1" * 32, "spanID": "2" * 16},
            ],
            tags=[
                tag("otel.scope.name", "app"),
                tag("span.kind", "client"),
                tag("otel.status_code", "ERROR"),
                tag("otel.status_description", "it failed"),
                tag("error", True, "bool"),
                tag("gen_ai.usage.input_tokens", "140", "int64"),
                tag("gen_ai.request.model", "gpt-4o-mini"),
            ],
            logs=[{"timestamp": 6, "fields": [tag("event", "exception"), tag("exception.type", "ValueError")]}],
            processID="p1",
        ),
        processes={"p1": {"serviceName": "shop", "tags": [tag("telemetry.sdk.language", "go")]}},
    )
    assert read == Span(
        TRACE,
        SPAN,
        PARENT,
        "work",
        "client",
        5000,
        7000,
        {"gen_ai.usage.input_tokens": 140, "gen_ai.request.model": "gpt-4o-mini"},
        (SpanEvent("exception", 6000, {"exception.type": "ValueError"}),),
        "error",
        "it failed",
        "app",
        {"telemetry.sdk.language": "go", "service.name": "shop"},
        (("1" * 32, "2" * 16),),
    )


def test_an_error_tag_alone_is_an_error():
    assert [read.status for read in found(span(tags=[tag("error", "true")]), span(tags=[]))] == ["error", "unset"]


def test_an_id_without_its_leading_zeros():
    assert found(span(traceID="f7651916cd43dd8448eb211c80319c"))[0].trace_id == "00f7651916cd43dd8448eb211c80319c"


def test_a_broken_span_is_told_and_the_rest_goes_in():
    broken, other, whole = found(span(startTime="soon"), 3, span())
    assert broken == Flaw("span 'work': 'soon' is no whole number")
    assert other == Flaw("span None: 3 is no object")
    assert whole.span_id == SPAN
