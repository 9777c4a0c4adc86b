"""Which trace what comes belongs to, and how long is waited for more."""

import asyncio
import threading
import time

import pytest

from traces.log_record import LogRecord
from traces.receiver import Full, Refused, joining
from traces.receiver.joining import Joining
from traces.span import Span

OURS, OTHER = "a" * 32, "b" * 32


def span(number, parent="1" * 16, trace=OURS, delay=0.0, **attributes):
    end = int((time.time() - delay) * 1e9)
    return Span(trace, f"{number:016x}", parent, f"span {number}", "internal", end - 1, end, attributes)


def settled(joins, joined, asked=()):
    began = time.monotonic()
    asyncio.run(joins.settle(joined, asked))
    return time.monotonic() - began


@pytest.fixture
def joins(monkeypatch):
    monkeypatch.setattr(joining, "QUIET", 0.1)
    monkeypatch.setattr(joining, "DEADLINE", 0.6)
    return Joining()


def test_what_comes_goes_to_its_trace_while_that_is_open(joins):
    assert joins.take([span(1, trace=OTHER)]) is None
    assert (joins.heard, joins.strangers) == (False, 1)
    with joins.trace(OURS, "c-1") as mine, joins.trace("d" * 32, "c-2") as yours:
        log = LogRecord(OURS, None, 1, "gen_ai.choice")
        joins.take([span(2), log, span(3, trace="d" * 32)])
        assert [each.name for each in mine.spans] == ["span 2"]
        assert mine.logs == [log]
        assert [each.name for each in yours.spans] == ["span 3"]
    assert joins.take([span(4), span(5, trace=OTHER)]) == Refused(
        1, "what they belong to is over: spans are waited for, but not for ever"
    )
    assert (joins.heard, joins.late) == (True, 1)


def test_a_trace_that_names_the_conversation_joins_with_what_of_it_came_before(joins):
    with joins.trace(OURS, "c-1") as mine:
        joins.take([span(1, "2" * 16, OTHER)])
        joins.take([span(2, None, OTHER, **{"session.id": "c-1"}), span(3, trace="c" * 32, **{"session.id": "c-9"})])
        joins.take([span(4, "2" * 16, OTHER)])
        assert {each.name for each in mine.spans} == {"span 1", "span 2", "span 4"}
    assert joins.take([span(5, trace=OTHER)]).count == 1


def test_it_is_settled_when_all_that_was_asked_has_answered_and_it_is_quiet(joins):
    with joins.trace(OURS, "c-1") as mine:
        joins.take([span(1, "1" * 16)])
        assert 0.05 < settled(joins, mine, {"1" * 16}) < 0.4
        threading.Timer(0.25, joins.take, [[span(2, "2" * 16)]]).start()
        assert 0.3 < settled(joins, mine, {"1" * 16, "2" * 16}) < 0.55
        assert settled(joins, mine, {"1" * 16, "3" * 16}) >= 0.6


def test_how_long_late_spans_are_waited_for_is_learned(joins, monkeypatch):
    monkeypatch.setattr(joining, "DEADLINE", 10.0)
    monkeypatch.setattr(joining, "_LEAST_PATIENCE", 0.2)
    with joins.trace(OURS, "c-1") as mine:
        for number in range(20):
            joins.take([span(number, delay=0.05)])
        assert settled(joins, mine, {"2" * 16}) < 1.0


def test_there_is_an_end_to_what_is_held(joins, monkeypatch):
    monkeypatch.setattr(joining, "_ROOM", 2)
    monkeypatch.setattr(joining, "_STRAYS", 3)
    with joins.trace(OURS, "c-1") as mine:
        joins.take([span(1), span(2)])
        with pytest.raises(Full):
            joins.take([span(3)])
        assert len(mine.spans) == 2
    with joins.trace(OURS, "c-1") as mine:
        for number in range(1, 6):
            joins.take([span(number, trace=f"{number:032x}")])
        joins.take([span(9, None, f"{1:032x}", **{"session.id": "c-1"})])  # what came of this trace is forgotten
        joins.take([span(9, None, f"{5:032x}", **{"session.id": "c-1"})])
        assert [each.name for each in mine.spans if each.name != "span 9"] == ["span 5"]


def test_marks_of_the_harness_are_not_believed(joins):
    with joins.trace(OURS, "c-1") as mine:
        joins.take([span(1, **{"turngate.outage": "x", "turngate.turn": 1, "own": 2})])
        assert [each.attributes for each in mine.spans] == [{"own": 2}]
