"""CrewAI: by OpenLLMetry texts of crews, agents and tasks (`crewai.*`), without tools; by OpenInference with tools.

The messages of its model calls are told by whatever instruments the model's client.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from traces.dialects.common import begin, text_or_none
from traces.dialects.content.messages import messages
from traces.dialects.content.python_text import lists_of
from traces.dialects.content.values import is_record, read, record
from traces.dialects.facts import Facts, Message
from traces.dialects.openinference import OPENINFERENCE
from traces.log_record import LogRecord
from traces.span import Span

_CREW = "crewai.crew."
_FLOW = "crewai.flow."
_AGENT = "crewai.agent."
_TASK = "crewai.task."
_MODEL = "crewai.llm."
_SCOPE = "openinference.instrumentation.crewai"
_ALL = (_CREW, _FLOW, _AGENT, _TASK, _MODEL)


class CrewAI:
    """A task is what the crew was told, its output what it answered; an agent's span names its model but is no call."""

    name = "crewai"

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """Any attribute of a crew, a flow, an agent, a task or a model's wrapper; or OpenInference's scope."""
        return _is_openinference(span) or any(name.startswith(_ALL) for name in span.attributes)

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts by what the attributes are about."""
        at = span.attributes
        if _is_openinference(span):
            return _openinference(span, logs)
        about = next(prefix for prefix in _ALL if any(name.startswith(prefix) for name in at))
        if about == _MODEL:
            facts = begin("model", self.name, span, logs)
            facts.model = text_or_none(at.get(_MODEL + "model"))
            return facts
        facts = begin("agent", self.name, span, logs)
        facts.counted = False
        facts.agent = text_or_none(at.get(_AGENT + "role")) or facts.agent
        facts.said = text_or_none(at.get(_TASK + "description")) or _only(at.get(_CREW + "tasks"))
        output = next(
            (at[name] for name in (_CREW + "result", _FLOW + "result", "traceloop.entity.output") if name in at), None
        )
        facts.replied = text_or_none(output)
        if isinstance(shown := at.get(_CREW + "tasks_output"), str):
            facts.transcript = partial(_shown, shown)
        return facts


CREWAI = CrewAI()


def _is_openinference(span: Span) -> bool:
    return span.scope == _SCOPE and OPENINFERENCE.knows(span, ())


def _openinference(span: Span, logs: Sequence[LogRecord]) -> Facts:
    facts = OPENINFERENCE.read(span, logs)
    facts.dialect = CREWAI.name
    if facts.kind == "agent":
        given = record(span.attributes.get("output.value"))
        facts.agent = None if facts.agent is None else facts.agent.removesuffix("._execute_core")
        facts.said = text_or_none(given.get("description")) or _only(span.attributes.get("crew_tasks"))
        facts.replied = text_or_none(given.get("raw")) or facts.replied
        facts.transcript = partial(_told, given)
    elif facts.tool is not None:
        facts.tool = replace(facts.tool, name=facts.tool.name.removesuffix(".run"))
    return facts


def _told(output: dict[str, Any]) -> tuple[Message, ...]:
    """The tools in the messages of a crew's tasks, or of one."""
    tasks = output.get("tasks_output")
    outputs = filter(is_record, tasks) if isinstance(tasks, list) else (output,)
    return _of_tools(one.get("messages") for one in outputs)


def _shown(tasks: str) -> tuple[Message, ...]:
    """The same in the text that Python shows of the outputs of tasks."""
    return _of_tools(lists_of(tasks, "messages"))


def _of_tools(lists: Iterable[Any]) -> tuple[Message, ...]:
    return tuple([one for told in lists for one in messages(told) if one.calls or one.answers])


def _only(tasks: Any) -> str | None:
    """What the crew was told, where that is one task."""
    found = read(tasks)
    told = [task.get("description") for task in found if is_record(task)] if isinstance(found, list) else []
    return text_or_none(told[0]) if len(told) == 1 else None
