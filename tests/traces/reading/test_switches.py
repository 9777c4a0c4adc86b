"""What to set so that content is captured."""

from __future__ import annotations

import pytest

from tests.traces.reading.made import Trace
from traces.reading import conversation


@pytest.mark.parametrize(
    ("scope", "advice"),
    [
        ("opentelemetry.instrumentation.bedrock", "set TRACELOOP_TRACE_CONTENT=true"),
        ("@traceloop/instrumentation-openai", "set TRACELOOP_TRACE_CONTENT=true"),
        (
            "openinference.instrumentation.litellm",
            "unset OPENINFERENCE_HIDE_INPUTS, OPENINFERENCE_HIDE_OUTPUTS and their like",
        ),
        ("com.anthropic.sdk.python", "set ANTHROPIC_OPEN_TELEMETRY_TRACES_CONTENT_MODE=content"),
        ("azure.core.tracing.ext.opentelemetry_span", "set AZURE_TRACING_GEN_AI_CONTENT_RECORDING_ENABLED=true"),
        ("gen_ai", "set telemetry: {recordInputs: true, recordOutputs: true}"),
        ("opentelemetry.instrumentation.botocore", "set OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true"),
        (
            "opentelemetry.instrumentation.genai.openai",
            "set OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=SPAN_ONLY",
        ),
    ],
)
def test_every_instrumentation_has_a_switch_of_its_own(scope: str, advice: str) -> None:
    trace = Trace()
    trace.model(None, None, None, scope=scope)
    assert str(conversation(trace.spans).warnings[0]).endswith(advice)
