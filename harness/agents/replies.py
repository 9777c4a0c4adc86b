"""What an agent gives back, made into a Reply."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, get_args
from unicodedata import category

from harness.agents.problem import AgentError
from harness.model.agent import Reply
from harness.model.episode import Message
from harness.model.expect import Outcome
from traces.genai import Usage

_OUTCOMES: tuple[str, ...] = get_args(get_args(Outcome)[0])
_KEYS = ("text", "messages", "outcome", "confidence", "usage")
MOST_PIECES = 100_000
"""Pieces that a streamed reply may come in."""

MOST_CHARACTERS = 10_000_000
"""Characters that the messages of a reply may have, all together."""

# Letters and signs that show nothing, beside whitespace, controls, format characters and marks without a letter.
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
_UNSEEN = frozenset({"Cc", "Cf", "Cn", "Mn", "Me", "Zs", "Zl", "Zp"})

_ACCEPTED = "text, a list of texts, a Reply, a dict with `text` or `messages`, or a LangChain AIMessage"


def reply_from(value: Any) -> Reply:
    """The reply that an agent's return value stands for: text, a list of messages, a Reply, a dict with `text` or
    `messages` (and `outcome`, `confidence`, `usage`), or a LangChain AI message.

    Raises AgentError if nothing is said in it, or it is anything else.
    """
    if type(value) is str and len(value) <= MOST_CHARACTERS and _shows(value):
        return Reply((value,))  # as most are
    reply = _read(value)
    _check(reply)
    # A subclass of str may bring code of its own: from here on a text is a text.
    said = tuple(str.__str__(text) for text in reply.messages if _shows(text))
    if not said:
        raise AgentError(f"the agent said nothing: it returned {_named(value)}")
    if (size := sum(map(len, said))) > MOST_CHARACTERS:
        raise AgentError(f"the agent's reply has {size:,} characters; it may have {MOST_CHARACTERS:,}")
    # A usage that the agent keeps is its own to change.
    usage = replace(reply.usage) if reply.usage is not None else None
    return Reply(said, reply.outcome, reply.confidence, usage)


def reply_from_pieces(pieces: Iterable[Any]) -> Reply:
    """The reply that a stream stands for: adjoining text pieces make one message, everything else is as in `reply_from`
    and a message (or more) of its own. What the last piece states of outcome, confidence and usage holds.

    Raises AgentError if nothing was said in it.
    """
    messages: list[str] = []
    text: list[str] = []
    outcome: Outcome | None = None
    confidence: float | None = None
    usage: Usage | None = None
    for piece in pieces:
        chunk = _chunk(piece)
        if chunk is not None:
            text.append(chunk)
            continue
        reply = _read(piece)
        messages += ["".join(text), *reply.messages]
        text.clear()
        outcome = reply.outcome or outcome
        confidence = reply.confidence if reply.confidence is not None else confidence
        usage = reply.usage or usage
    return reply_from(Reply((*messages, "".join(text)), outcome, confidence, usage))


class Pieces(list[Any]):
    """What a stream gave."""

    size = 0
    """Characters of its pieces of text."""

    def take(self, piece: Any) -> None:
        """Add a piece. Raises AgentError where the stream has no end in sight."""
        if len(self) >= MOST_PIECES:
            raise AgentError(f"the agent's stream has more than {MOST_PIECES:,} pieces in one reply")
        self.size += len(piece) if isinstance(piece, str) else 0
        if self.size > MOST_CHARACTERS:
            raise AgentError(f"the agent's stream has more than {MOST_CHARACTERS:,} characters in one reply")
        self.append(piece)


def message_text(content: Any) -> str:
    """The text of a chat message's content: text, or a list of parts of which the text parts count."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = (part if isinstance(part, str) else _part_text(part) for part in content)
    return "".join(parts)


def _part_text(part: Any) -> str:
    text = part.get("text") if isinstance(part, Mapping) else None
    return text if isinstance(text, str) else ""


def _chunk(piece: Any) -> str | None:
    """The text of a piece of a stream that is no message of its own."""
    if isinstance(piece, str):
        return piece
    core = sys.modules.get("langchain_core.messages")
    return message_text(piece.content) if core and isinstance(piece, core.AIMessageChunk) else None


def _read(value: Any) -> Reply:
    if isinstance(value, str):
        return Reply((value,))
    if isinstance(value, Reply):
        return (
            Reply((value.messages,), value.outcome, value.confidence, value.usage)
            if isinstance(value.messages, str)
            else value
        )
    if isinstance(value, Message):
        return Reply((value.text,))
    if isinstance(value, Mapping):
        return _read_mapping(value)
    if isinstance(value, list | tuple):
        return Reply(tuple(text for item in value for text in _read(item).messages))
    # A LangChain message can only come from where langchain_core is imported already.
    core = sys.modules.get("langchain_core.messages")
    if core and isinstance(value, core.AIMessage):
        return Reply((message_text(value.content),))
    raise AgentError(f"the agent returned {_named(value)}; a reply is {_ACCEPTED}")


def _read_mapping(value: Mapping[Any, Any]) -> Reply:
    unknown = [str(key) for key in value if key not in _KEYS]
    if unknown or ("text" in value) == ("messages" in value):
        wrong = f"unknown: {', '.join(unknown)}" if unknown else "either `text` or `messages` is needed"
        raise AgentError(f"the agent returned a dict that is no reply ({wrong}); its keys are {', '.join(_KEYS)}")
    said = value["text"] if "text" in value else value["messages"]
    usage = value.get("usage")
    return Reply(
        _read(said).messages,
        value.get("outcome"),
        value.get("confidence"),
        _usage(usage) if isinstance(usage, Mapping) else usage,
    )


def _usage(value: Mapping[Any, Any]) -> Usage:
    try:
        return Usage(**value)
    except TypeError as error:
        raise AgentError("the agent's reply has a `usage` that is not input, output, cached, reasoning") from error


def _check(reply: Reply) -> None:
    for text in reply.messages:
        if not isinstance(text, str):
            raise AgentError(f"the agent's reply has a message that is {_named(text)}, not text")
    if reply.outcome is not None and reply.outcome not in _OUTCOMES:
        raise AgentError(f"the agent states the outcome {reply.outcome!r}; known: {', '.join(_OUTCOMES)}")
    confidence = reply.confidence
    if confidence is not None and (
        isinstance(confidence, bool) or not isinstance(confidence, int | float) or not 0 <= confidence <= 1
    ):
        raise AgentError(f"the agent states the confidence {confidence!r}; it is a number from 0 to 1")
    if reply.usage is not None and not isinstance(reply.usage, Usage):
        raise AgentError(f"the agent's reply has a `usage` that is {_named(reply.usage)}, not a Usage")


def _shows(text: str) -> bool:
    """Whether there is anything to see in a text."""
    return any(category(char) not in _UNSEEN and char not in _BLANK for char in text)


def _named(value: Any) -> str:
    """What a value is, short."""
    if value is None:
        return "None"
    if isinstance(value, str | list | tuple | dict) and not value:
        return f"an empty {type(value).__name__}"
    shown = repr(value)
    return f"{type(value).__name__} {shown if len(shown) <= 80 else shown[:77] + '...'}"
