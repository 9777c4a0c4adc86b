"""The YAML line that would make a scenario answer what it left open."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from harness.model.episode import Ask, AskKind, Message
from harness.users.recognise import SlotBook, recognise
from harness.users.stance import proposed

_WORD = re.compile(r"[^\W_]+")
_YOURS = re.compile(r"\byour ((?:[a-z]+ ){0,2}[a-z]+)(?=,? please\b|\W*$)", re.IGNORECASE)
_ANSWER = "what the user says"


def gaps(messages: Iterable[Message]) -> Iterator[tuple[Message, Ask]]:
    """The messages of a user that left an ask open, each with the asks that it left.

    That is an ask that no fact, stance or answer covers, or one that a line which had to be said at once ran over.
    """
    asks: list[Ask] = []
    for message in messages:
        if message.role == "agent":
            asks += message.asks
            continue
        because = message.because
        if because is not None and (because.unscripted or because.misfit):
            for quote in filter(None, (*because.unscripted, because.misfit)):
                known = [ask for ask in asks if ask.quote in quote]
                yield message, known[-1] if known else Ask(AskKind.OTHER, quote)
        asks = []


def line_for(ask: Ask, arguments: Iterable[str] = (), agrees: str | None = None) -> str:
    """The line to put under `user:`, in the words of the ask, with a blank where only the author knows the answer.

    `arguments`: names of the tools' arguments. A fact that is asked for is called as they call it. `agrees`: the tool
    that a proposal names and the user's own lines ask for.
    """
    quote = "".join(char for char in ask.quote if char.isprintable())
    if ask.kind in (AskKind.SLOT, AskKind.READBACK) and ask.slot:
        called = SlotBook.of(dict.fromkeys(arguments), {}).names.get(ask.slot, ask.slot)
        return _line("knows", {called: ask.value or _ANSWER})
    if ask.kind is AskKind.PROPOSAL and agrees:
        return _line("agrees_to", [agrees]) + "  # or declines"
    if ask.kind is AskKind.PROPOSAL:
        return _line("declines", [{_name(quote): [proposed(quote)]}]) + "  # or agrees_to, by a tool's name"
    if ask.kind is AskKind.CHOICE and ask.options:
        option = ask.options[0]
        return _line("agrees_to", [{_name(option): [option]}]) + "  # or another option"
    if fact := _fact(quote):
        return _line("knows", {fact: _ANSWER})
    return _line("answers", {_name(quote): {"asked": [quote], "say": _ANSWER}})


def line_against_no(tool: str, said: str) -> str:
    """The line to put under `user:` if the user is to agree to what the scenario's user said no to."""
    return _line("agrees_to", [tool]) + f"  # if the user wants it: now it says {json.dumps(said, ensure_ascii=False)}"


def _fact(quote: str) -> str | None:
    """What a question asks for by a name ("What is your *loan number*?"), if a fact of that name answers it."""
    named = _YOURS.search(quote)
    if named is None:
        return None
    fact = named[1].casefold().replace(" ", "_")
    asks = recognise(quote, SlotBook.of({fact: None}, {})).asks
    return fact if any(ask.slot == fact for ask in asks) else None


def _line(key: str, value: object) -> str:
    # Every JSON value is a YAML value, whatever the agent wrote.
    return f"{key}: {json.dumps(value, ensure_ascii=False)}"


def _name(text: str) -> str:
    return "_".join(_WORD.findall(text.casefold())[-4:]) or "question"
