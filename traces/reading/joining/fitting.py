"""Which of several conversations an anonymous history goes on from, where they began alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from traces.conversation import TraceWarning
from traces.reading.calls.model_calls import Call

MOST = 8
"""So many of the latest calls that a history may go on from are looked at, and not all that ever began so."""


_One = TypeVar("_One")


def open_ones(fit: Sequence[_One], gone: Callable[[_One], object]) -> Sequence[_One]:
    """Those that nothing goes on from yet; all of them if there are none. The last is the likeliest."""
    return [one for one in fit if not gone(one)] or fit


def gone_on(calls: Iterable[Call]) -> set[Call]:
    """The calls that another of their own trace goes on from."""
    calls = list(calls)
    begun = {
        (call.node.span.trace_id, mark) for call in calls if call.atoms for mark in call.marks[: len(call.atoms) + 1]
    }
    return {call for call in calls if (call.node.span.trace_id, call.state) in begun}


def doubt(count: int) -> TraceWarning:
    """What there is to say where so many conversations fit."""
    fitting = f"{MOST} conversations or more" if count >= MOST else f"{count} conversations"
    return TraceWarning(
        f"its history has no id and fits {fitting} that began alike: it was put to the likeliest of them; give each"
        " conversation an id (gen_ai.conversation.id)",
        "context",
    )
