"""Which trace what comes belongs to, and how long is waited for more."""

import asyncio

import pytest

from tests.clock import Clock
from traces.log_record import LogRecord
from traces.receiver import Full, Refused, joined, joining
from traces.receiver.joined import sizes
from traces.receiver.joining import Joining
from traces.span import Span

OURS, OTHER = "a" * 32, "b" * 32
NOW = 1_800_000_000.0


def span(number, parent="1" * 16, trace=OURS, delay=0.0, **attributes):
    end = int((NOW - delay) * 1e9)
    return Span(trace, f"{number:016x}", parent, f"span {number}", "internal", end - 1, end, attributes)


def settled(clock, joins, joined, asked=(), coming=()):
    """After how many seconds it is settled, to a look, if these spans come so many seconds from now."""

    async def settle():
        began = clock()
        for seconds, each in coming:
            asyncio.get_running_loop().call_later(seconds, joins.take, [each])
        await joins.settle(joined, asked)
        return pytest.approx(clock() - began, abs=joining._LOOK)

    return clock.run(settle())


def late(joins):
    """The names of what came late, by conversation."""
    return {each.conversation: sorted(span.name for span in each.spans) for each in joins.take_late()}


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(joining, "monotonic", clock)
    monkeypatch.setattr(joined, "monotonic", clock)
    monkeypatch.setattr(joining, "time", lambda: NOW)
    return clock


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
    assert joins.take([span(4), span(5, trace=OTHER)]) is None
    assert (joins.heard, joins.late) == (True, {"c-1": 1})
    assert late(joins) == {"c-1": ["span 4"]}
    assert late(joins) == {}


def test_a_trace_that_names_the_conversation_joins_with_what_of_it_came_before(joins):
    with joins.trace(OURS, "c-1") as mine:
        joins.take([span(1, "2" * 16, OTHER)])
        joins.take([span(2, None, OTHER, **{"session.id": "c-1"}), span(3, trace="c" * 32, **{"session.id": "c-9"})])
        joins.take([span(4, "2" * 16, OTHER)])
        assert {each.name for each in mine.spans} == {"span 1", "span 2", "span 4"}
    joins.take([span(5, trace=OTHER)])
    assert late(joins) == {"c-1": ["span 5"]}


def test_it_is_settled_when_all_that_was_asked_has_answered_and_it_is_quiet(joins, clock):
    with joins.trace(OURS, "c-1") as mine:
        joins.take([span(1, "1" * 16)])
        assert settled(clock, joins, mine, {"1" * 16}) == 0.1
        assert settled(clock, joins, mine, {"1" * 16, "2" * 16}, [(0.25, span(2, "2" * 16))]) == 0.35
        assert settled(clock, joins, mine, {"1" * 16, "3" * 16}) == 0.6


def test_how_long_late_spans_are_waited_for_is_learned(joins, clock, monkeypatch):
    monkeypatch.setattr(joining, "DEADLINE", 10.0)
    monkeypatch.setattr(joining, "_LEAST_PATIENCE", 0.2)
    with joins.trace(OURS, "c-1") as mine:
        for number in range(20):
            joins.take([span(number, delay=0.05)])
        assert settled(clock, joins, mine, {"2" * 16}) == 0.2
        joins.take([span(20, delay=0.1)])
        assert settled(clock, joins, mine, {"2" * 16}) == 0.3


def test_what_comes_once_a_trace_is_closed_is_late_though_nobody_has_left_it(joins):
    with joins.trace(OURS, "c-1") as mine:
        assert joins.take([span(1)]) is None
        joins.close(mine)
        assert joins.take([span(2)]) is None
        assert late(joins) == {"c-1": ["span 2"]}
        assert [each.name for each in mine.spans] == ["span 1"]
    assert joins.late == {"c-1": 1}


def test_a_trace_of_its_own_may_be_late_as_a_whole(joins):
    with joins.trace(OURS, "c-1"):
        joins.take([span(1, trace=OTHER)])
    joins.take([span(2, trace=OTHER), span(3, None, OTHER, **{"session.id": "c-1"})])
    joins.take([span(4, trace=OTHER)])
    assert joins.late == {"c-1": 4}
    assert late(joins) == {"c-1": ["span 1", "span 2", "span 3", "span 4"]}


def test_there_is_an_end_to_what_is_kept_of_late_ones_too(joins, monkeypatch):
    monkeypatch.setattr(joining, "_LATE", 10_000)
    with joins.trace(OURS, "c-1"):
        pass
    big = {"text": "x" * 6_000}
    assert joins.take([span(1, **big), span(2, **big)]) == Refused(
        1, "what they belong to is over, and too much has come late"
    )
    assert joins.late == {"c-1": 2}
    assert late(joins) == {"c-1": ["span 1"]}
    assert joins.take([span(3, **big)]) is None


def test_there_is_an_end_to_what_is_held(joins, monkeypatch):
    monkeypatch.setattr(joining, "_ROOM", 10_000)
    big = {"text": "x" * 6_000}
    with joins.trace(OURS, "c-1") as mine:
        joins.take([span(1, **big)])
        with pytest.raises(Full):
            joins.take([span(2, **big), span(3, trace=OTHER)])
        assert joins.take([span(4, trace=OTHER, **big), span(5, trace=OTHER, **big)]) is None  # takes no room of ours
        assert [each.name for each in mine.spans] == ["span 1"]
    assert joins.strangers == 2
    with joins.trace("d" * 32, "c-2") as yours:
        joins.take([span(2, trace="d" * 32, **big)])
        assert [each.name for each in yours.spans] == ["span 2"]


def test_what_is_left_of_strangers_is_the_newest_and_the_rest_is_counted(joins, monkeypatch):
    monkeypatch.setattr(joining, "_STRAYS", 20_000)
    with joins.trace(OURS, "c-1") as mine:
        for number in range(1, 6):
            joins.take([span(number, trace=f"{number:032x}", text="x" * 6_000)])
        assert joins.dropped == 2  # three of them fit
        for trace in (1, 5):
            joins.take([span(9, None, f"{trace:032x}", **{"session.id": "c-1"})])
        assert [each.name for each in mine.spans if each.name != "span 9"] == ["span 5"]


def test_room_is_counted_in_bytes():
    resource = {"service.name": "x" * 10_000}
    few, many = (span(1, words=["x" * size, {"deep": "y" * size}]) for size in (10, 1_000))
    assert 1_980 <= sizes([many])[0] - sizes([few])[0] <= 2_020
    shared = [Span(OURS, f"{number:016x}", None, "s", "internal", 1, 2, resource=resource) for number in range(3)]
    assert 10_000 < sum(sizes(shared)) < 15_000
    log = LogRecord(OURS, None, 1, "said", {"message": "x" * 5_000})
    assert 5_000 < sizes([log])[0] < 6_000


def test_marks_of_the_harness_are_not_believed(joins):
    with joins.trace(OURS, "c-1") as mine:
        joins.take([span(1, **{"turngate.outage": "x", "turngate.turn": 1, "own": 2})])
        assert [each.attributes for each in mine.spans] == [{"own": 2}]
