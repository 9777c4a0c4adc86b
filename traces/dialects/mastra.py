"""Mastra's exporter: the GenAI conventions for what ran, and what was said in attributes of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from traces.dialects.common import begin_model, text_or_none
from traces.dialects.content.messages import messages
from traces.dialects.content.values import read, record
from traces.dialects.facts import Facts, Message
from traces.dialects.otel_genai import OTEL_GENAI, last_text
from traces.log_record import LogRecord
from traces.span import Span

_TYPE = "mastra.span.type"
_TOOLS = re.compile(r"(?:\[tool(?:-result)?: [^\[\]]*\])+\Z")
"""What stands in a history for calls and their results, behind a message's text: the step before tells of the calls."""


class Mastra:
    """A step holds history and reply, and around the call of the model that counts its tokens it is that call too."""

    name = "mastra"

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """Any span that says which of Mastra's it is."""
        return _TYPE in span.attributes

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts by the conventions; of a step and of an agent's run what was said."""
        at = span.attributes
        kind = at[_TYPE]
        asked, given = at.get(f"mastra.{kind}.input"), at.get(f"mastra.{kind}.output")
        if kind == "model_step":
            facts = begin_model(self.name, span, logs)
            facts.input = None if asked is None else _history(read(asked))
            facts.output = None if given is None else _reply(record(given))
            return facts
        facts = OTEL_GENAI.read(span, logs)
        facts.dialect = self.name
        if kind == "model_inference" and facts.finish == "tool-calls":
            facts.output = None  # it holds the text alone, the step around it the calls too
        elif kind == "agent_run":
            facts.said = lambda: last_text(_history(read(asked)), "user")
            facts.replied = lambda: text_or_none(record(given).get("text"))
        return facts


MASTRA = Mastra()


def _history(asked: Any) -> tuple[Message, ...]:
    if isinstance(asked, dict) and "messages" in asked:
        asked = asked["messages"]
    found = []
    for message in messages(asked):
        if message.role not in ("assistant", "tool"):
            found.append(message)
            continue
        answers = tuple(answer for answer in message.answers if _TOOLS.sub("", str(answer.content)))
        message = replace(message, text=_TOOLS.sub("", message.text), answers=answers)
        if message.text or message.calls or message.answers:
            found.append(message)
    return tuple(found)


def _reply(given: dict[str, Any]) -> tuple[Message, ...]:
    return messages({"role": "assistant", "content": given.get("text"), "tool_calls": given.get("toolCalls")})
