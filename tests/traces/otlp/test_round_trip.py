import io
import json
import math

import pytest
from hypothesis import given

from tests.traces.otlp.trees import RECORDS
from traces.log_record import LogRecord
from traces.otlp import lines, protobuf
from traces.otlp.forms import records
from traces.otlp.json_lines import values
from traces.span import Span


def exact(record):
    """All of it as text: 1, 1.0 and True differ, and so do 0.0 and -0.0."""
    return repr(record)


def as_json(found):
    return [record for _, value in values(io.BytesIO(b"".join(lines(found)))) for record in records(value)]


def as_protobuf(found):
    spans = [record for record in found if isinstance(record, Span)]
    logs = [record for record in found if isinstance(record, LogRecord)]
    return [*protobuf.spans(protobuf.traces_data(spans)), *protobuf.log_records(protobuf.logs_data(logs))]


@given(RECORDS)
def test_any_span_tree_survives_json(found):
    assert sorted(map(exact, as_json(found))) == sorted(map(exact, found))


@given(RECORDS)
def test_any_span_tree_survives_protobuf(found):
    """But for lone surrogates, which UTF-8 has no bytes for."""
    assert sorted(map(exact, as_protobuf(found))) == sorted(
        exact(record).replace("\\ud800", "\ufffd" * 3) for record in found
    )


@pytest.mark.parametrize("way", [as_json, as_protobuf])
@pytest.mark.parametrize(
    ("value", "read"),
    [(2**63, str(2**63)), (-(2**63) - 1, str(-(2**63) - 1)), (math.nan, "nan"), (-math.inf, "-inf"), ((1, 2), [1, 2])],
)
def test_what_otlp_has_no_word_for_becomes_text(way, value, read):
    (span,) = way([Span("1" * 32, "2" * 16, None, "", "internal", 0, 0, {"it": value})])
    assert span.attributes == {"it": read}


@pytest.mark.parametrize("way", [as_json, as_protobuf])
@pytest.mark.parametrize("depth", [60, 400])
def test_what_is_nested_too_deep_for_protobuf_becomes_text(way, depth):
    deep = "x"
    for _ in range(depth):
        deep = {"in": deep}
    (span,) = way([Span("1" * 32, "2" * 16, None, "", "internal", 0, 0, {"it": deep})])
    inner = span.attributes["it"]
    while isinstance(inner, dict):
        inner = inner["in"]
    assert json.loads(inner)["in"]["in"]["in"]


def test_lines_hold_one_signal_and_so_many_records_each():
    span = Span("1" * 32, "2" * 16, None, "", "internal", 0, 0)
    log = LogRecord(None, None, 1, "it")
    written = [json.loads(line) for line in lines([span, log] * 600)]
    assert [list(document) for document in written] == [["resourceSpans"], ["resourceLogs"]] * 2


def test_one_request_holds_each_resource_and_scope_once():
    spans = [
        Span("1" * 32, f"{n:016x}", None, "", "internal", 0, 0, scope=f"s{n % 2}", resource={"n": n // 4})
        for n in range(1, 9)
    ]
    (line,) = lines(spans)
    groups = json.loads(line)["resourceSpans"]
    assert [[scope["scope"]["name"] for scope in group["scopeSpans"]] for group in groups] == [
        ["s1", "s0"],
        ["s0", "s1"],
        ["s0"],
    ]


@given(RECORDS)
def test_a_request_of_either_signal_is_told_by_what_is_in_it(found):
    spans = [record for record in found if isinstance(record, Span)]
    logs = [record for record in found if isinstance(record, LogRecord)]
    assert sorted(map(exact, protobuf.records(protobuf.traces_data(spans)))) == sorted(
        map(exact, protobuf.spans(protobuf.traces_data(spans)))
    )
    assert sorted(map(exact, protobuf.records(protobuf.logs_data(logs)))) == sorted(
        map(exact, protobuf.log_records(protobuf.logs_data(logs)))
    )


@pytest.mark.parametrize("body", [b"no request", b"\x0a\xff\xff", b"\x0a\x03\x12\x01\xff"])
def test_what_is_no_request_is_told(body):
    with pytest.raises(ValueError, match="no OTLP request in protobuf"):
        list(protobuf.records(body))
