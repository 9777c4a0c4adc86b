"""Spring AI: model calls by the GenAI conventions; tools and clients in `spring.ai.*`, of the operation `framework`."""

from __future__ import annotations

from collections.abc import Sequence

from traces.dialects.common import begin, text_or_none
from traces.dialects.content.results import arguments_of, take_result
from traces.dialects.facts import Facts
from traces.dialects.otel_events import OTEL_EVENTS
from traces.dialects.otel_genai import OTEL_GENAI
from traces.log_record import LogRecord
from traces.span import Span

_KIND = "spring.ai.kind"
_TOOL = "spring.ai.tool."
_CONVERSATION = "spring.ai.chat.client.conversation.id"


class SpringAI:
    """Arguments and results of tools are there only where the application switched them on."""

    name = "spring-ai"

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """A span of a tool, a chat client or an advisor of Spring's."""
        return _KIND in span.attributes or f"{_TOOL}definition.name" in span.attributes

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts by the kind."""
        at = span.attributes
        if f"{_TOOL}definition.name" in at:
            facts = begin("tool", self.name, span, logs)
            call_id, given = at.get(f"{_TOOL}call.id"), at.get(f"{_TOOL}call.arguments")
            facts.tool = arguments_of(at[f"{_TOOL}definition.name"], call_id, given)
            if facts.error is None:
                take_result(facts, at.get(f"{_TOOL}call.result"))
        elif at[_KIND] == "chat_client":
            facts = begin("agent", self.name, span, logs)
            facts.counted = False
        else:
            facts = (OTEL_EVENTS if OTEL_EVENTS.knows(span, logs) else OTEL_GENAI).read(span, logs)
            facts.dialect = self.name
        if facts.conversation is None and at.get(_CONVERSATION):
            facts.conversation = (str(text_or_none(at[_CONVERSATION])), _CONVERSATION)
        return facts


SPRING_AI = SpringAI()
