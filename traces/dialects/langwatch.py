"""LangWatch: `langwatch.span.type`, and what went in and out as `{"type": …, "value": …}`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from traces.dialects.common import begin, begin_model, count
from traces.dialects.content.exchange import counts
from traces.dialects.content.messages import messages
from traces.dialects.content.results import arguments_of, take_result
from traces.dialects.content.values import record
from traces.dialects.facts import Facts
from traces.dialects.spoken import replied, said
from traces.log_record import LogRecord
from traces.span import Span

_TYPE = "langwatch.span.type"
_INPUT = "langwatch.input"
_OUTPUT = "langwatch.output"


class LangWatch:
    """The type tells model calls, tools and agents; a trace's uppermost span is its run whatever its type."""

    name = "langwatch"

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """The type, which all its spans have."""
        return _TYPE in span.attributes

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts by the type."""
        attributes = span.attributes
        kind = attributes[_TYPE]
        given, gave = _value(attributes.get(_INPUT)), _value(attributes.get(_OUTPUT))
        if kind == "llm":
            found = begin_model(self.name, span, logs)
            found.input = messages(given) if given is not None else None
            found.output = messages(gave, "assistant") if gave is not None else None
            if used := counts(record(attributes.get("langwatch.metrics"))):
                count(found, used)
        elif kind == "tool":
            found = begin("tool", self.name, span, logs)
            found.tool = arguments_of(span.name, None, given)
            take_result(found, gave)
        elif kind == "agent" or span.parent_id is None:
            found = begin("agent", self.name, span, logs)
            found.agent = span.name if kind == "agent" else None
            found.said, found.replied = partial(said, given), partial(replied, gave)
        else:
            found = begin("other", self.name, span, logs)
        return found


LANGWATCH = LangWatch()


def _value(envelope: Any) -> Any:
    return record(envelope).get("value")
