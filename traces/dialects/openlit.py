"""OpenLIT: the GenAI conventions, with the calls that a model asked for on its span too, whatever content is kept."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from traces.dialects.content.pairing import ITEM
from traces.dialects.content.parts import asked
from traces.dialects.facts import AskedCall, Facts, Message
from traces.dialects.otel_genai import OTEL_GENAI
from traces.genai import CHAT, OPERATION, TOOL_CALL_ID, TOOL_NAME
from traces.log_record import LogRecord
from traces.span import Span

_ARGUMENTS = "gen_ai.tool.args"
_BETWEEN = ", "

_reader = json.JSONDecoder(strict=False)


class OpenLit:
    """Names, ids and arguments of all calls of a reply stand in an attribute each, with commas between them."""

    name = "openlit"

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """A model call of its scope that asked for tools."""
        at = span.attributes
        return span.scope.startswith("openlit") and at.get(OPERATION) == CHAT and TOOL_CALL_ID in at

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts as the conventions have them; calls that no message holds, and ids that stand for others."""
        facts = OTEL_GENAI.read(span, logs)
        facts.dialect = self.name
        calls = _calls(span)
        if not calls:
            return facts
        if not facts.output:
            facts.output = (Message("assistant", "", calls),)
        else:
            facts.output = tuple(_named(message, calls) for message in facts.output)
        return facts


OPENLIT = OpenLit()


def _calls(span: Span) -> tuple[AskedCall, ...]:
    ids = _split(span.attributes.get(TOOL_CALL_ID))
    names = _split(span.attributes.get(TOOL_NAME))
    if len(names) != len(ids):
        return ()
    arguments = _values(span.attributes.get(_ARGUMENTS))
    if len(arguments) != len(ids):
        arguments = [None] * len(ids)
    return tuple(map(asked, names, ids, arguments))


def _named(message: Message, calls: Sequence[AskedCall]) -> Message:
    """The message with the calls' own ids, where it has those of the items that hold them."""
    held = message.calls
    if len(held) != len(calls) or not all(call.id is not None and call.id.startswith(ITEM) for call in held):
        return message
    return replace(message, calls=tuple(replace(call, id=own.id) for call, own in zip(held, calls, strict=True)))


def _split(value: Any) -> tuple[str, ...]:
    return tuple(value.split(_BETWEEN)) if isinstance(value, str) and value else ()


def _values(text: Any) -> list[Any]:
    """The JSON values in a text, one behind the other; empty if it holds anything else."""
    found: list[Any] = []
    at = 0
    while isinstance(text, str) and at < len(text):
        try:
            value, at = _reader.raw_decode(text, at)
        except (ValueError, RecursionError):
            return []
        found.append(value)
        at += len(_BETWEEN)
    return found
