"""DSPy by OpenInference: modules with fields for input and output, and model calls whose texts hold all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from traces.dialects.common import begin
from traces.dialects.dspy_fields import FINISH, field
from traces.dialects.facts import Facts
from traces.dialects.openinference import OPENINFERENCE
from traces.dialects.values import is_record, record
from traces.log_record import LogRecord
from traces.span import Span

_SCOPE = "openinference.instrumentation.dspy"


class DSPy:
    """What a module was asked and what it answered are the texts among its fields that are not of its own workings."""

    name = "dspy"

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """A span of that instrumentation."""
        return span.scope == _SCOPE and OPENINFERENCE.knows(span, logs)

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts of OpenInference; a tool goes by its function's name."""
        facts = OPENINFERENCE.read(span, logs)
        facts.dialect = self.name
        if facts.tool is not None:
            facts.tool = replace(facts.tool, name=facts.tool.name.removesuffix(".__call__").removesuffix(".acall"))
            if facts.tool.name == FINISH and not facts.tool.arguments:
                return begin("other", self.name, span, logs)
        if facts.kind == "agent":
            given = record(span.attributes.get("input.value"))
            inner = given.get("input_args")
            facts.said = field(inner if is_record(inner) else given)
            facts.replied = field(record(span.attributes.get("output.value")))
        return facts


DSPY = DSPy()
