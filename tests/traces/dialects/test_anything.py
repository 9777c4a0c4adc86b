"""Whatever stands where a dialect looks, it is read without an error, and what is no text is no text."""

from __future__ import annotations

import json

from hypothesis import example, given
from hypothesis import strategies as st

from tests.traces.dialects.made import facts, log, span

NAMES = (
    "genkit:type",
    "genkit:metadata:subtype",
    "genkit:input",
    "genkit:output",
    *(
        "gen_ai.operation.name",
        "gen_ai.system",
        "gen_ai.tool.name",
        "gen_ai.tool.call.id",
        "gen_ai.tool.call.arguments",
    ),
    *(
        "gen_ai.tool.call.result",
        "gen_ai.input.messages",
        "gen_ai.output.messages",
        "gen_ai.prompt",
        "gen_ai.completion",
    ),
    *("gen_ai.agent.name", "gen_ai.request.model", "gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens"),
    *(
        "gen_ai.response.finish_reason",
        "gen_ai.response.finish_reasons",
        "gen_ai.tool.status",
        "tool.name",
        "tool.result",
    ),
    *(
        "ai.operationId",
        "ai.toolCall.name",
        "ai.toolCall.args",
        "ai.toolCall.result",
        "ai.prompt",
        "ai.prompt.messages",
    ),
    *("ai.response.text", "ai.response.toolCalls", "ai.usage.inputTokens", "ai.usage.outputTokens", "ai.model.id"),
    *("ai.telemetry.metadata.sessionId", "events", "agent_name", "pydantic_ai.all_messages", "final_result"),
    *("pydantic_ai.new_message_index", "tool_arguments", "tool_response", "model_request_parameters"),
    *("langsmith.span.kind", "langsmith.trace.name", "langsmith.metadata.usage_metadata", "langfuse.observation.type"),
    *("langfuse.observation.input", "langfuse.observation.output", "langfuse.observation.usage_details"),
    *("langfuse.observation.level", "langfuse.observation.model.parameters", "mlflow.spanType", "mlflow.spanInputs"),
    *("mlflow.spanOutputs", "mlflow.chat.tokenUsage", "mlflow.trace.session", "gcp.vertex.agent.llm_request"),
    *("gcp.vertex.agent.llm_response", "gcp.vertex.agent.tool_call_args", "gcp.vertex.agent.tool_response"),
    *(
        "crewai.crew.tasks",
        "crewai.task.description",
        "crewai.llm.model",
        "crew_tasks",
        "spring.ai.kind",
        "raw_input",
        "response",
        "request_data",
        "mcp_data",
        "handoffs",
        "group_id",
        "error",
        "input",
    ),
    *("spring.ai.tool.definition.name", "spring.ai.tool.call.arguments", "openinference.span.kind", "input.value"),
    *("output.value", "llm.input_messages.0.message.role", "llm.input_messages.0.message.content"),
    *("span.type", "llm.messages", "llm.stream", "llm.usage.prompt_tokens", "entity.type", "entity.name", "output"),
    *("langwatch.span.type", "langwatch.input", "langwatch.output", "langwatch.metrics", "lmnr.span.type"),
    *("lmnr.span.path", "lmnr.span.input", "lmnr.span.output", "agentops.span.kind", "operation.name"),
    *("agentops.tool.input", "agentops.entity.output", "recipient_agent_type", "recipient_agent_class", "message"),
    *("llm.output_messages.0.message.role", "llm.output_messages.0.message.content", "metadata.path"),
)
SCOPES = (
    *("", "ai", "pydantic-ai", "strands.telemetry.tracer", "gcp.vertex.agent", "semantic_kernel.x", "agent_framework"),
    *("langsmith", "langfuse-sdk", "openinference.instrumentation.smolagents", "openinference.instrumentation.dspy"),
    *(
        "openinference.instrumentation.crewai",
        "openinference.instrumentation.haystack",
        "logfire.openai_agents",
        "openinference.instrumentation.beeai",
        "openinference.instrumentation.llama_index",
        "opentelemetry.instrumentation.genai.dspy",
        "@voltagent/core",
        "autogen-core",
    ),
)
WORDS = (
    *(
        "chat",
        "execute_tool",
        "invoke_agent",
        "generate_content",
        "call_llm",
        "invoke_swarm",
        "ai.toolCall",
        "llm",
        "tool",
    ),
    *("ai.generateText", "ai.generateText.doGenerate", "chain", "generation", "agent", "retriever", '"TOOL"', '"LLM"'),
    *('"AGENT"', '"RETRIEVER"', "LLM", "TOOL", "AGENT", "CHAIN", "ERROR", "None", "(merged tools)", "New task:\nx"),
    *("Calling tools:\n[1]", "Observation:\nx", "strands-agents", "messages", "role", "content", "parts", "tool_calls"),
)
PLAIN = (
    st.none()
    | st.booleans()
    | st.integers(-3, 300)
    | st.floats(allow_nan=False)
    | st.sampled_from(WORDS)
    | st.text(max_size=8)
)
KEYS = (
    *(
        "messages",
        "contents",
        "role",
        "content",
        "parts",
        "tool_calls",
        "function",
        "name",
        "arguments",
        "args",
        "kwargs",
    ),
    *(
        "choices",
        "message",
        "generations",
        "usage",
        "usage_metadata",
        "output",
        "input",
        "result",
        "error",
        "candidates",
    ),
    *(
        "toolUse",
        "toolResult",
        "function_call",
        "lc",
        "id",
        "config",
        "system_instruction",
        "prompt",
        "type",
        "raw_output",
    ),
    *("tool_name", "blocks", "documents", "input_args", "response_metadata", "input_tokens", "output_tokens", "total"),
)
VALUES = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=12,
)
ANY = VALUES | VALUES.map(json.dumps) | VALUES.map(repr) | VALUES.map(lambda value: json.dumps(value)[:-2])
EVENTS = st.sampled_from(
    (
        *("gen_ai.user.message", "gen_ai.assistant.message", "gen_ai.tool.message", "gen_ai.choice", "exception"),
        *("gen_ai.client.inference.operation.details", "gen_ai.content.prompt", "gen_ai.system.message"),
    )
)
FIELDS = ("content", "message", "id", "tool.result", "exception.type", "exception.message", "gen_ai.input.messages")


@given(
    scope=st.sampled_from(SCOPES),
    attributes=st.dictionaries(st.sampled_from(NAMES), ANY, max_size=8),
    events=st.lists(st.tuples(EVENTS, st.dictionaries(st.sampled_from(FIELDS), ANY, max_size=3)), max_size=3),
    records=st.lists(st.tuples(EVENTS, ANY), max_size=3),
    status=st.sampled_from(("ok", "unset", "error")),
)
@example("", {"openinference.span.kind": "LLM", "output.value": {"type": []}}, [], [], "ok")
@example("@voltagent/core", {"span.type": ["llm"]}, [], [], "ok")
def test_no_content_raises(scope, attributes, events, records, status):
    found = facts(span(scope, events=events, status=status)(attributes), [log(name, body) for name, body in records])
    assert not any("can't be read as" in note for note in found.notes)
    for words in (found.agent, found.model, found.said, found.replied, found.system, found.told, found.finish):
        assert words is None or isinstance(words, str)
    told = found.transcript() if found.transcript is not None else ()
    for message in (*(found.input or ()), *(found.output or ()), *told):
        assert isinstance(message.text, str)
    assert found.error is None or found.error.message is None or isinstance(found.error.message, str)
    assert found.usage is None or found.usage.flaw is None
    if found.conversation is not None:
        assert all(isinstance(part, str) for part in found.conversation)
