"""A conversation whose first turn lost the span that gave the id is one, and tells that turn once."""

from __future__ import annotations

from itertools import count
from typing import Any

from tests.effort import growth
from tests.traces.reading.made import Trace, assistant, of_service, spans_of, streamed, turn, user
from traces.conversation import Conversation
from traces.reading import conversations
from traces.span import Span

SAID = [user("a"), assistant("b"), user("c"), assistant("d"), user("e")]


def headless(number: int, history: list[Any], reply: str) -> list[Span]:
    """A turn without the span of its run, which alone gave the id."""
    return turn(number, history, reply, "c1").spans[1:]


def told(found: Conversation) -> list[tuple[str | None, str | None]]:
    return [(one.user, one.assistant) for one in found.turns]


def test_it_is_put_to_the_conversation_that_tells_it_again() -> None:
    later = spans_of(turn(2, SAID[:3], "d", "c1"), turn(3, SAID, "f", "c1"))
    (found,) = streamed([*headless(1, SAID[:1], "b"), *later])
    assert told(found) == [("a", "b"), ("c", "d"), ("e", "f")]
    assert found.id == "c1"
    assert not any("began alike" in warning for warning in found.warnings)


def test_several_turns_at_the_beginning_may_have_lost_it() -> None:
    (found,) = streamed([*headless(1, SAID[:1], "b"), *headless(2, SAID[:3], "d"), *turn(3, SAID, "f", "c1").spans])
    assert told(found) == [("a", "b"), ("c", "d"), ("e", "f")]


def test_an_application_that_keeps_only_the_words_tells_them_again_too() -> None:
    first = Trace(1)
    run = first.run()
    asks = assistant("", ("get", None, {}))
    first.model(run, [user("a"), asks, {"role": "tool", "parts": [{"type": "tool_call_response"}]}], [assistant("b")])
    (found,) = streamed([*first.spans[1:], *turn(2, SAID[:3], "d", "c1").spans])
    assert told(found) == [("a", "b"), ("c", "d")]


def test_a_run_that_is_whole_lost_nothing_and_stays_alone() -> None:
    whole = turn(1, SAID[:1], "b")
    assert len(streamed(spans_of(whole, turn(2, SAID[:3], "d", "c1")))) == 2


def test_what_lacks_no_beginning_takes_none() -> None:
    whole = spans_of(turn(2, SAID[:1], "b", "c1"), turn(3, SAID[:3], "d", "c1"))
    assert sorted(map(told, streamed([*headless(1, SAID[:1], "b"), *whole]))) == [
        [("a", "b")],
        [("a", "b"), ("c", "d")],
    ]


def test_another_application_s_conversation_takes_none() -> None:
    other = turn(2, SAID[:3], "d", "c1")
    for span in other.spans:
        span.resource["service.name"] = "other"
    assert len(streamed([*headless(1, SAID[:1], "b"), *other.spans])) == 2


def test_of_several_that_lack_the_same_each_takes_one_and_the_doubt_is_told() -> None:
    lost = [*headless(1, SAID[:1], "b"), *headless(2, SAID[:1], "b")]
    found = streamed([*lost, *spans_of(turn(3, SAID[:3], "d", "c1"), turn(4, SAID[:3], "f", "c2"))])
    doubts = [any("fits 2 conversations" in warning for warning in one.warnings) for one in found]
    assert sorted(zip([one.id for one in found], map(told, found), doubts, strict=True)) == [
        ("c1", [("a", "b"), ("c", "d")], True),
        ("c2", [("a", "b"), ("c", "f")], False),
    ]


def test_of_two_that_one_conversation_lacks_once_the_other_stays_alone() -> None:
    lost = [*headless(1, SAID[:1], "b"), *headless(2, SAID[:1], "b")]
    found = streamed([*lost, *turn(3, SAID[:3], "d", "c1").spans])
    assert sorted(map(told, found)) == [[("a", "b")], [("a", "b"), ("c", "d")]]


def test_each_of_many_that_lack_the_same_takes_one() -> None:
    lost = [span for number in range(1, 13) for span in headless(number, SAID[:1], "b")]
    later = spans_of(*(turn(number, SAID[:3], "d", f"c{number}") for number in range(13, 25)))
    assert [told(found) for found in streamed([*lost, *later])] == [[("a", "b"), ("c", "d")]] * 12


def test_however_many_conversations_other_applications_have_that_lack_the_same() -> None:
    others = spans_of(*(turn(number, SAID[:3], "d", f"c{number}") for number in range(2, 14)))
    own = turn(20, SAID[:3], "d", "own").spans
    found = streamed([*headless(1, SAID[:1], "b"), *of_service(others, "other"), *own])
    assert [told(one) for one in found if one.id == "own"] == [[("a", "b"), ("c", "d")]]


def test_many_that_began_alike_are_put_together_without_a_look_at_all_the_others() -> None:
    numbers = count(1)

    def spans(many: int) -> list[Span]:
        lost = [span for _ in range(many) for span in headless(next(numbers), SAID[:1], "b")]
        later = (turn(number, SAID[:3], "d", f"c{number}") for number, _ in zip(numbers, range(many), strict=False))
        return [*lost, *spans_of(*later)]

    assert growth(conversations, spans, 80) < 1.5
