"""Microsoft's Agent Framework: the GenAI conventions, with texts of its own where there is nothing to tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from traces.dialects.common import text_or_none
from traces.dialects.content.values import parse
from traces.dialects.facts import Facts, Message
from traces.dialects.otel_genai import OTEL_GENAI
from traces.genai import TOOL_ARGUMENTS
from traces.log_record import LogRecord
from traces.span import Span

_UNKNOWN = "unknown"


class AgentFramework:
    """`None` for no arguments, `unknown` for no id and no model; answers in messages are JSON once more."""

    name = "agent-framework"

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """A span of its scope that tells of a model, a tool or an agent."""
        return span.scope.startswith("agent_framework") and OTEL_GENAI.knows(span, logs)

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts as the conventions have them, without those texts."""
        facts = OTEL_GENAI.read(span, logs)
        facts.dialect = self.name
        facts.model = None if facts.model == _UNKNOWN else text_or_none(facts.model)
        if facts.tool is not None:
            call_id = None if facts.tool.id == _UNKNOWN else facts.tool.id
            nothing = span.attributes.get(TOOL_ARGUMENTS) == "None"
            facts.tool = replace(facts.tool, id=call_id, arguments={} if nothing else facts.tool.arguments)
        if facts.input is not None:
            facts.input = tuple(map(_answered, facts.input))
        return facts


AGENT_FRAMEWORK = AgentFramework()


def _answered(message: Message) -> Message:
    """The message with the answers as the model got them: text that the telemetry quoted."""
    if not message.answers:
        return message
    answers = []
    for answer in message.answers:
        content = answer.content
        if isinstance(content, str) and content[:1] == '"' and isinstance(inner := parse(content).value, str):
            answer = replace(answer, content=inner)
        answers.append(answer)
    return replace(message, answers=tuple(answers))
