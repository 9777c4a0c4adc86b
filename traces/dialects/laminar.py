"""Laminar: `lmnr.span.*` on the functions that were observed; its model calls follow the conventions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from traces.dialects.common import begin
from traces.dialects.content.results import arguments_of, take_result
from traces.dialects.facts import Facts
from traces.dialects.otel_genai import read_as
from traces.dialects.spoken import replied, said
from traces.log_record import LogRecord
from traces.span import Span

_TYPE = "lmnr.span.type"
_PATH = "lmnr.span.path"
_INPUT = "lmnr.span.input"
_OUTPUT = "lmnr.span.output"


class Laminar:
    """The type tells model calls and tools; the uppermost of all functions is the run."""

    name = "laminar"

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """The type, which all its spans have."""
        return _TYPE in span.attributes

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts by the type."""
        attributes = span.attributes
        kind = attributes[_TYPE]
        if kind == "LLM":
            return read_as("model", self.name, span, logs)
        if kind == "TOOL":
            found = begin("tool", self.name, span, logs)
            path = attributes.get(_PATH)
            name = path[-1] if isinstance(path, list) and path else span.name
            found.tool = arguments_of(name, None, attributes.get(_INPUT))
            take_result(found, attributes.get(_OUTPUT))
        elif span.parent_id is None:
            found = begin("agent", self.name, span, logs)
            found.said = partial(said, attributes.get(_INPUT))
            found.replied = partial(replied, attributes.get(_OUTPUT))
        else:
            found = begin("other", self.name, span, logs)
        return found


LAMINAR = Laminar()
