"""What an agent asks of a tool, where it comes from the agent's own code and may be of any type."""

from __future__ import annotations

import json

from harness.agents.problem import AgentError, text_of
from tools_sandbox.call import Json
from tools_sandbox.values import to_json


def called_by(call_id: object) -> str | None:
    """A call's id as text. Raises AgentError for what is no id."""
    if call_id is None or isinstance(call_id, str):
        return call_id
    if isinstance(call_id, int):
        return str(call_id)
    raise AgentError(f"a tool was called with an id of type {type(call_id).__name__}, not with text")


def refuse_unreadable(tool: object, arguments: Json) -> None:
    """Raise AgentError where a call failed since it can't be read: then the agent is at fault, and not the sandbox."""
    if not isinstance(tool, str):
        raise AgentError(f"a tool was called by a name of type {type(tool).__name__}, not of text")
    try:
        json.dumps(to_json(arguments))
    except (TypeError, ValueError, RecursionError) as error:
        raise AgentError(f"{tool} was called with arguments that are no JSON: {text_of(error)}") from error
