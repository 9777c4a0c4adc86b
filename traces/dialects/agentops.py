"""AgentOps: functions that were decorated as sessions, workflows, agents and tools, and what these were given and gave.

Its model calls are told as OpenLLMetry did at first.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from traces.dialects.common import begin, text_or_none
from traces.dialects.content.results import arguments_of, take_result
from traces.dialects.facts import Facts, Kind
from traces.dialects.otel_genai import read_as
from traces.dialects.spoken import replied, said
from traces.genai import first_of
from traces.log_record import LogRecord
from traces.span import Span

_KIND = "agentops.span.kind"
_NAME = "operation.name"
_KINDS: dict[object, Kind] = {"session": "agent", "workflow": "agent", "agent": "agent", "tool": "tool"}


class AgentOps:
    """The kind says what a span is, and names the attributes that hold what went in and out."""

    name = "agentops"

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """The kind, which all its spans have but those of model calls."""
        return _KIND in span.attributes

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts by the kind; a session is a run, for its id is no more than that of its trace."""
        attributes = span.attributes
        kind = text_or_none(attributes[_KIND])
        if kind == "llm":
            return read_as("model", self.name, span, logs)
        found = begin(_KINDS.get(kind, "other"), self.name, span, logs)
        given, gave = (
            first_of(attributes, (f"agentops.{kind}.{side}", f"agentops.entity.{side}")) for side in ("input", "output")
        )
        if found.kind == "tool":
            found.tool = arguments_of(attributes.get(_NAME), None, given)
            take_result(found, gave)
        elif found.kind == "agent":
            found.agent = text_or_none(attributes.get(_NAME)) if kind == "agent" else None
            found.said, found.replied = partial(said, given), partial(replied, gave)
        return found


AGENTOPS = AgentOps()
