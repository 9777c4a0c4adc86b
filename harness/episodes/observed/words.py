"""What the words of real users and agents say to what was asked: which facts were given, what was said yes to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from harness.model.episode import AskKind, Because, Message
from harness.users.acts import Acts, best
from harness.users.assent import says_no, says_yes
from harness.users.stance import proposed
from tools_sandbox.call import Call
from tools_sandbox.text import mentions

_SHORTEST = 2
_MAY_ASK = re.compile(
    r"[?？¿]|\b(?:if you|let me know|please|confirm|would you|shall i|si (?:quiere|desea)|por favor)\b|请|吗",
    re.IGNORECASE,
)
_OPEN_TO_YES = (AskKind.PROPOSAL, AskKind.READBACK, AskKind.CHOICE)


def facts_given(texts: Iterable[str], calls: Iterable[Call]) -> dict[str, str | None]:
    """The facts that the user gave as far as a trace shows them: arguments of calls with a value that the user had said
    by then. A name that stood for several values tells of none.
    """
    said = list(texts)
    values: dict[str, dict[str, str]] = {}
    for call in calls:
        heard = said[: call.turn]
        for name, value in (call.arguments or {}).items():
            if isinstance(value, bool) or not isinstance(value, str | int | float) or len(str(value)) < _SHORTEST:
                continue
            text = str(value)
            if any(mentions(text, words) for words in heard):
                values.setdefault(name, {})[text.casefold()] = text
    return {name: next(iter(found.values())) for name, found in values.items() if len(found) == 1}


def because_of(text: str, before: Sequence[Message] | None, acts: Acts) -> Because | None:
    """What a user's message says yes to, by the replies before it; None where that can't be told from the words.

    `before`: the replies of the turn before; empty at the beginning, None where they are not known.
    """
    if before is None:
        return None
    asks = [ask for message in before for ask in message.asks]
    if not asks and not any(_MAY_ASK.search(message.text) for message in before):
        return Because("observed")
    if says_yes(text):
        quotes = [ask.quote for ask in asks if ask.kind in _OPEN_TO_YES]
        tools = _named(quotes, acts) or _named([message.text for message in before], acts)
        return Because("observed", consent=tools) if tools else None
    return Because("observed") if says_no(text) else None


def _named(texts: Iterable[str], acts: Acts) -> tuple[str, ...]:
    """The tools that write and that these texts name most clearly, one by one."""
    found: dict[str, None] = {}
    for text in texts:
        strengths: Mapping[str, float] = {
            tool: strength
            for tool, strength in acts.spoken_of(proposed(text)).items()
            if acts.by_tool[tool].tool.kind == "writes"
        }
        found.update(dict.fromkeys(best(strengths)))
    return tuple(found)
