"""LiteLLM's OpenTelemetry callback: a request in the conventions' words, and within it what the provider was sent."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from traces.dialects.common import begin, begin_model, count, text_or_none
from traces.dialects.content.exchange import counts, history, response
from traces.dialects.content.values import read, record
from traces.dialects.facts import Facts
from traces.dialects.otel_genai import INPUT, OTEL_GENAI
from traces.log_record import LogRecord
from traces.span import Span

_SCOPE = "litellm"
_CALL_ID = "litellm.call_id"
_USAGE = "metadata.usage_object"
_ASKED = ("messages", "contents", "input")
_RAW = re.compile(rf"llm\.[\w-]+\.({'|'.join(_ASKED)})")
"""The attributes of a raw request that hold its history; all of its others begin alike."""


class LiteLLM:
    """A request tells of calls without their ids, and in earlier versions not of those in its history; it may be on the
    application's own span, where the last one stays. So the raw requests within are read too; streamed ones are empty.
    """

    name = "litellm"

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """A span of the callback, or of the application with what the callback put there."""
        return span.scope == _SCOPE or _CALL_ID in span.attributes

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts of a request, or of a raw one."""
        at = span.attributes
        raw = next(filter(None, map(_RAW.fullmatch, at)), None)
        if raw is not None:
            return self._raw(span, logs, raw[0].removesuffix(raw[1]))
        if "llm.request.type" not in at and _CALL_ID not in at:
            return begin("other", self.name, span, logs)
        facts = OTEL_GENAI.read(span, logs) if INPUT in at else begin_model(self.name, span, logs)
        facts.dialect = self.name
        if any(name.endswith(".function_call.name") for name in at):
            facts.output = None
        if used := counts(record(at.get(_USAGE))):
            count(facts, used)
        return facts

    def _raw(self, span: Span, logs: Sequence[LogRecord], prefix: str) -> Facts:
        facts = begin_model(self.name, span, logs)
        told: dict[str, Any] = {
            name.removeprefix(prefix): read(value) for name, value in span.attributes.items() if name.startswith(prefix)
        }
        given = response({name: value for name, value in told.items() if name not in _ASKED})
        facts.input, facts.output = history(told), given.messages or None
        facts.model, facts.finish = text_or_none(told.get("model")), given.finish
        count(facts, given.usage)
        return facts


LITELLM = LiteLLM()
