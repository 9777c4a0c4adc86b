"""An episode as it is shown: in the order of the record, whatever the clock said."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console

from harness.model.episode import Episode, Pause
from harness.model.score import Score, Scored
from harness.model.status import PASSED, failed, not_judged
from harness.reports.conversation import episode_page
from harness.reports.traces.played import conversation_of
from tests.harness.scoring.build import call, episode, said
from tools_sandbox.call import CallError
from traces.conversation import ToolError


def order(talk: Episode, *shown: str) -> list[str]:
    """What is shown of a talk, in the order in which it stands there."""
    out = io.StringIO()
    Console(file=out, width=140).print(episode_page(talk, Scored({}, PASSED), turn=1))
    page = out.getvalue()
    assert all(page.count(text) == 1 for text in shown)
    return sorted(shown, key=page.index)


def test_words_stand_among_the_calls_where_they_were_said():
    talk = episode("Hi", call("look"), said("One moment"), call("book"), said("Done"))
    assert order(talk, "Done", "book", "One moment", "look", "Hi") == ["Hi", "look", "One moment", "book", "Done"]


def test_a_clock_that_was_set_back_puts_nothing_in_another_order():
    talk = episode("Hi", call("look"), said("One moment"), call("book"), said("Done"))
    talk.calls = [replace(made, started=-float(at), ended=-float(at)) for at, made in enumerate(talk.calls)]
    assert order(talk, "Done", "book", "One moment", "look", "Hi") == ["Hi", "look", "One moment", "book", "Done"]


def test_the_line_to_paste_is_shown_of_an_episode_that_passed_without_it():
    out = io.StringIO()
    scored = Scored({}, PASSED, paste='answers: {"colour": "what the user says"}')
    Console(file=out, width=140).print(episode_page(episode("Hi", said("Done")), scored))
    assert 'under user:\n  answers: {"colour": "what the user says"}\n' in out.getvalue()


def test_an_equal_reason_is_said_once_with_what_it_is_for():
    out = io.StringIO()
    why = not_judged("the scenario is at fault (X3)")
    scores = {name: Score(name, "1", why) for name in ("task_success", "faithfulness")}
    scores["privacy"] = Score("privacy", "1", failed("a number came out"))
    Console(file=out, width=140).print(episode_page(episode("Hi", said("Done")), Scored(scores, PASSED)))
    assert out.getvalue().count("the scenario is at fault") == 1
    assert "task_success, faithfulness: the scenario is at fault (X3)\n" in out.getvalue()
    assert "privacy       failed      a number came out" in out.getvalue()


def test_a_pause_stands_between_the_calls_before_and_after_it():
    talk = episode("Hi", call("look"), call("book"), said("Done"))
    talk.pauses = [Pause(1, "sure?", "yes", answered=True, at=talk.calls[1].started)]
    assert order(talk, "Done", "book", "sure?", "look", "Hi") == ["Hi", "look", "sure?", "book", "Done"]


@pytest.mark.parametrize(
    ("kind", "shown"), [("passthrough", "✖ Locked: O-1 is locked"), ("refused", "✖ refused: Lock")]
)
def test_an_error_of_a_real_tool_is_told_by_its_own_type(kind, shown):
    failed = replace(call("pay"), error=CallError(kind, "Locked: O-1 is locked"))
    assert order(episode("Hi", failed, said("Done")), shown) == [shown]


def test_the_trace_of_it_tells_no_other_type():
    failed = replace(call("pay"), error=CallError("passthrough", "Locked: O-1 is locked"))
    shown = [step.error for turn in conversation_of(episode("Hi", failed)).turns for step in turn.steps]
    assert shown == [ToolError(None, "Locked: O-1 is locked", "result")]
