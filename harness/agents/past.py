"""What a conversation held before an agent came into it: messages and tool calls in their order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import attrgetter
from typing import Protocol, TypeVar

from harness.model.agent import Session
from harness.model.episode import Message
from tools_sandbox.call import Call


def past(session: Session) -> Iterator[Message | tuple[Call, ...]]:
    """The session's history, and among its messages the calls of each turn; those with no words between them come
    together.
    """
    said, made = _by_turn(session.history), _by_turn(session.earlier)
    for turn in sorted({*said, *made}):
        calls, told = made.get(turn, []), 0
        for message in said.get(turn, []):
            before = 0 if message.role == "user" else len(calls) if message.after is None else message.after
            if before > told:
                yield tuple(calls[told:before])
                told = before
            yield message
        if calls[told:]:
            yield tuple(calls[told:])


class _OfTurn(Protocol):
    @property
    def turn(self) -> int: ...


T = TypeVar("T", bound=_OfTurn)


def _by_turn(things: Iterable[T]) -> dict[int, list[T]]:
    return {turn: list(those) for turn, those in groupby(things, attrgetter("turn"))}
