"""Conversations far larger than agents hold: what is in them is found without a look at all that came before."""

from __future__ import annotations

import json
from collections.abc import Sequence
from time import process_time
from typing import Any

import pytest

from traces.conversation import ToolCall
from traces.reading import conversations
from traces.span import Span

MANY = 30_000


def model(number: int, history: Sequence[Any] | None) -> Span:
    attributes = {"gen_ai.operation.name": "chat", "gen_ai.output.messages": "Done."}
    if history is not None:
        attributes["gen_ai.input.messages"] = json.dumps(history)
    return Span("1" * 32, f"{number:016x}", None, "chat", "client", number, number + 1, attributes)


def tool(number: int, parent: int | None = None, name: str = "tool") -> Span:
    attributes = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name}
    above = None if parent is None else f"{parent:016x}"
    return Span("1" * 32, f"{number:016x}", above, "tool", "internal", number, 2 * MANY, attributes)


def call(number: int) -> dict[str, Any]:
    return {"id": f"call_{number}", "function": {"name": "look", "arguments": "{}"}}


def answer(number: int) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": f"call_{number}", "content": str(number)}


SAID = [{"role": ("user", "assistant")[number % 2], "content": str(number)} for number in range(MANY + 1)]
AT_ONCE = [SAID[0], {"role": "assistant", "tool_calls": list(map(call, range(MANY)))}, *map(answer, range(MANY))]
ONE_BY_ONE = [SAID[0]]
for at in range(MANY // 2):
    ONE_BY_ONE += [{"role": "assistant", "tool_calls": [call(at)]}, answer(at)]
LOOKS = [{"function": call(0)["function"]}] * (MANY // 3)
WITHOUT_IDS = [SAID[0], {"role": "assistant", "tool_calls": LOOKS}, *[{"role": "tool", "content": "x"}] * len(LOOKS)]


@pytest.mark.parametrize(
    ("spans", "turns", "steps"),
    [
        ([model(1, SAID)], MANY // 2 + 1, 1),
        ([model(1, AT_ONCE)], 1, MANY + 1),
        ([model(1, ONE_BY_ONE)], 1, MANY // 2 + 1),
        ([model(number, None) for number in range(1, MANY // 3)], MANY // 3 - 1, MANY // 3 - 1),
        ([model(1, WITHOUT_IDS), *(tool(at, name="look") for at in range(2, MANY // 3 + 2))], 1, MANY // 3 + 1),
        ([(tool, model)[at % 2](at, None) for at in range(1, MANY // 3)], MANY // 6, MANY // 3 - 1),
        ([tool(number, number - 1, f"tool-{number}") for number in range(1, 3000)], 1, 2999),
    ],
    ids=[
        "turns",
        "calls at once",
        "calls one by one",
        "runs",
        "calls without ids",
        "tools of no run",
        "tools within tools",
    ],
)
def test_a_conversation_of_any_size_is_read(spans: Sequence[Span], turns: int, steps: int) -> None:
    began = process_time()
    (found,) = conversations(spans)
    assert process_time() - began < 10
    assert (len(found.turns), sum(len(turn.steps) for turn in found.turns)) == (turns, steps)
    asked = [step for turn in found.turns for step in turn.steps if isinstance(step, ToolCall) and step.id is not None]
    assert [step.result for step in asked] == list(range(len(asked)))


def failed(number: int, start: int, end: int, error: str, **told: Any) -> Span:
    attributes = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "get", "error.type": error}
    for name, value in told.items():
        attributes[f"gen_ai.tool.call.{name}"] = json.dumps(value)
    scope = "one" if number % 2 else "other"
    return Span("1" * 32, f"{number:016x}", None, "", "internal", start, end, attributes, (), "error", "no", scope)


@pytest.mark.parametrize(
    "spans",
    [
        [failed(at, at, 2 * MANY, "GetError", arguments={"k": 1}, id=at) for at in range(6000)],
        [failed(at, at, 2 * MANY + at, "GetError") for at in range(6000)],
        [failed(at, 2 * at, 2 * at + 1, "GraphInterrupt", arguments={"k": at}) for at in range(6000)],
        [failed(at, at, 2 * MANY, "GraphInterrupt", arguments={"k": 1}, id=at) for at in range(6000)],
    ],
    ids=["ids", "no arguments", "paused", "paused at once"],
)
def test_many_that_failed_alike_are_told_apart(spans: Sequence[Span]) -> None:
    began = process_time()
    (found,) = conversations(spans)
    assert process_time() - began < 5
    assert sum(len(turn.steps) for turn in found.turns) == len(spans)


def seen(number: int, scope: str, tokens: int, start: int) -> Span:
    attributes = {"gen_ai.operation.name": "chat", "gen_ai.usage.input_tokens": tokens, "gen_ai.usage.output_tokens": 1}
    return Span("1" * 32, f"{number:016x}", None, "chat", "client", start, 2 * MANY, attributes, scope=scope)


def test_many_calls_alike_are_put_together_by_two() -> None:
    pairs = [seen(2 * at + copy, ("one", "other")[copy], 1, 9 * at) for at in range(1, 4000) for copy in (0, 1)]
    began = process_time()
    (found,) = conversations([seen(1, "a third", 2, 0), *pairs])
    assert process_time() - began < 2
    assert sum(len(turn.steps) for turn in found.turns) == 4000


def test_many_calls_with_names_of_their_own_are_told_from_a_span_s() -> None:
    asked = [
        {"id": None, "function": {"name": "tool", "arguments": json.dumps({"k": 1, f"k{at}": 1})}} for at in range(6000)
    ]
    ran = [tool(at + 2) for at in range(6000)]
    for span in ran:
        span.attributes["gen_ai.tool.call.arguments"] = json.dumps({"k": 1, "w": span.start})
    began = process_time()
    (found,) = conversations([model(1, [SAID[0], {"role": "assistant", "tool_calls": asked}]), *ran])
    assert process_time() - began < 5
    assert sum(len(turn.steps) for turn in found.turns) == 12001
