"""The tool calls of a conversation, with the marks that the workflow gives to its tools."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from tools_sandbox.call import Call, CallError, Json, Proof
from tools_sandbox.passages import passages
from tools_sandbox.schema import SandboxSchema, ToolSpec
from traces.conversation import Conversation, ToolCall
from traces.span import Span

_PREFIX = re.compile(r".*(?:__|[-.:/])")
_NANO = 1e9


def calls_of(conversation: Conversation, schema: SandboxSchema) -> list[Call]:
    """Every tool call in the order of the conversation. One that nothing shows to have been executed counts as tried,
    not as done.
    """
    return [
        _call(made, number, position, schema)
        for number, turn in enumerate(conversation.turns, 1)
        for position, made in enumerate(turn.tool_calls, 1)
    ]


def known_as(name: str, tools: Mapping[str, ToolSpec]) -> str:
    """The workflow's name of a tool that a framework may have put a prefix to: `Tools-get_order`, `shop.get_order`."""
    if name in tools:
        return name
    bare = _PREFIX.sub("", name)
    return bare if bare in tools else name


def _call(made: ToolCall, turn: int, position: int, schema: SandboxSchema) -> Call:
    tool = known_as(made.name, schema.tools)
    spec = schema.tools.get(tool)
    arguments = _arguments(made.arguments, spec)
    raw = made.raw if arguments is not None or made.arguments is None else json.dumps(made.arguments)
    call = Call(
        id=made.id or f"{turn}.{position}",
        turn=turn,
        tool=tool,
        raw=raw,
        arguments=arguments,
        kind=spec.kind if spec is not None else None,
        origin="span",
        result=made.result,
        error=_error(made),
        started=(made.started or 0) / _NANO,
        ended=(made.ended or 0) / _NANO,
        span_id=next((one.span_id for one in made.origin if isinstance(one, Span)), None),
    )
    if call.ok and spec is not None:
        read_marks(call, spec)
    return call


def _arguments(given: Json, spec: ToolSpec | None) -> dict[str, Json] | None:
    """The arguments by name. Some instrumentations write a tool's only argument without it."""
    if isinstance(given, dict):
        return given
    if given is None or spec is None or len(spec.arguments) != 1:
        return None
    return {next(iter(spec.arguments)): given}


def _error(made: ToolCall) -> CallError | None:
    if made.error is not None:
        parts = (made.error.type, made.error.message)
        return CallError(
            "passthrough", ": ".join(part for part in parts if part) or "it failed; the trace says no more"
        )
    if made.executed is False:
        return CallError("passthrough", "it was not executed")
    if made.executed is None:
        return CallError("outside", "the model asked for it, but nothing in the trace shows that it was executed")
    return None


def read_marks(call: Call, spec: ToolSpec) -> None:
    """Write down what a success of this tool stands for, as far as its result tells."""
    call.ends = spec.ends
    if spec.retrieves:
        call.passages = passages(call.result, spec.name)
    if spec.proves is not None:
        given = dict(call.arguments or {})
        account = _account(call.result, given, spec.proves)
        if account is not None:
            call.proof = Proof(spec.proves, str(account), given)


def _account(result: Json, given: Mapping[str, Json], field: str) -> Json:
    """The account that a success proves: as in the sandbox, and where a real tool gives a bare value, that."""
    if isinstance(result, dict) and field in result:
        return result[field]
    bare = isinstance(result, str | int) and not isinstance(result, bool)
    return given.get(field, result if bare and result != "" else None)
