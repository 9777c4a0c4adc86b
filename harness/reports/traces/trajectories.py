"""What two agents did, call by call: what is alike, what differs and where, what only one of them did."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from harness.reports.traces.alignment import align
from harness.reports.traces.differences import Difference, differences
from traces.conversation import Conversation, ToolCall

Kind = Literal["same", "arguments", "result", "first_only", "second_only"]


@dataclass(frozen=True, slots=True)
class Move:
    """A call in its trajectory; turns are counted from 1."""

    turn: int
    call: ToolCall


@dataclass(frozen=True, slots=True)
class Step:
    """A call of one trajectory beside that of the other that stands for it; None where there is none.

    `kind`: `arguments` differ, maybe the result too; or only the `result`, the error in it. `arguments`, `result`:
    where they differ.
    """

    kind: Kind
    first: Move | None
    second: Move | None
    arguments: tuple[Difference, ...] = ()
    result: tuple[Difference, ...] = ()

    @property
    def move(self) -> Move:
        """Either of both."""
        found = self.first or self.second
        assert found is not None
        return found


def compare(first: Conversation, second: Conversation) -> list[Step]:
    """The steps of both, in order. Only calls of the same tool stand for each other."""
    return [_step(one, other) for one, other in align(_moves(first), _moves(second), _likeness)]


def first_divergence(steps: Sequence[Step]) -> int | None:
    """The first step at which the agents did different things; else the first at which tools answered differently."""
    did = next((place for place, step in enumerate(steps) if step.kind not in ("same", "result")), None)
    came = next((place for place, step in enumerate(steps) if step.kind != "same"), None)
    return came if did is None else did


def _moves(conversation: Conversation) -> list[Move]:
    return [Move(number, call) for number, turn in enumerate(conversation.turns, 1) for call in turn.tool_calls]


def _step(one: Move | None, other: Move | None) -> Step:
    if one is None or other is None:
        return Step("second_only" if one is None else "first_only", one, other)
    arguments = tuple(differences(_arguments(one.call), _arguments(other.call)))
    result = tuple(differences(_came(one.call), _came(other.call)))
    return Step("arguments" if arguments else "result" if result else "same", one, other, arguments, result)


def _likeness(one: Move, other: Move) -> float:
    """1 for the tool, nearly 1 more for its arguments, and a little for what came of it."""
    if one.call.name != other.call.name:
        return 0.0
    mine, theirs = _arguments(one.call), _arguments(other.call)
    unlike = len({_top(each.path) for each in differences(mine, theirs)})
    places = max(1, len(dict.fromkeys([*_keys(mine), *_keys(theirs)])))
    answered = not any(differences(_came(one.call), _came(other.call)))
    return 1 + 0.9 * (1 - min(1, unlike / places)) + 0.1 * answered


def _arguments(call: ToolCall) -> Any:
    return call.raw if call.arguments is None and call.raw is not None else call.arguments


def _came(call: ToolCall) -> Any:
    if call.error is not None:
        return {"error": {"type": call.error.type, "message": call.error.message}}
    return call.told if call.result is None else call.result


def _keys(value: Any) -> Iterable[str]:
    return value if isinstance(value, dict) else ("",)


def _top(path: str) -> str:
    return path.partition(".")[0].partition("[")[0]
