"""DSPy by OpenInference and by OpenTelemetry: modules with fields for input and output, which the texts of model calls
hold all together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from traces.dialects.common import begin
from traces.dialects.content.values import is_record, record
from traces.dialects.dspy_fields import FINISH, field, plain
from traces.dialects.facts import Facts
from traces.dialects.openinference import OPENINFERENCE
from traces.dialects.otel_genai import OTEL_GENAI
from traces.log_record import LogRecord
from traces.span import Span

_SCOPE = "openinference.instrumentation.dspy"
_OFFICIAL = "opentelemetry.instrumentation.genai.dspy"
_RECORD = "{'"


class DSPy:
    """What a module was asked and what it answered are the texts among its fields that are not of its own workings."""

    name = "dspy"

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """A span of one of these instrumentations."""
        return span.scope == _OFFICIAL or (span.scope == _SCOPE and OPENINFERENCE.knows(span, logs))

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts of the instrumentation, told by fields; a tool goes by its function's name."""
        official = span.scope == _OFFICIAL
        facts = OTEL_GENAI.read(span, logs) if official else OPENINFERENCE.read(span, logs)
        facts.dialect = self.name
        if facts.tool is not None:
            facts.tool = replace(facts.tool, name=facts.tool.name.removesuffix(".__call__").removesuffix(".acall"))
            if facts.tool.name == FINISH and not facts.tool.arguments:
                return begin("other", self.name, span, logs)
        if official:
            _official(facts)
        elif facts.kind == "agent":
            given = record(span.attributes.get("input.value"))
            inner = given.get("input_args")
            facts.said = field(inner if is_record(inner) else given)
            facts.replied = field(record(span.attributes.get("output.value")))
        return facts


def _official(facts: Facts) -> None:
    """Takes the fields out of the texts. Of those that an agent was asked by, what is no literal is not guessed."""
    plain(facts)
    if facts.kind == "agent" and (said := facts.said) is not None and said.startswith(_RECORD):
        facts.said = field(record(said))


DSPY = DSPy()
