"""What the user of a draft knows and says, from what was said in a conversation."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from harness.drafts.yaml_text import Flow
from harness.model.episode import Ask, AskKind, Episode, Message
from harness.users.recognise import SlotBook
from tools_sandbox.text import mentions

_QUESTION = re.compile("[?？]")
_OWN_ACCORD = (AskKind.SLOT, AskKind.READBACK, AskKind.PROPOSAL)
"""What a scripted user answers by facts and stance alone."""


def user_side(episode: Episode) -> dict[str, Any]:
    """`knows`, `answers` and `turns` of a scripted user who takes the part of the one in the episode.

    Facts are values of the usual slots that the user told and the agent then called a tool with. A message that did no
    more than answer the agent is no line: the scripted user answers by itself, also an agent that asks in another
    order, and in the user's own words where no fact does. Any other that followed a question, or told a fact anew, goes
    out at once, whatever was asked.
    """
    knows: dict[str, str] = {}
    first: dict[str, str] = {}
    answers: dict[str, Any] = {}
    turns: list[Any] = []
    for message in episode.messages:
        if message.role != "user":
            continue
        told = dict(_told(message, episode))
        changed = Flow({name: value for name, value in told.items() if knows.get(name, value) != value})
        knows |= told
        first = {**told, **first}
        asks = [ask for reply in episode.agent_messages(message.turn - 1) for ask in reply.asks]
        if not asks and not changed:
            turns.append(message.text)
        elif changed or not _only_answers(message.text, asks, {*knows, *answers}):
            own = _unknown(message.text, asks, {*knows, *answers})
            if own and not changed:
                answers |= {slot: Flow(say=message.text) for slot in own}
            else:
                turns.append({"say": message.text, "now": changed or Flow(told)})
    return {
        **({"knows": Flow(first)} if first else {}),
        **({"answers": answers} if answers else {}),
        "turns": turns,
    }


def word_for_word(episode: Episode) -> dict[str, Any]:
    """`knows` and `turns` of a scripted user who says every message as it was said, whatever the agent asks."""
    knows: dict[str, str] = {}
    turns: list[Any] = []
    for message in episode.messages:
        if message.role != "user":
            continue
        told = dict(_told(message, episode))
        changed = Flow({name: value for name, value in told.items() if knows.get(name) != value})
        knows = {**told, **knows}
        turns.append({"say": message.text, "now": changed} if turns else message.text)
    return {**({"knows": Flow(knows)} if knows else {}), "turns": turns}


def _told(message: Message, episode: Episode) -> Iterator[tuple[str, str]]:
    """The facts in a message, by the arguments of the calls that followed it."""
    for call in episode.calls:
        if call.ok and call.turn >= message.turn:
            for name, value in (call.arguments or {}).items():
                if isinstance(value, str) and SlotBook.of({name: value}, {}).names and mentions(value, message.text):
                    yield name, value


def _only_answers(text: str, asks: Sequence[Ask], known: Collection[str]) -> bool:
    """Whether facts and stance give this answer: all that was asked is known, and nothing is asked in return."""
    kinds = _kinds(known)
    return not _QUESTION.search(text) and all(
        ask.kind in _OWN_ACCORD and (ask.slot is None or ask.slot in kinds) for ask in asks
    )


def _unknown(text: str, asks: Sequence[Ask], known: Collection[str]) -> list[str]:
    """The slots that this answer may be kept for: all that was asked and is not known, if nothing else was asked."""
    if _QUESTION.search(text) or any(ask.kind not in _OWN_ACCORD for ask in asks):
        return []
    kinds = _kinds(known)
    return [ask.slot for ask in asks if ask.kind is AskKind.SLOT and ask.slot is not None and ask.slot not in kinds]


def _kinds(known: Collection[str]) -> set[str]:
    return {*known, *SlotBook.of(dict.fromkeys(known), {}).names}
