"""Span trees and log records of every shape, for hypothesis."""

from hypothesis import strategies as st

from traces.log_record import LogRecord
from traces.otlp.scalars import KINDS, STATUSES
from traces.otlp.values import LARGEST, SMALLEST
from traces.span import Span, SpanEvent

TEXT = st.text(max_size=8)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(SMALLEST, LARGEST)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT
    | st.sampled_from(["{", '[{"role":"us', "nan", "a\ud800", "é漢\x00", "0x1"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
ATTRIBUTES = st.dictionaries(TEXT, VALUES, max_size=3)
TIMES = st.integers(0, 2**64 - 1)
TRACE_IDS = st.integers(1, 3).map(lambda number: f"{number:032x}")
SPAN_IDS = st.integers(1, 2**64 - 1).map(lambda number: f"{number:016x}")
RESOURCES = st.sampled_from([{}, {"service.name": "shop"}, {"service.name": "shop", "n": 1}, {"n": 1.0}, {"n": True}])
SPANS = st.builds(
    Span,
    TRACE_IDS,
    SPAN_IDS,
    st.none() | SPAN_IDS,
    TEXT,
    st.sampled_from(KINDS),
    TIMES,
    TIMES,
    ATTRIBUTES,
    st.lists(st.builds(SpanEvent, TEXT, TIMES, ATTRIBUTES), max_size=2).map(tuple),
    st.sampled_from(STATUSES),
    TEXT,
    st.sampled_from(["", "app", "openai"]),
    RESOURCES,
    st.lists(st.tuples(TRACE_IDS, SPAN_IDS), max_size=2).map(tuple),
    st.integers(0, 2**32 - 1),
)
LOGS = st.builds(
    LogRecord,
    st.none() | TRACE_IDS,
    st.none() | SPAN_IDS,
    TIMES,
    TEXT.filter(bool),  # without a name, an attribute `event.name` gives it
    VALUES,
    ATTRIBUTES,
    RESOURCES,
    st.integers(0, 24),
    st.sampled_from(["", "app"]),
)
RECORDS = st.lists(SPANS | LOGS, max_size=6)
