"""Broken and hostile content is told, never raised."""

import io
import json
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from tests.traces.otlp.trees import RECORDS
from traces.log_record import LogRecord
from traces.otlp import BadLine, lines, protobuf, read_file
from traces.otlp.flaw import Flaw
from traces.otlp.forms import records
from traces.otlp.json_lines import values
from traces.span import Span

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
ODD = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=4)
    | st.sampled_from([TRACE, SPAN, "0x1"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["key", "value", "values", "data", "stringValue", "kvlistValue", "low", "high"]), inner
        )
    ),
    max_leaves=5,
)


def with_odd(names, **whole):
    """Objects with some of these members, whatever they are, beside those that make them be read at all."""
    return st.dictionaries(st.sampled_from(names), ODD, max_size=4).map(lambda odd: {**whole, **odd})


OTLP_SPAN = with_odd(
    ["parentSpanId", "name", "kind", "startTimeUnixNano", "attributes", "events", "links", "status", "parent_span_id"],
    traceId=TRACE,
    spanId=SPAN,
)
OTLP_LOG = with_odd(["traceId", "spanId", "timeUnixNano", "body", "attributes", "eventName", "severityNumber"])
PYTHON = with_odd(
    ["parent_id", "kind", "start_time", "attributes", "events", "links", "status", "resource", "span_kind"],
    name="work",
    context={"trace_id": "0x" + TRACE, "span_id": "0x" + SPAN},
)
GO = with_odd(
    ["Name", "Parent", "SpanKind", "StartTime", "Attributes", "Events", "Links", "Status", "Resource"],
    SpanContext={"TraceID": TRACE, "SpanID": SPAN},
)
JAEGER = with_odd(
    ["operationName", "references", "startTime", "duration", "tags", "logs", "processID", "parentSpanID"],
    traceID=TRACE,
    spanID=SPAN,
)
DOCUMENTS = st.one_of(
    ODD,
    with_odd(
        ["resourceSpans", "resourceLogs", "batches", "data", "trace", "spans", "processes", "context", "SpanContext"]
    ),
    with_odd(["resource", "scopeSpans", "scope"]).map(lambda group: {"resourceSpans": [group]}),
    OTLP_SPAN.map(lambda span: {"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}),
    OTLP_LOG.map(lambda log: {"resourceLogs": [{"scopeLogs": [{"logRecords": [log]}]}]}),
    OTLP_SPAN,
    PYTHON,
    GO,
    JAEGER.map(lambda span: {"data": [{"spans": [span], "processes": {"p1": {"tags": []}}}]}),
)


@given(DOCUMENTS)
def test_any_json_is_read_or_told(document):
    for found in records(document):
        assert isinstance(found, Span | LogRecord | Flaw)
        if isinstance(found, Span):
            assert len(found.trace_id) == 32
            assert len(found.span_id) == 16
        if not isinstance(found, Flaw):  # plain JSON, that can be written and is read again
            json.dumps([found.attributes, found.resource], allow_nan=False)
            ((_, written),) = values(io.BytesIO(b"".join(lines([found]))))
            assert [type(again) for again in records(written)] == [type(found)]


@given(
    RECORDS.map(lambda found: b"".join(lines(found))),
    st.lists(st.tuples(st.integers(0, 2000), st.binary(max_size=3)), max_size=4),
    st.integers(0, 2000),
)
def test_any_file_is_read_or_told(content, edits, length):
    for at, piece in edits:
        content = content[:at] + piece + content[at + len(piece) :]
    check(content[:length])


@given(
    RECORDS.map(lambda found: protobuf.traces_data([record for record in found if isinstance(record, Span)])),
    st.lists(st.tuples(st.integers(0, 500), st.binary(max_size=3)), max_size=3),
    st.integers(0, 2000),
)
def test_any_protobuf_is_read_or_told(content, edits, length):
    for at, piece in edits:
        content = content[:at] + piece + content[at + len(piece) :]
    check(content[:length])


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_told(content):
    check(content)


def check(content):
    with TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_bytes(content)
        for found in read_file(path):
            assert isinstance(found, Span | LogRecord | BadLine)


def test_lists_in_lists_without_end():
    document = []
    for _ in range(100_000):
        document = [document]
    assert list(records(document)) == []
