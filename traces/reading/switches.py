"""The switches that make an instrumentation record texts, arguments and results: most leave them out by default."""

from __future__ import annotations

from collections.abc import Iterable

from traces.reading.tree.forest import Node

_GENAI = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
_TRACELOOP = (
    *("anthropic", "bedrock", "cohere", "google_generativeai", "groq", "langchain", "mistralai", "ollama"),
    *("openai.v1", "together"),
)
"""What OpenLLMetry instruments under a scope that does not name it."""

_SWITCHES = (
    (
        "claude-code",
        "set OTEL_LOG_USER_PROMPTS=1, OTEL_LOG_ASSISTANT_RESPONSES=1, OTEL_LOG_TOOL_DETAILS=1 and"
        " OTEL_LOG_TOOL_CONTENT=1",
    ),
    ("openinference", "unset OPENINFERENCE_HIDE_INPUTS, OPENINFERENCE_HIDE_OUTPUTS and their like"),
    ("traceloop", "set TRACELOOP_TRACE_CONTENT=true"),
    *((f"opentelemetry.instrumentation.{library}", "set TRACELOOP_TRACE_CONTENT=true") for library in _TRACELOOP),
    ("litellm", "unset litellm.turn_off_message_logging"),
    ("com.anthropic.sdk", "set ANTHROPIC_OPEN_TELEMETRY_TRACES_CONTENT_MODE=content"),
    ("azure.core.tracing", "set AZURE_TRACING_GEN_AI_CONTENT_RECORDING_ENABLED=true"),
    ("vercel", "set experimental_telemetry: {isEnabled: true, recordInputs: true, recordOutputs: true}"),
    ("pydantic", "set InstrumentationSettings(include_content=True)"),
    ("agent-framework", "set ENABLE_SENSITIVE_DATA=true"),
    ("agent_framework", "set ENABLE_SENSITIVE_DATA=true"),
    ("semantic", "set SEMANTICKERNEL_EXPERIMENTAL_GENAI_ENABLE_OTEL_DIAGNOSTICS_SENSITIVE=true"),
    ("langsmith", "unset LANGSMITH_HIDE_INPUTS and LANGSMITH_HIDE_OUTPUTS"),
    ("adk", f"set {_GENAI}=SPAN_ONLY and OTEL_SEMCONV_STABILITY_OPT_IN=gen_ai_latest_experimental"),
    ("gcp.vertex.agent", f"set {_GENAI}=SPAN_ONLY and OTEL_SEMCONV_STABILITY_OPT_IN=gen_ai_latest_experimental"),
    ("opentelemetry.instrumentation.openai_v2", f"set {_GENAI}=true"),
    ("opentelemetry.instrumentation.botocore", f"set {_GENAI}=true"),
    ("haystack", "set HAYSTACK_CONTENT_TRACING_ENABLED=true"),
    ("gen_ai", "set telemetry: {recordInputs: true, recordOutputs: true}"),
    ("autogen", "instrument the model client too: this library has texts in what agents send each other alone"),
)


def switch(nodes: Iterable[Node]) -> str:
    """What to set for the instrumentations that these spans are from."""
    marks = dict.fromkeys((node.span.scope, node.facts.dialect) for node in nodes if node.facts.dialect)
    return " and ".join(dict.fromkeys(_of(scope, dialect) for scope, dialect in marks))


def _of(scope: str, dialect: str) -> str:
    for sign, text in _SWITCHES:
        if sign in scope or sign in dialect:
            return text
    return f"set {_GENAI}=SPAN_ONLY"
