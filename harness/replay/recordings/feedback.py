"""Feedback in the forms in which applications keep it, and times."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from harness.model.episode import Feedback

KEYS = ("feedback", "thumb", "thumbs", "rating", "comment")
"""The fields of a conversation or a message that hold feedback."""

_UP = frozenset({"up", "thumbs_up", "thumbs-up", "thumbsup", "positive", "like", "good", "👍", "+1"})
_DOWN = frozenset({"down", "thumbs_down", "thumbs-down", "thumbsdown", "negative", "dislike", "bad", "👎", "-1"})
_THUMB = "thumb"
_MILLISECONDS = 1e11
"""From here on a time is in milliseconds: as seconds it lies beyond the year 5000."""
_NAMES = ("name", "key", "type")
_VALUES = ("value", "score", "rating", "thumb", "thumbs")
_TEXTS = ("comment", "explanation", "reason", "text")


def feedback_in(record: dict[str, Any], turn: int | None = None) -> list[Feedback]:
    """The feedback that a conversation, or its message in that turn, carries."""
    return [found for key in KEYS if record.get(key) is not None for found in _read(key, record[key], turn)]


def thumb_of(feedback: Feedback) -> str | None:
    """`up` or `down`, None where it is neither. A value counts only under a name that speaks of a thumb or of feedback:
    a rating of 1 is no thumb up.
    """
    label = (feedback.label or "").casefold().strip()
    if label in _UP:
        return "up"
    if label in _DOWN:
        return "down"
    told = feedback.value in (-1, 0, 1) and any(word in feedback.name.casefold() for word in ("thumb", "feedback"))
    return ("up" if feedback.value == 1 else "down") if told and not label else None


def moment(value: Any) -> float | None:
    """A time in seconds since the epoch, out of that number, of milliseconds, or ISO 8601 (UTC unless it says
    otherwise); None if it is none.
    """
    if isinstance(value, int | float) and not isinstance(value, bool):
        return (
            float(value) if abs(value) < _MILLISECONDS else value / 1000 if abs(value) < 1000 * _MILLISECONDS else None
        )
    if not isinstance(value, str):
        return None
    try:
        found = datetime.fromisoformat(value)
    except ValueError:
        return None
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


def _read(name: str, value: Any, turn: int | None) -> Iterator[Feedback]:
    if isinstance(value, list):
        for each in value:
            yield from _read(name, each, turn)
    elif isinstance(value, dict):
        yield from _of_record(name, value, turn)
    elif isinstance(value, bool):
        yield Feedback(_THUMB, float(value), "up" if value else "down", turn=turn)
    elif isinstance(value, int | float):
        yield Feedback(_THUMB if name in ("thumb", "thumbs") else name, float(value), turn=turn)
    elif isinstance(value, str) and name == "comment":
        yield Feedback(name, explanation=value, turn=turn)
    elif isinstance(value, str):
        told = value.casefold().strip()
        thumb = "up" if told in _UP else "down" if told in _DOWN else None
        yield Feedback(_THUMB if thumb else name, label=thumb or value, turn=turn)


def _of_record(name: str, record: dict[str, Any], turn: int | None) -> Iterator[Feedback]:
    named = next((record[key] for key in _NAMES if isinstance(record.get(key), str)), None)
    said = next((record[key] for key in _TEXTS if isinstance(record.get(key), str) and record[key]), None)
    label = record.get("label")
    number = record.get("turn")
    turn = number if isinstance(number, int) and not isinstance(number, bool) else turn
    values = [(key, record[key]) for key in _VALUES if record.get(key) is not None]
    found = [
        each
        for key, value in values
        for each in _read(named or (name if key in ("value", "score") else key), value, turn)
    ]
    if not found and (label is not None or said is not None):
        found = [Feedback(named or name, turn=turn)]
    for position, each in enumerate(found):
        told = label if isinstance(label, str) else each.label
        yield Feedback(each.name, each.value, told, said if position == 0 else each.explanation, each.turn)
