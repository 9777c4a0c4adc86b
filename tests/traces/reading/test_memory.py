"""What is remembered from one conversation to the next: no content that can be changed, and nothing large."""

from __future__ import annotations

import json
import tracemalloc
from typing import Any

import pytest

from traces.conversation import ToolCall
from traces.reading import conversations
from traces.span import Span

LARGE = 500_000


def of(number: int, **attributes: Any) -> Span:
    return Span(f"{number:032x}", "a" * 16, None, "chat", "client", 1, 2, attributes)


def asking(number: int) -> Span:
    history = [
        {"role": "user", "content": "The order?"},
        {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "get", "arguments": {"of": {"n": 7}}}}]},
        {"role": "tool", "content": [{"json": {"seats": [1]}}], "tool_call_id": "1"},
    ]
    at = {"gen_ai.operation.name": "chat", "gen_ai.input.messages": json.dumps(history)}
    return of(number, **at, **{"gen_ai.output.messages": "Done."})


def call(number: int) -> ToolCall:
    (found,) = conversations([asking(number)])
    (made,) = found.turns[0].tool_calls
    return made


def test_who_changes_a_conversation_changes_no_other() -> None:
    first = call(1)
    first.arguments["of"]["n"] = "secret"
    first.result["seats"].append("secret")
    second = call(2)
    assert (second.arguments, second.result) == ({"of": {"n": 7}}, {"seats": [1]})


@pytest.mark.parametrize(
    "attributes",
    [
        lambda text: {"gen_ai.conversation.id": text},
        lambda text: {"metadata": json.dumps({"thread_id": text})},
        lambda text: {"gen_ai.input.messages": json.dumps([{"role": "user", "content": text}])},
        lambda text: {"gen_ai.input.messages": json.dumps([{"content": text, "role": "user"}])},
        lambda text: {"openinference.span.kind": "LLM", "llm.input_messages.0.message.content": text},
        lambda text: (
            {"openinference.span.kind": "LLM"}
            | {f"llm.input_messages.{at}.message.content": text[:9] for at in range(LARGE // 100)}
        ),
        lambda text: {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": text},
    ],
    ids=["conversation", "metadata", "messages", "other messages", "row", "names", "tool"],
)
def test_what_is_large_goes_with_its_conversation(attributes: Any) -> None:
    def read(number: int) -> None:
        conversations([of(number, **{"gen_ai.operation.name": "chat", **attributes(f"{number}" + "x" * LARGE)})])

    read(0)
    tracemalloc.start()
    try:
        for number in range(1, 9):
            read(number)
        assert tracemalloc.get_traced_memory()[0] < LARGE
    finally:
        tracemalloc.stop()
