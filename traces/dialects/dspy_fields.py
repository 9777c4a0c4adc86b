"""The fields of DSPy's modules, and the messages of their model calls as what user and assistant said to each other."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from traces.dialects.content.values import record
from traces.dialects.facts import Facts, Message
from traces.dialects.spoken import spoken

_WORKINGS = re.compile(
    r"trajectory|history|reasoning|rationale|completed|next_(thought|tool_name|tool_args)"
    r"|(thought|tool_name|tool_args|observation)_\d+"
)
_FIELD = re.compile(r"^\[\[ ## (\w+) ## \]\]$", re.MULTILINE)
_RULES = "\n\nRespond with the corresponding output fields"
_NOTHING: tuple[Any, ...] = (
    "None",
    "Not supplied for this particular example.",
    "Not supplied for this conversation history message.",
)

FINISH = "finish"
"""The tool by which an agent ends its own loop; nothing is done by it."""


def field(fields: Mapping[str, Any]) -> str | None:
    """The one text among the fields of a module that are not of its own workings."""
    return spoken({name: value for name, value in fields.items() if not _WORKINGS.fullmatch(name)})


def plain(facts: Facts) -> None:
    """Takes markers, rules and workings out of the messages of a model call, if an adapter of DSPy wrote them.

    A module that works on the answer is told of earlier turns only what the user said: there the history begins with
    what it is about now.
    """
    if not facts.input or not _FIELD.match(facts.input[-1].text):
        return
    found = [message if message.role == "system" else replace(message, text=_words(message)) for message in facts.input]
    last = len(found) - 1
    if any(message.role == "assistant" and not message.text for message in found):
        found = [message for at, message in enumerate(found) if at == last or message.role == "system"]
    facts.input = tuple(found)
    if facts.output is not None:
        facts.output = tuple(replace(message, text=_words(message)) for message in facts.output)


def _words(message: Message) -> str:
    _, *pieces = _FIELD.split(message.text.split(_RULES, 1)[0])
    fields = {name: text.strip() for name, text in zip(pieces[::2], pieces[1::2], strict=True)} or record(message.text)
    if not fields:
        return message.text
    told = {name: value for name, value in fields.items() if value not in _NOTHING and not _WORKINGS.fullmatch(name)}
    return field(told) or (message.text if told else "")  # of several fields it is unclear which
