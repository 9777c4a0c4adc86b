"""The sandbox's tools in the forms that agents take them in, each a copy of one's own, and the text of a call's result
as an agent reads it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from tools_sandbox.call import Call
from tools_sandbox.schema import ToolSpec
from tools_sandbox.values import to_json


def openai_tools(tools: Iterable[ToolSpec]) -> list[dict[str, Any]]:
    """For the `tools` of an OpenAI chat completion request."""
    return [{"type": "function", "function": described(tool)} for tool in tools]


def mcp_tools(tools: Iterable[ToolSpec]) -> list[dict[str, Any]]:
    """For the answer to an MCP `tools/list` request."""
    return [
        {
            "name": tool.name,
            "description": tool.description,
            "inputSchema": to_json(tool.parameters),
            "annotations": {"readOnlyHint": tool.kind == "reads"},
        }
        for tool in tools
    ]


def http_tools(tools: Iterable[ToolSpec]) -> list[dict[str, Any]]:
    """For a JSON body: name, description and the JSON Schema of the arguments object."""
    return [described(tool) for tool in tools]


def described(tool: ToolSpec) -> dict[str, Any]:
    """Name, description and the JSON Schema of the arguments object."""
    return {"name": tool.name, "description": tool.description, "parameters": to_json(tool.parameters)}


def result_text(call: Call) -> str:
    """What the agent reads: the error's text, else the result, as JSON unless it is text."""
    if call.error is not None:
        return call.error.text
    return call.result if isinstance(call.result, str) else json.dumps(call.result, ensure_ascii=False)


def json_arguments(call: Call) -> str:
    """The arguments as a model writes them: its own text where that is known."""
    return call.raw if call.raw is not None else json.dumps(call.arguments or {}, ensure_ascii=False)


def mcp_result(call: Call) -> dict[str, Any]:
    """The answer to an MCP `tools/call` request."""
    return {"content": [{"type": "text", "text": result_text(call)}], "isError": not call.ok}
