"""Real telemetry of real frameworks, held against what the scripted model and the tools truly did."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import pytest

from tests.reference import reference
from traces.conversation import Conversation, Retrieval, ToolCall
from traces.log_record import LogRecord
from traces.otlp import read
from traces.reading import conversations
from traces.reading.compare import canonical, same_name
from traces.span import Span

SAMPLES = (
    "google-adk-2",
    "langfuse-openai",
    "langsmith-otel-langgraph",
    "mlflow-openai",
    "openinference-anthropic",
    "openinference-langgraph",
    "openinference-openai-agents",
    "otel-events-openai-v2",
    "otel-genai-feedback-events",
    "otel-genai-langgraph-rag",
    "otel-genai-openai-loop",
    "pitfall-double-instrumentation",
    "pitfall-lost-context-threads",
    "pitfall-stream-no-usage",
    "pitfall-truncated-256",
    "pydantic-ai-2-logfire",
    "remote-agent-joined",
    "semantic-kernel",
    "strands-events",
    "traceloop-langgraph",
    "traceloop-openai-0.40",
    "traceloop-sdk-openai",
    "vercel-ai-6",
)

Telemetry = tuple[tuple[Span, ...], tuple[LogRecord, ...]]


@lru_cache
def telemetry(name: str) -> Telemetry:
    paths = [reference(f"otel_samples/{name}.jsonl")]
    logs = paths[0].with_name(f"{name}.logs.jsonl")
    found = list(read(*paths, *([logs] if logs.exists() else [])))
    return (
        tuple(item for item in found if isinstance(item, Span)),
        tuple(item for item in found if isinstance(item, LogRecord)),
    )


def truth(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(reference(f"otel_samples/{name}.expected.json").read_text())
    return found


def text(name: str) -> str:
    """All that a sample says, to tell what it can't say."""
    spans, logs = telemetry(name)
    return "\n".join(map(repr, (*spans, *logs)))


class Differences:
    """Collects what differs, but for what the telemetry does not hold."""

    def __init__(self, absent: list[str]) -> None:
        self.found: list[str] = []
        self._absent = set(absent)

    def compare(self, path: str, expected: object, actual: object) -> None:
        if path not in self._absent and canonical(expected) != canonical(actual):
            self.found.append(f"{path}: expected {expected!r}, read {actual!r}")

    def misses(self, path: str) -> bool:
        return path in self._absent


def differences(name: str, conversation: Conversation) -> list[str]:
    expected, held = truth(name), text(name)
    seen = Differences(expected["absent_from_telemetry"])
    if expected["conversation_id"] is not None and expected["conversation_id"] in held:
        seen.compare("conversation_id", expected["conversation_id"], conversation.id)
    if expected["user_id"] in held:
        seen.compare("user_id", expected["user_id"], conversation.user_id)
    if repr(expected["agent_name"]) in held:
        seen.compare("agent_name", True, expected["agent_name"] in conversation.agents)
    # a framework may write more behind the application's prompt
    seen.compare("system_prompt", True, (conversation.system_prompt or "").startswith(expected["system_prompt"]))
    seen.compare("turns", len(expected["turns"]), len(conversation.turns))
    for at, (turn, read_turn) in enumerate(zip(expected["turns"], conversation.turns, strict=False)):
        seen.compare(f"turns[{at}].user", turn["user"], read_turn.user)
        seen.compare(f"turns[{at}].assistant", turn["assistant"], read_turn.assistant)
        calls = turn["tool_calls"]
        seen.compare(f"turns[{at}].tool_calls", len(calls), len(read_turn.tool_calls))
        for index, (call, read_call) in enumerate(zip(calls, read_turn.tool_calls, strict=False)):
            _compare_call(seen, f"turns[{at}].tool_calls[{index}]", call, read_call, held)
        seen.compare(
            f"turns[{at}].groups",
            _groups(call["parallel_group"] for call in calls),
            _groups(call.group for call in read_turn.tool_calls),
        )
        documents = [found for call in calls for found in call.get("retrieved", ())]
        steps = [step for step in read_turn.steps if isinstance(step, Retrieval)]
        read_documents = [found for step in steps for found in step.documents]
        seen.compare(
            f"turns[{at}].retrieved",
            [(found["id"], found["score"]) for found in documents],
            [(found.id, found.score) for found in read_documents],
        )
    _compare_models(seen, expected["llm_calls"], conversation, held)
    feedback = [
        (found["turn"], found["name"], found["value"], found["label"], found["explanation"])
        for found in expected.get("evaluations", ())
    ]
    read_feedback = [
        (found.turn, found.name, found.value, found.label, found.explanation) for found in conversation.feedback
    ]
    seen.compare("evaluations", sorted(feedback), sorted(read_feedback))
    return seen.found


def _compare_call(seen: Differences, path: str, expected: dict[str, Any], call: ToolCall, held: str) -> None:
    seen.compare(f"{path}.name", True, same_name(expected["name"], call.name))
    seen.compare(f"{path}.id", expected["id"], call.id)
    seen.compare(f"{path}.arguments", expected["arguments"], call.arguments)
    seen.compare(f"{path}.executed", expected["executed"], call.executed)
    seen.compare(f"{path}.failed", expected["error"] is not None, call.error is not None)
    if expected["error"] is not None and call.error is not None:
        seen.compare(f"{path}.error.type", expected["error"]["type"], call.error.type)
        seen.compare(f"{path}.error.message", expected["error"]["message"], call.error.message)
    seen.compare(f"{path}.result", expected["result"], call.result)
    told = expected["result_seen_by_model"]
    if "told" not in call.missing and told in held:
        seen.compare(f"{path}.told", told, call.told)


def _compare_models(seen: Differences, expected: list[dict[str, Any]], conversation: Conversation, held: str) -> None:
    calls = [(at, call) for at, turn in enumerate(conversation.turns) for call in turn.model_calls]
    seen.compare("llm_calls", len(expected), len(calls))
    for at, (call, (turn, read_call)) in enumerate(zip(expected, calls, strict=False)):
        path = f"llm_calls[{at}]"
        seen.compare(f"{path}.turn", call["turn"], turn)
        # LiteLLM writes the provider before it; some tell only the name of the model that answered
        asked_for = (read_call.model or "").rsplit("/", 1)[-1]
        seen.compare(f"{path}.model", True, asked_for in (call["model"], call["response_model"]))
        if call["response_model"] in held:
            seen.compare(f"{path}.response_model", call["response_model"], read_call.response_model)
        seen.compare(f"{path}.tool_call_ids", call["tool_call_ids"], list(read_call.tool_call_ids))
        usage = read_call.usage
        if usage is None:
            if call["usage_sent"]:
                seen.found.append(f"{path}: no tokens: {read_call.missing}")
            continue
        seen.compare(f"{path}.input_tokens", call["input_tokens"], usage.input)
        seen.compare(f"{path}.output_tokens", call["output_tokens"], usage.output)
        if "cache" in held:
            seen.compare(f"{path}.cached", call["cached_input_tokens"], usage.cached)
        if "reasoning" in held:
            seen.compare(f"{path}.reasoning", call["reasoning_output_tokens"], usage.reasoning)


def _groups(numbers: Iterator[object]) -> list[int | None]:
    order: dict[object, int] = {}
    return [None if number is None else order.setdefault(number, len(order)) for number in numbers]


@pytest.mark.parametrize("name", SAMPLES)
def test_all_that_the_telemetry_holds_is_read(name: str) -> None:
    found = conversations(*telemetry(name))
    assert len(found) == 1
    assert not differences(name, found[0])


@pytest.mark.parametrize("name", SAMPLES)
def test_order_doubles_and_pieces_change_nothing(name: str) -> None:
    spans, logs = telemetry(name)
    expected = conversations(spans, logs)
    rng = random.Random(name)
    for _ in range(3):
        mixed, records = [*spans, *rng.sample(spans, len(spans) // 2)], [*logs, *rng.sample(logs, len(logs) // 2)]
        rng.shuffle(mixed)
        rng.shuffle(records)
        assert conversations(mixed, records) == expected


@pytest.mark.parametrize("name", SAMPLES)
def test_the_conversations_of_two_samples_in_one_stream_stay_apart(name: str) -> None:
    other = "otel-genai-langgraph-rag" if name != "otel-genai-langgraph-rag" else "traceloop-openai-0.40"
    spans, logs = telemetry(name)
    more, records = telemetry(other)
    mixed = [*spans, *more]
    random.Random(name).shuffle(mixed)
    found = conversations(mixed, [*records, *logs])
    apart = [*conversations(spans, logs), *conversations(more, records)]
    assert sorted(map(repr, found)) == sorted(map(repr, apart))


@pytest.mark.parametrize("name", ["otel-genai-openai-loop", "otel-events-openai-v2", "semantic-kernel", "google-adk-2"])
def test_log_records_alone_tell_the_messages(name: str) -> None:
    _, logs = telemetry(name)
    (found,) = conversations([], logs)
    expected = truth(name)["turns"]
    assert [(turn.user, turn.assistant) for turn in found.turns] == [
        (one["user"], one["assistant"]) for one in expected
    ]
    for turn, one in zip(found.turns, expected, strict=True):
        assert [call.arguments for call in turn.tool_calls] == [call["arguments"] for call in one["tool_calls"]]
    assert found.spans == ()
    assert any("did not come" in warning for warning in found.warnings)
