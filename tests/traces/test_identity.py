from itertools import permutations

from traces.identity import distinct_logs, distinct_spans
from traces.log_record import LogRecord
from traces.span import Span


def span(start=1, end=2, status="unset", **attributes):
    return Span("1" * 32, "2" * 16, None, "work", "internal", start, end, attributes, status=status)


def chosen(*spans):
    found = [distinct_spans(order) for order in permutations(spans)]
    assert all(each == found[0] for each in found)
    (one,) = found[0]
    return one


def test_a_span_that_has_ended_before_one_that_has_not():
    assert chosen(span(end=0, a=1, b=2), span(end=5)) == span(end=5)


def test_the_one_that_holds_more():
    assert chosen(span(end=9, a=1), span(end=5, a=1, b=2), span(end=9)) == span(end=5, a=1, b=2)


def test_the_one_that_tells_its_status_then_the_later():
    assert chosen(span(end=9), span(end=5, status="ok")) == span(end=5, status="ok")
    assert chosen(span(end=9), span(end=5)) == span(end=9)


def test_of_equals_in_all_that_counts_always_the_same():
    chosen(span(a=1), span(a=2), span(b=1))


def test_the_same_span_id_in_another_trace_is_another_span():
    other = Span("3" * 32, "2" * 16, None, "work", "internal", 0, 1)
    assert distinct_spans([span(), other, span()]) == [other, span()]


def test_equal_log_records_are_one_and_in_order_of_time():
    first, second = LogRecord("1" * 32, None, 1, "it", {"a": 1}), LogRecord("1" * 32, None, 2, "it", {"a": True})
    later = LogRecord(None, None, 3, "it")
    for order in permutations([later, first, second, first]):
        assert distinct_logs(order) == [first, second, later]


def test_log_records_of_one_time_keep_the_order_in_which_they_came():
    def told(name, text, trace="1" * 32):
        return LogRecord(trace, "2" * 16, 1, name, {"content": text})

    of_one_call = [told("user", "b"), told("assistant", "z"), told("user", "a"), told("choice", "c")]
    other = told("user", "x", trace="0" * 32)
    assert distinct_logs([of_one_call[0], other, *of_one_call[1:], *of_one_call]) == [other, *of_one_call]
