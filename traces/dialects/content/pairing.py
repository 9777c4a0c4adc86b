"""Calls and answers of one history that go by different ids."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from traces.dialects.facts import Answer, AskedCall, Message

ITEM = "fc_"
"""How the Responses API begins the id of the item that holds a call, which is not the id of the call."""


def paired(told: tuple[Message, ...]) -> tuple[Message, ...]:
    """The history with calls and answers under the same ids, where a library wrote others for one of them.

    Calls under the ids of their items (OpenLLMetry) get those of the answers; answers under ids made of the tool's name
    (`get_fee_0`, Google GenAI) get those of the calls. Only if there are as many such calls as answers to no call.
    """
    answers = [answer for message in told if message.answers for answer in message.answers]
    if not answers:
        return told
    calls = [call for message in told if message.calls for call in message.calls]
    asked = {call.id for call in calls}
    lost = [answer for answer in answers if answer.id not in asked and answer.id is not None]
    if not lost:
        return told
    known = {answer.id for answer in answers}
    waiting = [call for call in calls if call.id is None or call.id not in known]
    if len(waiting) == len(lost) and all(call.id is not None and call.id.startswith(ITEM) for call in waiting):
        return _calls_renamed(told, known, iter([answer.id for answer in lost]))
    called = waiting[: len(lost)]  # the last may still wait for their answers
    if len(called) == len(lost) and all(map(_is_of, lost, called)):
        return _answers_renamed(told, asked | {None}, iter([call.id for call in called]))
    return told


def _is_of(answer: Answer, call: AskedCall) -> bool:
    return answer.id is not None and answer.id.startswith(f"{call.name}_") and answer.name in (None, call.name)


def _calls_renamed(told: Sequence[Message], but: set[str | None], ids: Iterator[str | None]) -> tuple[Message, ...]:
    """The history with these ids, in their order, for the calls that have none of `but`."""
    return tuple(
        replace(message, calls=tuple(call if call.id in but else _renamed(call, next(ids)) for call in message.calls))
        for message in told
    )


def _renamed(call: AskedCall, name: str | None) -> AskedCall:
    return replace(call, id=name, item=call.id)


def _answers_renamed(told: Sequence[Message], but: set[str | None], ids: Iterator[str | None]) -> tuple[Message, ...]:
    """The history with these ids, in their order, for the answers that have none of `but`."""
    return tuple(
        replace(
            message,
            answers=tuple(given if given.id in but else replace(given, id=next(ids)) for given in message.answers),
        )
        for message in told
    )
