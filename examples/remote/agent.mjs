// The same agent in JavaScript, without any package: spans are JSON, sent with fetch.
//
//     node agent.mjs PORT
//
// Where they go it is told in each request, by the header x-otlp-endpoint; or beforehand by
// OTEL_EXPORTER_OTLP_ENDPOINT. agent-sdk.cjs does the same with the OpenTelemetry SDK.

import { createServer } from "node:http";
import { randomBytes } from "node:crypto";

const id = (bytes) => randomBytes(bytes).toString("hex");
const now = () => String(BigInt(Date.now()) * 1000000n);

/** Spans below the caller's, kept until they are sent together. */
class Trace {
  constructor(traceparent) {
    const [, traceId, spanId] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-/.exec(traceparent) ?? [, id(16), ""];
    Object.assign(this, { traceId, spanId, spans: [] });
  }

  start(name, kind, attributes, parentSpanId = this.spanId) {
    const span = { traceId: this.traceId, spanId: id(8), parentSpanId, name, kind, startTimeUnixNano: now() };
    span.attributes = Object.entries(attributes).map(([key, value]) => ({
      key,
      value: typeof value === "number" ? { intValue: value } : { stringValue: value },
    }));
    this.spans.push(span);
    return span;
  }

  end(span) {
    span.endTimeUnixNano = now();
  }

  async send(endpoint) {
    const resource = { attributes: [{ key: "service.name", value: { stringValue: "order-desk" } }] };
    const body = { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "order-desk" }, spans: this.spans }] }] };
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${endpoint}/v1/traces`, { method: "POST", headers, body: JSON.stringify(body) });
    if (!answer.ok) console.error(`the spans are not taken: ${answer.status} ${await answer.text()}`);
  }
}

function reply(request, trace, parent) {
  const think = (said, input, output) =>
    trace.end(
      trace.start(
        "chat gpt-4o",
        3,
        {
          "gen_ai.operation.name": "chat",
          "gen_ai.provider.name": "openai",
          "gen_ai.request.model": "gpt-4o",
          "gen_ai.input.messages": JSON.stringify([
            { role: "user", parts: [{ type: "text", content: request.message ?? "" }] },
          ]),
          "gen_ai.output.messages": JSON.stringify([{ role: "assistant", parts: [said] }]),
          "gen_ai.usage.input_tokens": input,
          "gen_ai.usage.output_tokens": output,
        },
        parent.spanId,
      ),
    );
  if (request.tool_results.length) {
    const text = "I have cancelled the order.";
    think({ type: "text", content: text }, 40, 8);
    return { text, outcome: "resolved" };
  }
  const order = /O-\d+/.exec(request.message);
  if (!order) {
    const text = "Which order number is it?";
    think({ type: "text", content: text }, 20, 6);
    return { text };
  }
  const given = { order_id: order[0] };
  const tool = {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "check_fraud",
    "gen_ai.tool.call.id": "call_0",
    "gen_ai.tool.call.arguments": JSON.stringify(given),
    "gen_ai.tool.call.result": JSON.stringify({ score: 0.02 }),
  };
  trace.end(trace.start("execute_tool check_fraud", 1, tool, parent.spanId)); // a tool of its own
  const asked = { id: "call_1", name: "cancel_order", arguments: given };
  think({ type: "tool_call", ...asked }, 30, 12);
  return { text: "", tool_calls: [asked] };
}

const server = createServer(async (incoming, outgoing) => {
  const parts = [];
  for await (const part of incoming) parts.push(part);
  const trace = new Trace(incoming.headers.traceparent);
  const span = trace.start(`POST ${incoming.url}`, 2, {});
  const answer = JSON.stringify(reply(JSON.parse(Buffer.concat(parts)), trace, span));
  trace.end(span);
  outgoing.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(answer) });
  outgoing.end(answer);
  const endpoint = process.env.OTEL_EXPORTER_OTLP_ENDPOINT ?? incoming.headers["x-otlp-endpoint"];
  if (endpoint) await trace.send(endpoint);
});
server.listen(Number(process.argv[2]), "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/chat`));
