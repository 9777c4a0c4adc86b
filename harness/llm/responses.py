"""The responses API. Nothing is kept at the provider: each request holds the whole conversation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from harness.llm.dialect import Body, Request, events, reading, sendable_arguments, sendable_name, wrong_body
from harness.llm.messages import Answer, Message, Part, assistant, call_parts, counted, text_part, told
from tools_sandbox.schema import ToolSpec

if TYPE_CHECKING:
    from openai import AsyncOpenAI

_LAST = ("response.completed", "response.incomplete", "response.failed")


class Responses:
    """Responses."""

    path = "/responses"
    own = frozenset({"model", "input", "instructions", "tools", "store", "previous_response_id", "conversation"})

    def request(
        self,
        model: str,
        instructions: str,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        parameters: Mapping[str, Any],
    ) -> Request:
        """The request for an answer to the last of these messages."""
        items = [item for message in messages for item in _items(message)]
        request = {"model": model, "instructions": instructions, "input": items, "store": False, **parameters}
        if tools:
            request["tools"] = [_tool(tool) for tool in tools]
        return request

    async def streamed(self, client: AsyncOpenAI, request: Request) -> Body:
        """Ask for a stream; its last event has the whole body."""
        body = None
        async for event in events(client, self.path, request):
            if event.get("type") == "error":
                raise wrong_body({"error": event})
            if event.get("type") in _LAST:
                body = event.get("response")
        if not isinstance(body, dict):
            raise ValueError("a stream that ended early")
        return body

    def read(self, body: Any) -> Answer:
        """The answer in a body."""
        with reading(body):
            if body.get("status") == "failed":
                raise wrong_body(body)
            said = [part for item in body["output"] for part in _said(item)]
            called = [item for item in body["output"] if item.get("type") == "function_call"]
            calls = call_parts([(item.get("call_id"), item.get("name"), item.get("arguments")) for item in called])
            return Answer(
                assistant([*said, *calls]),
                _finish(body, bool(calls)),
                counted(body.get("usage"), "input_tokens", "output_tokens"),
                told(body.get("model")),
                told(body.get("id")),
            )


def _tool(tool: ToolSpec) -> dict[str, Any]:
    # Left to itself the API makes a schema strict, and so every argument required.
    described = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "strict": False, **described}


def _items(message: Message) -> Iterator[dict[str, Any]]:
    for part in message["parts"]:
        match part["type"]:
            case "tool_call":
                called = {"name": sendable_name(part["name"]), "arguments": sendable_arguments(part["arguments"])}
                yield {"type": "function_call", "call_id": part["id"], **called}
            case "tool_call_response":
                yield {"type": "function_call_output", "call_id": part["id"], "output": part["response"]}
            case "reasoning":
                yield part["item"]
            case _:
                yield {"role": message["role"], "content": part["content"]}


def _said(item: Any) -> Iterator[Part]:
    if item.get("type") == "reasoning" and item.get("encrypted_content"):
        # What was thought before a call belongs to it; without the content the provider has kept nothing of it.
        yield {"type": "reasoning", "item": item}
    if item.get("type") != "message":
        return
    for piece in item.get("content") or []:
        if text := told(piece.get("text")):
            yield text_part(text)
        if refusal := told(piece.get("refusal")):
            yield {"type": "refusal", "content": refusal}


def _finish(body: Mapping[str, Any], called: bool) -> str | None:
    """Why it ended, in the words of the other API."""
    if body.get("status") == "incomplete":
        reason = (body.get("incomplete_details") or {}).get("reason")
        return "length" if reason == "max_output_tokens" else told(reason)
    return "tool_calls" if called else "stop"
