// The same agent in JavaScript, with the OpenTelemetry SDK: npm install @opentelemetry/sdk-node
//
//     OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 node agent-sdk.cjs PORT
//
// and `turngate run --otlp-port 4318 --agent http://127.0.0.1:PORT/chat`.

const { createServer } = require("node:http");
const { NodeSDK } = require("@opentelemetry/sdk-node");
const { context, propagation, trace, SpanKind } = require("@opentelemetry/api");

const sdk = new NodeSDK({ serviceName: "order-desk" }); // the exporter is set up by the environment
sdk.start();
const tracer = trace.getTracer("order-desk");

const think = (request, said, input, output) =>
  tracer
    .startSpan("chat gpt-4o", {
      kind: SpanKind.CLIENT,
      attributes: {
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
    })
    .end();

function reply(request) {
  if (request.tool_results.length) {
    const text = "I have cancelled the order.";
    think(request, { type: "text", content: text }, 40, 8);
    return { text, outcome: "resolved" };
  }
  const order = /O-\d+/.exec(request.message);
  if (!order) {
    const text = "Which order number is it?";
    think(request, { type: "text", content: text }, 20, 6);
    return { text };
  }
  const given = { order_id: order[0] };
  tracer.startActiveSpan("execute_tool check_fraud", (span) => {
    span.setAttributes({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "check_fraud",
      "gen_ai.tool.call.id": "call_0",
      "gen_ai.tool.call.arguments": JSON.stringify(given),
      "gen_ai.tool.call.result": JSON.stringify({ score: 0.02 }),
    });
    span.end();
  });
  const asked = { id: "call_1", name: "cancel_order", arguments: given };
  think(request, { type: "tool_call", ...asked }, 30, 12);
  return { text: "", tool_calls: [asked] };
}

const server = createServer(async (incoming, outgoing) => {
  const parts = [];
  for await (const part of incoming) parts.push(part);
  const caller = propagation.extract(context.active(), incoming.headers);
  const answer = tracer.startActiveSpan(`POST ${incoming.url}`, { kind: SpanKind.SERVER }, caller, (span) => {
    try {
      return JSON.stringify(reply(JSON.parse(Buffer.concat(parts))));
    } finally {
      span.end();
    }
  });
  outgoing.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(answer) });
  outgoing.end(answer);
});
server.listen(Number(process.argv[2]), "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/chat`));
process.on("SIGTERM", () => sdk.shutdown().finally(() => process.exit(0)));
