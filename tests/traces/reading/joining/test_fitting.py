"""Conversations that began alike."""

from __future__ import annotations

from tests.traces.reading.made import assistant, doubts, spans_of, streamed, turn, user


def test_of_conversations_that_began_alike_each_is_gone_on_from_once_and_the_doubt_is_told() -> None:
    begun = [turn(number, [user("hello")], "Hi!") for number in (1, 2, 3)]
    later = [turn(number, [user("hello"), assistant("Hi!"), user(f"q{number}")], "ok") for number in (4, 5)]
    found = streamed(spans_of(*begun, *later))
    assert [[one.user for one in each.turns] for each in found] == [["hello"], ["hello", "q5"], ["hello", "q4"]]
    assert [["fits 2" in text for text in doubts(each)] for each in found] == [[], [True], [False]]
    assert "fits 3 conversations" in doubts(found[2])[0]
    assert "gen_ai.conversation.id" in doubts(found[2])[0]


def test_what_is_gone_on_from_already_leaves_no_doubt() -> None:
    traces = []
    for number in range(1, 40, 2):
        traces.append(turn(number, [user("hello")], "Hi!"))
        traces.append(turn(number + 1, [user("hello"), assistant("Hi!"), user("q")], "ok"))
    found = streamed(spans_of(*traces))
    assert [len(each.turns) for each in found] == [2] * 20
    assert not any(doubts(each) for each in found)


def test_more_that_began_alike_than_are_looked_at() -> None:
    begun = [turn(number, [user("hello")], "Hi!") for number in range(1, 41)]
    later = turn(99, [user("hello"), assistant("Hi!"), user("q")], "ok")
    found = streamed(spans_of(*begun, later))
    assert [len(each.turns) for each in found] == [1] * 39 + [2]
    assert "fits 8 conversations or more" in doubts(found[-1])[0]
