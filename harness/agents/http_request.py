"""What a service is asked: the body of a request, filled in from the conversation so far."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from harness.agents.forms import http_tools, openai_tools
from harness.model.agent import Session
from harness.model.remote import FIELD
from tools_sandbox.call import Call, Json

SCHEMA = "turngate.agent/1"

BODY = {
    "schema": SCHEMA,
    "conversation_id": "{conversation_id}",
    "turn": "{turn}",
    "message": "{message}",
    "tool_results": "{tool_results}",
    "history": "{history}",
    "tools": "{tools}",
    "clock": "{clock}",
    "seed": "{seed}",
}
"""The body of a request where a workflow writes none."""

Entry = dict[str, Json]
"""What was said or called. `role` is user, agent or tool; `text`, `tool_calls` (of the agent), or `id`, `name` and
`result` or `error` (of a tool).
"""


def tool_entry(call: Call) -> Entry:
    """The answer to a tool call."""
    came = {"result": call.result} if call.error is None else {"error": call.error.text}
    return {"role": "tool", "id": call.id, "name": call.tool, **came}


def request_body(template: Json, session: Session, history: Sequence[Entry], new: Sequence[Entry]) -> bytes:
    """The JSON of a request. `history`: all before; `new`: the user's message, or the answers to tool calls."""
    return json.dumps(_filled(template, _fields(session, history, new)), default=float).encode()


def takes_results(template: Json) -> bool:
    """Whether a request from this template can bring the answers to tool calls."""
    return _has(template, "tool_results", "openai_messages")


def names_endpoint(template: Json) -> bool:
    """Whether a request from this template tells where spans may be sent."""
    return _has(template, "otlp_endpoint")


def _has(template: Json, *names: str) -> bool:
    return any("{" + name + "}" in json.dumps(template, default=float) for name in names)


def _fields(session: Session, history: Sequence[Entry], new: Sequence[Entry]) -> dict[str, Json]:
    """A value for each name that a template may have."""
    every = [*history, *new]
    return {
        "message": next((entry["text"] for entry in new if entry["role"] == "user"), None),
        "conversation_id": session.conversation_id,
        "turn": sum(entry["role"] == "user" for entry in every),
        "history": list(history),
        "tools": http_tools(session.tools),
        "tool_results": [_without_role(entry) for entry in new if entry["role"] == "tool"],
        "openai_messages": [_openai(entry) for entry in every],
        "openai_tools": openai_tools(session.tools),
        "clock": session.clock.isoformat(),
        "seed": session.seed,
        "otlp_endpoint": session.otlp_endpoint,
    }


def _without_role(entry: Entry) -> Entry:
    return {key: value for key, value in entry.items() if key != "role"}


def _openai(entry: Entry) -> dict[str, Any]:
    """The entry as a message of an OpenAI chat completion."""
    if entry["role"] == "user":
        return {"role": "user", "content": entry["text"]}
    if entry["role"] == "tool":
        told = entry["error"] if "error" in entry else entry["result"]
        return {"role": "tool", "tool_call_id": entry["id"], "content": _text(told)}
    message = {"role": "assistant", "content": entry["text"]}
    if calls := entry.get("tool_calls"):
        message["tool_calls"] = [
            {
                "id": call["id"],
                "type": "function",
                "function": {"name": call["name"], "arguments": _text(call["arguments"])},
            }
            for call in calls
        ]
    return message


def _filled(template: Json, fields: Mapping[str, Json]) -> Json:
    """The template with its `{names}` filled in, once: a text that is one name becomes its value, of whatever type."""
    if isinstance(template, dict):
        return {key: _filled(member, fields) for key, member in template.items()}
    if isinstance(template, list):
        return [_filled(member, fields) for member in template]
    if not isinstance(template, str):
        return template
    if (whole := FIELD.fullmatch(template)) is not None:
        return fields[whole[1]]
    return FIELD.sub(lambda found: _text(fields[found[1]]), template)


def _text(value: Json) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
