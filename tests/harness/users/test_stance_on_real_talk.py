"""The user's stance, held against proposals that real agents made and real or simulated customers said yes to.

Of every reply that proposes something, to which the customer said yes, and after which the agent called a tool that
writes: does a user who wants what was called say yes to it, and a user who wants nothing never?
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from harness.model.episode import AskKind, Message
from harness.model.scenario import Scenario
from harness.users.recognise import SlotBook, recognise
from harness.users.scripted import Script
from tests.reference import reference
from tools_sandbox.schema import FieldType, SandboxSchema, ToolSpec

WRITES = ("book_", "cancel_", "exchange_", "modify_", "return_", "send_", "transfer_", "update_")
RUNS = [
    ("tau2_retail_runs/gpt-4.1.json", "tau2_retail/tools.json"),
    ("tau2_retail_runs/ft-gpt-4.1.json", "tau2_retail/tools.json"),
    ("tau2_airline_runs/gpt-4.1.json", "tau2_airline/tools.json"),
    ("tau2_airline_runs/claude-sonnet-4-5.json", "tau2_airline/tools.json"),
    ("tau2_airline_runs/gpt-oss-120b.json", "tau2_airline/tools.json"),
    ("tau2_retail_runs/grok-3_tau1format.json", "tau2_retail/tools.json"),
    ("tau1_airline_gpt4o/trajectories.json", "tau1_airline_gpt4o/tools.json"),
]


def _schema(path: str) -> SandboxSchema:
    tools = {}
    for entry in json.loads(reference(f"data/{path}").read_text("utf-8")):
        function = entry["function"]
        name = function["name"]
        kind: Any = "writes" if name.startswith(WRITES) else "reads"
        arguments = {argument: FieldType("any") for argument in function["parameters"].get("properties", {})}
        tools[name] = ToolSpec(name, function["description"], kind, {}, arguments)
    return SandboxSchema({}, tools)


def _calls(message: dict[str, Any], schema: SandboxSchema) -> list[tuple[str, dict[str, Any]]]:
    made = []
    for call in message.get("tool_calls") or []:
        function = call.get("function", call)
        given = function["arguments"]
        values = json.loads(given) if isinstance(given, str) else given
        spec = schema.tools.get(function["name"])
        if spec is not None and spec.kind == "writes":
            plain = {name: value for name, value in values.items() if isinstance(value, str)}
            made.append((function["name"], plain))
    return made


def _agreed(path: str, schema: SandboxSchema) -> Iterator[tuple[str, set[str], list[Any]]]:
    """Reply, tools called after the yes, and all writes of the conversation."""
    data = json.loads(reference(f"data/{path}").read_text("utf-8"))
    runs = data["simulations"] if isinstance(data, dict) else data
    for run in runs:
        talk = run["messages"] if "messages" in run else run["traj"]
        writes = [{tool: given} for message in talk for tool, given in _calls(message, schema)]
        for reply, answer, then in zip(talk, talk[1:], talk[2:], strict=False):
            tools = {tool for tool, _ in _calls(then, schema)}
            said = (answer.get("content") or "").lower()
            if reply["role"] == "assistant" and answer["role"] == "user" and tools and "yes" in said[:40]:
                yield reply["content"] or "", tools, writes


def _consent(reply: str, required: list[Any], schema: SandboxSchema) -> set[str] | None:
    """The tools that a user who wants these calls says yes to; None where the reply proposes nothing."""
    expect = {"calls": {"required": required}} if required else {}
    wants = {"id": "s", "family": "f", "user": {"turns": ["Hi."]}, "expect": expect}
    asks = tuple(ask for ask in recognise(reply, SlotBook.of({}, {})).asks if ask.kind is AskKind.PROPOSAL)
    script = Script.of(Scenario.model_validate(wants), schema)
    return {*script.answers.to([Message("agent", reply, 1, asks=asks)], {}, []).consent} if asks else None


def test_who_wants_it_says_yes_and_who_does_not_never():
    count: Counter[str] = Counter()
    for runs, tools in RUNS:
        schema = _schema(tools)
        for reply, called, writes in _agreed(runs, schema):
            consent = _consent(reply, writes, schema)
            if consent is not None:
                count["proposals"] += 1
                count["yes"] += called <= consent
                unwanted = _consent(reply, [], schema) or set()
                count["wrong yes"] += any(schema.tools[tool].kind == "writes" for tool in unwanted)
    assert count["proposals"] > 150
    assert count["wrong yes"] == 0
    assert count["yes"] >= 0.92 * count["proposals"], count
