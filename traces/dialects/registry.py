"""The dialects, and which of them a span is in: told span by span, for one trace mixes them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from traces.dialects.agent_framework import AGENT_FRAMEWORK
from traces.dialects.agentops import AGENTOPS
from traces.dialects.autogen import AUTOGEN
from traces.dialects.beeai import BEEAI
from traces.dialects.claude_code import CLAUDE_CODE
from traces.dialects.common import begin
from traces.dialects.content.memory import MANY
from traces.dialects.crewai import CREWAI
from traces.dialects.dspy import DSPY
from traces.dialects.evaluations import evaluations
from traces.dialects.facts import UNFORESEEN, Dialect, Facts
from traces.dialects.genkit import GENKIT
from traces.dialects.google_adk import GOOGLE_ADK
from traces.dialects.google_adk_openinference import GOOGLE_ADK_OPENINFERENCE
from traces.dialects.haystack import HAYSTACK
from traces.dialects.haystack_tracer import HAYSTACK_TRACER
from traces.dialects.laminar import LAMINAR
from traces.dialects.langfuse import LANGFUSE
from traces.dialects.langsmith import LANGSMITH
from traces.dialects.langtrace import LANGTRACE
from traces.dialects.langwatch import LANGWATCH
from traces.dialects.litellm import LITELLM
from traces.dialects.logfire import LOGFIRE
from traces.dialects.mastra import MASTRA
from traces.dialects.mlflow import MLFLOW
from traces.dialects.openai_agents import OPENAI_AGENTS
from traces.dialects.openinference import OPENINFERENCE
from traces.dialects.openlit import OPENLIT
from traces.dialects.otel_events import OTEL_EVENTS
from traces.dialects.otel_genai import OTEL_GENAI
from traces.dialects.pydantic_ai import PYDANTIC_AI
from traces.dialects.semantic_kernel import SEMANTIC_KERNEL
from traces.dialects.smolagents import SMOLAGENTS
from traces.dialects.spring_ai import SPRING_AI
from traces.dialects.strands import STRANDS
from traces.dialects.traceloop import TRACELOOP
from traces.dialects.traceloop_indexed import TRACELOOP_INDEXED
from traces.dialects.vercel_ai import VERCEL_AI
from traces.dialects.voltagent import VOLTAGENT
from traces.genai import OPERATION, PROVIDER
from traces.log_record import LogRecord
from traces.span import Span

DIALECTS: tuple[Dialect, ...] = (
    VERCEL_AI,
    PYDANTIC_AI,
    STRANDS,
    GOOGLE_ADK_OPENINFERENCE,
    GOOGLE_ADK,
    SEMANTIC_KERNEL,
    AGENT_FRAMEWORK,
    AUTOGEN,
    GENKIT,
    CLAUDE_CODE,
    LITELLM,
    SPRING_AI,
    LANGSMITH,
    LANGFUSE,
    MLFLOW,
    CREWAI,
    BEEAI,
    SMOLAGENTS,
    DSPY,
    HAYSTACK,
    HAYSTACK_TRACER,
    LOGFIRE,
    OPENAI_AGENTS,
    OPENINFERENCE,
    TRACELOOP_INDEXED,
    TRACELOOP,
    MASTRA,
    LANGTRACE,
    AGENTOPS,
    VOLTAGENT,
    LAMINAR,
    LANGWATCH,
    OPENLIT,
    OTEL_EVENTS,
    OTEL_GENAI,
)
"""In the order in which they are asked. A dialect whose spans carry another's attributes too stands before it."""


def facts(span: Span, logs: Sequence[LogRecord] = ()) -> Facts:
    """What a span and its own log records say; of the kind `other` and no dialect (`""`) where none knows them."""
    told = bool(logs or span.events)
    dialect = _among(span, logs) if told else _by_names(span)
    if dialect is None:
        found = begin("other", "", span, logs)
    else:
        try:
            found = dialect.read(span, logs)
        except UNFORESEEN as error:
            found = begin("other", dialect.name, span, logs)
            found.unread(error)
    if told:
        found.feedback += evaluations(span, logs)
    return found


def _among(span: Span, logs: Sequence[LogRecord]) -> Dialect | None:
    return next((dialect for dialect in DIALECTS if dialect.knows(span, logs)), None)


def _by_names(span: Span) -> Dialect | None:
    at = span.attributes
    if len(at) > MANY:
        return _among(span, ())
    try:
        return _of_names(span.scope, at.get(OPERATION), at.get("gen_ai.system"), at.get(PROVIDER), tuple(at))
    except TypeError:  # a list or an object where a name should be
        return _among(span, ())


@lru_cache(maxsize=1024)
def _of_names(scope: str, operation: Any, system: Any, provider: Any, names: tuple[str, ...]) -> Dialect | None:
    """The dialect of a span without events: the names of its attributes tell, with the few values that matter."""
    values = {OPERATION: operation, "gen_ai.system": system, PROVIDER: provider}
    return _among(Span("", "", None, "", "", 0, 0, {name: values.get(name) for name in names}, scope=scope), ())
