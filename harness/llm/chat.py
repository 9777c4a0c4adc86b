"""The chat completions API, as OpenAI has it and most other servers too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from harness.llm.dialect import Body, Request, events, reading, sendable_arguments, sendable_name
from harness.llm.messages import Answer, Message, Part, assistant, call_parts, counted, text_part, told
from tools_sandbox.schema import ToolSpec

if TYPE_CHECKING:
    from openai import AsyncOpenAI


class Chat:
    """Chat completions."""

    path = "/chat/completions"
    own = frozenset({"model", "messages", "tools", "stream_options", "n"})

    def request(
        self,
        model: str,
        instructions: str,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        parameters: Mapping[str, Any],
    ) -> Request:
        """The request for an answer to the last of these messages."""
        told = [row for message in messages for row in _rows(message)]
        request = {"model": model, "messages": [{"role": "system", "content": instructions}, *told], **parameters}
        if tools:
            request["tools"] = [_tool(tool) for tool in tools]
        return request

    async def streamed(self, client: AsyncOpenAI, request: Request) -> Body:
        """Ask for a stream, and put its pieces together."""
        pieces = _Pieces()
        async for event in events(client, self.path, {**request, "stream_options": {"include_usage": True}}):
            with reading(event):
                pieces.add(event)
        return pieces.body()

    def read(self, body: Any) -> Answer:
        """The answer in a body."""
        with reading(body):
            choice = body["choices"][0]
            message = choice["message"]
            return Answer(
                assistant([*_said(message), *call_parts(list(_calls(message)))]),
                told(choice.get("finish_reason")),
                counted(body.get("usage"), "prompt_tokens", "completion_tokens"),
                told(body.get("model")),
                told(body.get("id")),
            )


def _tool(tool: ToolSpec) -> dict[str, Any]:
    described = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": described}


def _rows(message: Message) -> Iterator[dict[str, Any]]:
    """A message as the API takes it: each tool's answer is one of its own."""
    parts: list[Part] = message["parts"]
    if message["role"] == "tool":
        yield from ({"role": "tool", "tool_call_id": part["id"], "content": part["response"]} for part in parts)
        return
    text = "\n\n".join(part["content"] for part in parts if part["type"] in ("text", "refusal"))
    calls = [_call(part) for part in parts if part["type"] == "tool_call"]
    row: dict[str, Any] = {"role": message["role"], "content": text or (None if calls else "")}
    yield {**row, "tool_calls": calls} if calls else row


def _call(part: Part) -> dict[str, Any]:
    function = {"name": sendable_name(part["name"]), "arguments": sendable_arguments(part["arguments"])}
    return {"id": part["id"], "type": "function", "function": function}


def _said(message: Mapping[str, Any]) -> Iterator[Part]:
    content = message.get("content")
    for piece in content if isinstance(content, list) else [content]:
        text = piece.get("text") if isinstance(piece, dict) else piece
        if isinstance(text, str) and text:
            yield text_part(text)
    refusal = message.get("refusal")
    if isinstance(refusal, str) and refusal:
        yield {"type": "refusal", "content": refusal}


def _calls(message: Mapping[str, Any]) -> Iterator[tuple[Any, Any, Any]]:
    for call in message.get("tool_calls") or []:
        function = call.get("function") or {}
        yield call.get("id"), function.get("name"), function.get("arguments")


class _Pieces:
    """The pieces of a streamed answer."""

    def __init__(self) -> None:
        self._body: Body = {}
        self._content: list[str] = []
        self._refusal: list[str] = []
        self._calls: list[dict[str, Any]] = []
        self._finish: str | None = None

    def add(self, event: Mapping[str, Any]) -> None:
        """One chunk. The last one has the usage, and no choice."""
        self._body.update({name: event[name] for name in ("id", "model", "usage") if event.get(name)})
        choices = event.get("choices") or [{}]
        self._finish = choices[0].get("finish_reason") or self._finish
        delta = choices[0].get("delta") or {}
        self._content.append(delta.get("content") or "")
        self._refusal.append(delta.get("refusal") or "")
        for piece in delta.get("tool_calls") or []:
            self._add_call(piece)

    def _add_call(self, piece: Mapping[str, Any]) -> None:
        """A call comes in pieces with the same index; some servers give every call the same one, or none."""
        call_id, function = piece.get("id"), piece.get("function") or {}
        index = piece.get("index", len(self._calls))
        known = next((call for call in reversed(self._calls) if call["index"] == index), None)
        if known is None or (call_id and known["id"] and call_id != known["id"]):
            known = {"index": index, "id": call_id, "function": {"name": "", "arguments": ""}}
            self._calls.append(known)
        known["id"] = known["id"] or call_id
        for name in ("name", "arguments"):
            known["function"][name] += function.get(name) or ""

    def body(self) -> Body:
        """The body that the pieces make. Raises ValueError if the last one is missing."""
        if self._finish is None:
            raise ValueError("a stream that ended early")
        message = {"content": "".join(self._content), "refusal": "".join(self._refusal), "tool_calls": self._calls}
        return {**self._body, "choices": [{"message": message, "finish_reason": self._finish}]}
