"""What an agent's span says is read when it is asked for, once, and whatever is in it."""

from __future__ import annotations

from traces.dialects.facts import Facts
from traces.span import Span


def made() -> Facts:
    return Facts("agent", "mine", Span("1" * 32, "2" * 16, None, "run", "internal", 1, 2))


def test_what_was_said_is_read_once_and_only_if_it_is_asked_for() -> None:
    found, read = made(), []

    def said() -> str:
        read.append("said")
        return "Hi"

    found.said, found.replied = said, "Hello!"
    assert read == []
    assert (found.said, found.said, found.replied) == ("Hi", "Hi", "Hello!")
    assert read == ["said"]


def test_what_can_not_be_read_is_noted() -> None:
    found, broken = made(), {}
    found.said = lambda: broken["nothing"]
    assert (found.said, found.said) == (None, None)
    assert found.notes == ["the span `run` can't be read as mine: KeyError: 'nothing'"]
