import gc
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from traces.log_record import LogRecord
from traces.otlp.spool import Spool
from traces.span import Span, SpanEvent


def span(trace, number, start=0, **attributes):
    return Span(f"{trace:032x}", f"{number:016x}", None, "work", "internal", start, start + 1, attributes)


def keys(record):
    return record.attributes.get("keys", ())


def clusters(records, batch=3):
    with Spool(keys, batch) as spool:
        for record in records:
            spool.add(record)
        return [
            ([int(s.span_id, 16) for s in cluster.spans], [log.name for log in cluster.logs])
            for cluster in spool.clusters()
        ]


def test_a_trace_is_a_cluster_and_the_clusters_are_in_order_of_their_first_spans():
    assert clusters([span(1, 1, 9), span(2, 2, 5), span(1, 3, 4), span(3, 4, 7)]) == [
        ([3, 1], []),
        ([2], []),
        ([4], []),
    ]


def test_traces_that_share_a_key_are_one_cluster_be_it_through_another():
    records = [span(1, 1, 1, keys=["a"]), span(2, 2, 2), span(3, 3, 3, keys=["b"]), span(4, 4, 4, keys=["b", "a"])]
    assert clusters(records) == [([1, 3, 4], []), ([2], [])]


def test_log_records_join_their_trace_or_their_key_or_are_alone():
    trace = f"{1:032x}"
    records = [
        span(1, 1, 1, keys=["a"]),
        LogRecord(trace, None, 3, "of the trace"),
        LogRecord(None, None, 2, "by its key", attributes={"keys": ["a"]}),
        LogRecord(None, None, 5, "alone"),
        LogRecord(None, None, 5, "alone"),
        LogRecord(None, None, 6, "alone too"),
    ]
    assert clusters(records) == [([1], ["by its key", "of the trace"]), ([], ["alone"]), ([], ["alone too"])]


def test_what_is_taken_out_is_what_was_put_in():
    full = Span(
        "1" * 32,
        "2" * 16,
        "3" * 16,
        "chat",
        "client",
        2**64 - 1,
        2**64 - 1,
        {"a": [1, 2.5, None, True, {"b": "\ud800"}], "big": 2**70},
        (SpanEvent("e", 5, {"x": 1}),),
        "error",
        "no",
        "app",
        {"service.name": "shop"},
        (("4" * 32, "5" * 16),),
        7,
    )
    log = LogRecord("1" * 32, "2" * 16, 3, "it", {"content": "x"}, {"n": 1}, {"service.name": "shop"}, 9, "app")
    with Spool(lambda record: ["\ud800", "x" * 10_000]) as spool:
        spool.add(full)
        spool.add(log)
        (cluster,) = spool.clusters()
    assert cluster.spans == [full]
    assert cluster.logs == [log]


RECORDS = st.lists(
    st.builds(
        span,
        st.integers(1, 6),
        st.integers(1, 30),
        st.integers(0, 5),
        keys=st.lists(st.sampled_from("abcd"), max_size=2),
    ),
    max_size=30,
)


@given(RECORDS, st.randoms(use_true_random=False), st.integers(1, 40))
def test_order_repetition_and_the_batch_change_nothing(records, rng, batch):
    again = records + rng.sample(records, len(records) // 2)
    rng.shuffle(again)
    assert clusters(again, batch) == clusters(records)


@given(RECORDS)
def test_the_clusters_are_the_components_of_traces_and_keys(records):
    """Held against a search through the records, link by link."""
    todo, components = list(records), []
    while todo:
        inside = [todo.pop()]
        for known in inside:
            near = [r for r in todo if r.trace_id == known.trace_id or set(keys(r)) & set(keys(known))]
            todo = [r for r in todo if not any(r is other for other in near)]
            inside += near
        components.append({r.span_id for r in inside})
    with Spool(keys, 1) as spool:
        for record in records:
            spool.add(record)
        found = [{s.span_id for s in cluster.spans} for cluster in spool.clusters()]
    assert sorted(map(sorted, found)) == sorted(map(sorted, components))


def test_ten_thousand_traces_in_any_order():
    records = [span(n, n, n, keys=[str(n // 5)]) for n in range(1, 10_001)]
    random.Random(3).shuffle(records)
    found = clusters(records, 512)
    assert [len(spans) for spans, _ in found] == [4, *[5] * 1999, 1]
    assert found[0][0] == [1, 2, 3, 4]


def test_what_is_laid_down_is_out_of_memory():
    with Spool(keys, 16) as spool:
        before = _living()
        for number in range(1, 1001):
            spool.add(span(number, number))
        assert _living() - before < 200
        assert sum(len(cluster.spans) for cluster in spool.clusters()) == 1000


def _living():
    return sum(isinstance(one, Span) for one in gc.get_objects())


def test_traces_are_taken_out_one_by_one_or_with_all_that_they_are_joined_to():
    with Spool(keys, 2) as spool:
        spool.extend(
            [span(1, 1, 1, keys=["a"]), span(2, 2, 2), span(3, 3, 3, keys=["a"]), span(4, 4, 4), span(2, 5, 9)]
        )
        keyed, alone = list(spool.numbers(keyed=True)), list(spool.numbers(keyed=False))
        assert (keyed, alone) == ([1, 3], [2, 4])
        assert [[int(s.span_id, 16) for s in one.spans] for one in spool.traces(alone)] == [[2, 5], [4]]
        assert [(one.traces, len(one.spans)) for one in spool.clusters(keyed)] == [((1, 3), 2)]
        spool.join(4, 2)
        assert [(one.traces, len(one.spans)) for one in spool.clusters(alone)] == [((2, 4), 3)]
        assert [one.traces for one in spool.clusters()] == [(1, 3), (2, 4)]


def test_no_room_is_told_as_an_error_of_the_system():
    spool = Spool(keys, 1)
    spool.close()
    with pytest.raises(OSError, match="no room for the telemetry"):
        spool.add(span(1, 1))
