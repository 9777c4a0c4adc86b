"""Recorded conversations of agents and of people, as what happened in order; the files are no part of the project."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

from harness.model.episode import Message
from harness.model.material import Document, Material
from tests.harness.scoring.build import call, material, said, user
from tests.reference import reference
from tools_sandbox.call import Call, Json
from tools_sandbox.schema import SandboxSchema, ToolSpec

Event = Message | Call

WRITES = (
    *("book", "cancel", "send", "transfer", "update", "exchange", "modify", "return"),
    *("enable", "disable", "resume", "suspend", "refuel"),
)
"""Beginnings of the names of tools that change something."""
STAR_WRITES = ("hotel_book", "ride_book", "restaurant_book", "hotel_service_request")


@cache
def conversations(source: str) -> dict[str, list[Event]]:
    """The conversations of one file under `data/`, by where they stand in it (`task 3 trial 0`, a dialogue's id)."""
    path = reference(f"data/{source}")
    if source.startswith(("sgd", "star")):
        dialogues = map(json.loads, path.read_text().splitlines())
        if source.startswith("sgd"):
            return {one["dialogue_id"]: list(_sgd(one)) for one in dialogues}
        return {str(one["DialogueID"]): list(_star(one)) for one in dialogues}
    loaded = json.loads(path.read_text())
    runs = loaded if isinstance(loaded, list) else loaded["simulations"]
    return {
        f"task {run['task_id']} trial {run['trial']}": list(_tau(run.get("traj") or run["messages"])) for run in runs
    }


@cache
def ground(source: str) -> Material:
    """What the agents of a file were given: their tools, and the policy as knowledge."""
    if source.startswith("sgd"):
        services = json.loads(reference("data/sgd/schema.json").read_text())
        tools = [
            ToolSpec(one["name"], one["description"], "writes" if one["is_transactional"] else "reads", {})
            for service in services
            for one in service["intents"]
        ]
        return _material(tools, "")
    if source.startswith("star"):
        return _material([ToolSpec(name, "", "writes", {}) for name in STAR_WRITES], "")
    if source.startswith("tau2_telecom"):
        return _material([], json.loads(reference(f"data/{source}").read_text())["info"]["environment_info"]["policy"])
    folder = {"tau1": "tau1_airline_gpt4o", "tau2_judge": "tau2_airline", "tau2_retail": "tau2_retail"}
    home = next((folder[start] for start in folder if source.startswith(start)), "tau2_airline")
    listed = json.loads(reference(f"data/{home}/tools.json").read_text())
    if home.startswith("tau1"):
        policy = json.loads(reference(f"data/{source}").read_text())[0]["traj"][0]["content"]
    else:
        policy = reference(f"data/{home}/policy.md").read_text()
    return _material([_tool(one.get("function", one)) for one in listed], policy)


def _material(tools: list[ToolSpec], policy: str) -> Material:
    made = material(knowledge=(Document("policy.md", policy),) if policy else (), start={})
    return replace(made, schema=SandboxSchema(tools={tool.name: tool for tool in tools}))


def _tool(listed: dict[str, Any]) -> ToolSpec:
    name = listed["name"]
    return ToolSpec(
        name,
        listed["description"],
        "writes" if name.startswith(WRITES) else "reads",
        {},
        proves="user_id" if name.startswith("find_user") else None,
        ends="escalated" if name.startswith("transfer") else None,
    )


def _tau(messages: list[dict[str, Any]]) -> Iterator[Event]:
    made: dict[str, dict[str, Any]] = {}
    for message in messages:
        for one in message.get("tool_calls") or ():
            made[one["id"]] = one.get("function", one)
        if message["role"] == "tool" and message.get("requestor") != "user":
            one = made[message.get("tool_call_id") or message["id"]]
            text = message["content"]
            failed = message["error"] if "error" in message else text.startswith("Error")
            yield _called(
                one["name"], parsed(one["arguments"]), None if failed else parsed(text), text if failed else None
            )
        elif message["role"] in ("user", "assistant") and message.get("content"):
            yield (user if message["role"] == "user" else said)(message["content"])


def _sgd(dialogue: dict[str, Any]) -> Iterator[Event]:
    for turn in dialogue["turns"]:
        if turn["speaker"] == "USER":
            yield user(turn["utterance"])
            continue
        for frame in turn["frames"]:
            if asked := frame.get("service_call"):
                yield call(asked["method"], asked["parameters"], result=frame.get("service_results"))
        yield said(turn["utterance"])


def _star(dialogue: dict[str, Any]) -> Iterator[Event]:
    query: dict[str, Any] | None = None
    for event in dialogue["Events"]:
        if event["Action"] in ("utter", "pick_suggestion") and event.get("Text"):
            yield (user if event["Agent"] == "User" else said)(event["Text"])
        elif event["Action"] == "query":
            query = event
        elif event["Action"] == "return_item" and query is not None:
            given = {name: value for one in query["Constraints"] for name, value in one.items()}
            yield call(query["APIName"], given, result=event.get("Item"))
            query = None


def _called(name: str, arguments: Json, result: Json, error: str | None) -> Call:
    made = call(name, arguments if isinstance(arguments, dict) else {}, result=result, error=error)
    return replace(made, kind="writes" if name.startswith(WRITES) else "reads")


def parsed(text: Json) -> Json:
    """JSON where a text is some, else the text."""
    try:
        return json.loads(text)
    except (TypeError, ValueError):
        return text
