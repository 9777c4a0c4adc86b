"""What is let through at once must hold nothing that a trace without an id looks for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from tests.traces.reading.made import SECOND, Trace, answer, assistant, user
from traces.dialects.facts import Facts
from traces.log_record import LogRecord
from traces.reading import stream
from traces.reading.calls.collapse import collapse
from traces.reading.joining.offers import Sight, offered, offered_by, sight
from traces.reading.joining.sieve import Sieve
from traces.reading.tree import forest
from traces.span import Span


def keyed(conversation: str = "c1") -> Trace:
    trace = Trace(1)
    run = trace.run(conversation=conversation)
    asks = assistant("", ("get", "call_1", {"k": 1}))
    trace.model(run, [user("a")], [asks], at=2)
    trace.model(run, [user("a"), asks, answer("call_1", "x")], [assistant("b")], at=4)
    return trace


def held(trace: Trace, sieve: Sieve) -> bool:
    nodes, _ = forest.forest(trace.spans, ())
    return sieve.holds_back(nodes, collapse(nodes))


def test_what_nobody_looks_for_is_let_through() -> None:
    assert not held(keyed(), Sieve([("state", 7), ("call", hash(("call", "call_2")))], []))


def test_each_thing_that_is_looked_for_is_held_back() -> None:
    nodes, _ = forest.forest(keyed().spans, ())
    assert hash(("conversation", "c1")) in offered(nodes)
    for key in offered(nodes):
        assert held(keyed(), Sieve([("trace", key)], []))
    asking, telling = collapse(nodes)
    state, whole, bare, called = offered_by(asking)
    last, words = offered_by(telling)
    for what, key in (
        ("state", state),
        ("like", whole),
        ("like", bare),
        ("call", called),
        ("state", last),
        ("spoken", words),
    ):
        assert held(keyed(), Sieve([(what, key)], []))


@pytest.mark.parametrize(
    ("began", "ended", "seen"), [(4.2, 4.3, True), (4.5, 9, True), (4.6, 9, False), (9, 4.2, True), (0, 1.9, False)]
)
def test_a_call_is_held_back_for_a_client_that_shows_it_at_the_same_time(
    began: float, ended: float, seen: bool
) -> None:
    nodes, _ = forest.forest(keyed().spans, ())
    shown = sight(nodes[-1])
    for client in (shown, shown._replace(said=None), shown._replace(tokens=None)):
        assert held(keyed(), Sieve([], [(client, int(began * SECOND), int(ended * SECOND))])) is seen
    other = Sight(None, 1, 2)
    assert not held(keyed(), Sieve([], [(other, int(began * SECOND), int(ended * SECOND))]))


def test_conversations_that_nothing_belongs_to_are_read_once_and_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    spans = [span for number in range(1, 9) for span in told(number, f"c{number}").spans]
    alone = told(20, None)
    alone.model(alone.spans[0], [user("20"), assistant("b"), user("more")], [assistant("d")])
    goes_on = Trace(21, 2100)
    goes_on.model(goes_on.run(conversation=None), [user("3"), assistant("b"), user("c")], [assistant("d")])
    read: Counter[str] = Counter()
    facts = forest.facts

    def counted(span: Span, logs: Sequence[LogRecord]) -> Facts:
        read[span.span_id] += 1
        return facts(span, logs)

    monkeypatch.setattr(forest, "facts", counted)
    found = list(stream([*spans, *alone.spans, *goes_on.spans]))
    assert [one.id for one in found] == ["c1", "c2", "c4", "c5", "c6", "c7", "c8", "c3", None]
    assert [len(one.turns) for one in found] == [1] * 7 + [2, 2]
    for span in spans:
        assert read[span.span_id] == (2 if span.trace_id == f"{3:032x}" else 1)


def told(number: int, conversation: str | None) -> Trace:
    trace = Trace(number, number * 100)
    trace.model(trace.run(conversation=conversation), [user(str(number))], [assistant("b")])
    return trace
