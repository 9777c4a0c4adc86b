"""Conversations far larger than agents hold: what is in them is found without a look at all that came before."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

import pytest

from tests.effort import growth
from traces.conversation import ToolCall
from traces.reading import conversations
from traces.span import Span

FEW, MANY = 250, 1500
LATE = 1_000_000


def model(number: int, history: Sequence[Any] | None) -> Span:
    attributes = {"gen_ai.operation.name": "chat", "gen_ai.output.messages": "Done."}
    if history is not None:
        attributes["gen_ai.input.messages"] = json.dumps(history)
    return Span("1" * 32, f"{number:016x}", None, "chat", "client", number, number + 1, attributes)


def tool(number: int, parent: int | None = None, name: str = "tool") -> Span:
    attributes = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name}
    above = None if parent is None else f"{parent:016x}"
    return Span("1" * 32, f"{number:016x}", above, "tool", "internal", number, LATE, attributes)


def call(number: int) -> dict[str, Any]:
    return {"id": f"call_{number}", "function": {"name": "look", "arguments": "{}"}}


def answer(number: int) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": f"call_{number}", "content": str(number)}


def said(many: int) -> list[Any]:
    return [{"role": ("user", "assistant")[number % 2], "content": str(number)} for number in range(many + 1)]


def at_once(many: int) -> list[Any]:
    return [*said(0), {"role": "assistant", "tool_calls": list(map(call, range(many)))}, *map(answer, range(many))]


def one_by_one(many: int) -> list[Any]:
    rounds = [({"role": "assistant", "tool_calls": [call(at)]}, answer(at)) for at in range(many)]
    return [*said(0), *chain.from_iterable(rounds)]


def without_ids(many: int) -> list[Any]:
    looks = [{"function": call(0)["function"]}] * many
    return [*said(0), {"role": "assistant", "tool_calls": looks}, *[{"role": "tool", "content": "x"}] * many]


@pytest.mark.parametrize(
    ("spans", "turns", "steps"),
    [
        (lambda many: [model(1, said(2 * many))], MANY + 1, 1),
        (lambda many: [model(1, at_once(many))], 1, MANY + 1),
        (lambda many: [model(1, one_by_one(many))], 1, MANY + 1),
        (lambda many: [model(number + 1, None) for number in range(many)], MANY, MANY),
        (lambda many: [model(1, without_ids(many)), *(tool(at + 2, name="look") for at in range(many))], 1, MANY + 1),
        (lambda many: [(model, tool)[at % 2](at + 1, None) for at in range(2 * many)], MANY, 2 * MANY),
        (lambda many: [tool(number, number - 1, f"tool-{number}") for number in range(1, many + 1)], 1, MANY),
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
def test_a_conversation_of_any_size_is_read(spans: Callable[[int], list[Span]], turns: int, steps: int) -> None:
    (found,) = conversations(spans(MANY))
    assert (len(found.turns), sum(len(turn.steps) for turn in found.turns)) == (turns, steps)
    asked = [step for turn in found.turns for step in turn.steps if isinstance(step, ToolCall) and step.id is not None]
    assert [step.result for step in asked] == list(range(len(asked)))
    assert growth(conversations, spans, FEW) < 1.1


def failed(number: int, start: int, end: int, error: str, **told: Any) -> Span:
    attributes = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "get", "error.type": error}
    for name, value in told.items():
        attributes[f"gen_ai.tool.call.{name}"] = json.dumps(value)
    scope = "one" if number % 2 else "other"
    return Span("1" * 32, f"{number:016x}", None, "", "internal", start, end, attributes, (), "error", "no", scope)


@pytest.mark.parametrize(
    "span",
    [
        lambda at: failed(at, at, LATE, "GetError", arguments={"k": 1}, id=at),
        lambda at: failed(at, at, LATE + at, "GetError"),
        lambda at: failed(at, 2 * at, 2 * at + 1, "GraphInterrupt", arguments={"k": at}),
        lambda at: failed(at, at, LATE, "GraphInterrupt", arguments={"k": 1}, id=at),
    ],
    ids=["ids", "no arguments", "paused", "paused at once"],
)
def test_many_that_failed_alike_are_told_apart(span: Callable[[int], Span]) -> None:
    (found,) = conversations(map(span, range(MANY)))
    assert sum(len(turn.steps) for turn in found.turns) == MANY
    assert growth(conversations, lambda many: [span(at) for at in range(many)], FEW) < 1.1


def seen(number: int, scope: str, tokens: int, start: int) -> Span:
    attributes = {"gen_ai.operation.name": "chat", "gen_ai.usage.input_tokens": tokens, "gen_ai.usage.output_tokens": 1}
    return Span("1" * 32, f"{number:016x}", None, "chat", "client", start, LATE, attributes, scope=scope)


def test_many_calls_alike_are_put_together_by_two() -> None:
    def spans(many: int) -> list[Span]:
        pairs = [seen(2 * at + copy, ("one", "other")[copy], 1, 9 * at) for at in range(1, many) for copy in (0, 1)]
        return [seen(1, "a third", 2, 0), *pairs]

    (found,) = conversations(spans(MANY))
    assert sum(len(turn.steps) for turn in found.turns) == MANY
    assert growth(conversations, spans, FEW) < 1.1


def test_many_calls_with_names_of_their_own_are_told_from_a_span_s() -> None:
    def spans(many: int) -> list[Span]:
        functions = [{"name": "tool", "arguments": json.dumps({"k": 1, f"k{at}": 1})} for at in range(many)]
        calls = [{"id": None, "function": function} for function in functions]
        ran = [tool(at + 2) for at in range(many)]
        for span in ran:
            span.attributes["gen_ai.tool.call.arguments"] = json.dumps({"k": 1, "w": span.start})
        return [model(1, [*said(0), {"role": "assistant", "tool_calls": calls}]), *ran]

    (found,) = conversations(spans(MANY))
    assert sum(len(turn.steps) for turn in found.turns) == 2 * MANY + 1
    assert growth(conversations, spans, FEW) < 1.1
