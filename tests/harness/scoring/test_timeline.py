from __future__ import annotations

from dataclasses import replace

from harness.scoring.timeline import Timeline
from tests.harness.scoring.build import call, episode, said


def test_events_are_ordered_by_turn_then_time():
    line = Timeline.of(episode("Hi", call("a"), said("One moment"), call("b"), said("Done"), "Thanks", said("Bye")))
    assert [step for step, _ in line.user] == [(1, 0), (2, 0)]
    assert [(step, made.tool) for step, made in line.calls] == [((1, 1), "a"), ((1, 3), "b")]
    assert [step for step, _ in line.agent] == [(1, 2), (1, 4), (2, 1)]
    assert (line.last, line.stop, line.missed(1), line.missed(2)) == (2, (2, 2), (1, 6), (2, 3))


def test_without_times_the_user_comes_first_and_the_agents_words_last():
    talk = episode("Hi", call("a"), said("Done"))
    talk.messages = [replace(message, at=0.0) for message in reversed(talk.messages)]
    talk.calls = [replace(made, started=0.0) for made in talk.calls]
    line = Timeline.of(talk)
    assert (line.user[0][0], line.calls[0][0], line.agent[0][0]) == ((1, 0), (1, 1), (1, 2))


def test_nothing_said():
    line = Timeline.of(episode())
    assert (line.last, line.stop, line.missed(0)) == (0, (0, 0), (0, 1))
