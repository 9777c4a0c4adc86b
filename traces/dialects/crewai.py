"""CrewAI by OpenLLMetry: what Python makes of crews, agents and tasks as text, in `crewai.*`; no tools, no messages."""

from __future__ import annotations

from collections.abc import Sequence

from traces.dialects.common import begin, text_or_none
from traces.dialects.facts import Facts
from traces.log_record import LogRecord
from traces.span import Span

_CREW = "crewai.crew."
_FLOW = "crewai.flow."
_AGENT = "crewai.agent."
_TASK = "crewai.task."
_MODEL = "crewai.llm."
_ALL = (_CREW, _FLOW, _AGENT, _TASK, _MODEL)


class CrewAI:
    """A task is what the crew was told, its output what it answered; an agent's span names its model but is no call."""

    name = "crewai"

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """Any attribute of a crew, a flow, an agent, a task or a model's wrapper."""
        return any(name.startswith(_ALL) for name in span.attributes)

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts by what the attributes are about."""
        at = span.attributes
        about = next(prefix for prefix in _ALL if any(name.startswith(prefix) for name in at))
        if about == _MODEL:
            facts = begin("model", self.name, span, logs)
            facts.model = text_or_none(at.get(_MODEL + "model"))
            return facts
        facts = begin("agent", self.name, span, logs)
        facts.counted = False
        facts.agent = text_or_none(at.get(_AGENT + "role")) or facts.agent
        facts.said = text_or_none(at.get(_TASK + "description"))
        output = next(
            (at[name] for name in (_CREW + "result", _FLOW + "result", "traceloop.entity.output") if name in at), None
        )
        facts.replied = text_or_none(output)
        return facts


CREWAI = CrewAI()
