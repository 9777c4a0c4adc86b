"""An agent that runs as a service of its own and sends its spans with the stock OpenTelemetry SDK.

    python agent.py PORT

It knows nothing of turngate. It goes on from the `traceparent` of each request, and its exporter is set up by the usual
variables: OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 for `turngate run --otlp-port 4318`. Instead of asking a
model it follows a rule; its spans are those that an instrumented client would make.
"""

from __future__ import annotations

import json
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.propagate import extract
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import SpanKind

provider = TracerProvider(resource=Resource({"service.name": "order-desk"}))
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
trace.set_tracer_provider(provider)
tracer = trace.get_tracer("order-desk")


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """What the agent says to a user's message, or once its tool calls have their results."""
    if request["tool_results"]:
        text = "I have cancelled the order."
        think(request, {"role": "assistant", "parts": [{"type": "text", "content": text}]}, 40, 8)
        return {"text": text, "outcome": "resolved"}
    order = re.search(r"O-\d+", request["message"])
    if order is None:
        text = "Which order number is it?"
        think(request, {"role": "assistant", "parts": [{"type": "text", "content": text}]}, 20, 6)
        return {"text": text}
    given = {"order_id": order[0]}
    check_fraud(given)  # a tool of its own
    asked = {"type": "tool_call", "id": "call_1", "name": "cancel_order", "arguments": given}
    think(request, {"role": "assistant", "parts": [asked]}, 30, 12)
    return {"text": "", "tool_calls": [{"id": "call_1", "name": "cancel_order", "arguments": given}]}


def think(request: dict[str, Any], said: dict[str, Any], tokens_in: int, tokens_out: int) -> None:
    """A model call, as its span shows it."""
    heard = {"role": "user", "parts": [{"type": "text", "content": request["message"] or ""}]}
    attributes = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "gpt-4o",
        "gen_ai.conversation.id": request["conversation_id"],
        "gen_ai.input.messages": json.dumps([heard]),
        "gen_ai.output.messages": json.dumps([said]),
        "gen_ai.usage.input_tokens": tokens_in,
        "gen_ai.usage.output_tokens": tokens_out,
    }
    tracer.start_span("chat gpt-4o", kind=SpanKind.CLIENT, attributes=attributes).end()


def check_fraud(given: dict[str, Any]) -> None:
    """A tool that the service runs itself."""
    attributes = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "check_fraud",
        "gen_ai.tool.call.id": "call_0",
        "gen_ai.tool.call.arguments": json.dumps(given),
    }
    with tracer.start_as_current_span("execute_tool check_fraud", attributes=attributes) as span:
        span.set_attribute("gen_ai.tool.call.result", json.dumps({"score": 0.02}))


class Handler(BaseHTTPRequestHandler):
    """One POST, one answer, and a server's span around it that goes on from the caller's."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Answer."""
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        context = extract({name.lower(): value for name, value in self.headers.items()})
        with tracer.start_as_current_span(f"POST {self.path}", context, kind=SpanKind.SERVER):
            content = json.dumps(answer(request)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Say nothing of it."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
    print(f"http://127.0.0.1:{server.server_port}/chat", flush=True)  # noqa: T201
    server.serve_forever()
