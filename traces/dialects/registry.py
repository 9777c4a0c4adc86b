"""The dialects, and which of them a span is in: told span by span, for one trace mixes them."""

from __future__ import annotations

from collections.abc import Sequence

from traces.dialects.agent_framework import AGENT_FRAMEWORK
from traces.dialects.common import begin
from traces.dialects.crewai import CREWAI
from traces.dialects.evaluations import evaluations
from traces.dialects.facts import Dialect, Facts
from traces.dialects.google_adk import GOOGLE_ADK
from traces.dialects.langfuse import LANGFUSE
from traces.dialects.langsmith import LANGSMITH
from traces.dialects.mlflow import MLFLOW
from traces.dialects.openinference import OPENINFERENCE
from traces.dialects.otel_events import OTEL_EVENTS
from traces.dialects.otel_genai import OTEL_GENAI
from traces.dialects.pydantic_ai import PYDANTIC_AI
from traces.dialects.semantic_kernel import SEMANTIC_KERNEL
from traces.dialects.strands import STRANDS
from traces.dialects.traceloop import TRACELOOP
from traces.dialects.traceloop_indexed import TRACELOOP_INDEXED
from traces.dialects.vercel_ai import VERCEL_AI
from traces.log_record import LogRecord
from traces.span import Span

DIALECTS: tuple[Dialect, ...] = (
    VERCEL_AI,
    PYDANTIC_AI,
    STRANDS,
    GOOGLE_ADK,
    SEMANTIC_KERNEL,
    AGENT_FRAMEWORK,
    LANGSMITH,
    LANGFUSE,
    MLFLOW,
    CREWAI,
    OPENINFERENCE,
    TRACELOOP_INDEXED,
    TRACELOOP,
    OTEL_EVENTS,
    OTEL_GENAI,
)
"""In the order in which they are asked. A dialect whose spans carry another's attributes too stands before it."""


def facts(span: Span, logs: Sequence[LogRecord] = ()) -> Facts:
    """What a span and its own log records say; of the kind `other` and no dialect (`""`) where none knows them."""
    found = next((dialect.read(span, logs) for dialect in DIALECTS if dialect.knows(span, logs)), None)
    if found is None:
        found = begin("other", "", span, logs)
    if logs or span.events:
        found.feedback += evaluations(span, logs)
    return found
