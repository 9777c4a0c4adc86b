"""The `execute_tool` span of a sandbox call, with the names of the OpenTelemetry GenAI conventions."""

from __future__ import annotations

from contextlib import AbstractContextManager

from opentelemetry.trace import Span, SpanKind, Status, StatusCode, Tracer, use_span

from tools_sandbox.call import Call
from traces import genai
from traces.json_text import json_text


class ToolSpan:
    """A span around one call: a projection of the Call, which gets the span's id."""

    __slots__ = ("_span",)

    def __init__(self, tracer: Tracer, call: Call) -> None:
        self._span = tracer.start_span(f"{genai.EXECUTE_TOOL} {call.tool}", kind=SpanKind.INTERNAL)
        context = self._span.get_span_context()
        call.span_id = format(context.span_id, "016x") if context.is_valid else None

    def current(self) -> AbstractContextManager[Span]:
        """Within the `with`, spans that are made stand below it."""
        return use_span(self._span, record_exception=False, set_status_on_exception=False)

    def drop(self) -> None:
        """End it without a call to show: it will be made again."""
        self._span.end()

    def end(self, call: Call, result: str | None) -> None:
        """Write the finished call on the span, and end it. `result`: the result of a successful one as JSON text."""
        error = call.error
        sent = call.raw if call.raw is not None else json_text(call.arguments)
        attributes = {
            genai.OPERATION: genai.EXECUTE_TOOL,
            genai.TOOL_NAME: call.tool,
            genai.TOOL_TYPE: "function",
            genai.TOOL_CALL_ID: call.id,
            genai.TOOL_ARGUMENTS: sent,
            genai.TOOL_RESULT: result if error is None else json_text({"error": error.text}),
        }
        if error is not None:
            attributes[genai.ERROR_TYPE] = error.kind
            self._span.set_status(Status(StatusCode.ERROR, error.text))
        self._span.set_attributes(attributes)
        self._span.end()
