"""The tools that an agent holds, as plain data: what can be told of them without a conversation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.agents.current import EPISODES
from harness.agents.guard import guarded
from harness.agents.loop import run
from harness.agents.problem import AgentError, AgentProblem
from harness.agents.resolve import resolve
from harness.agents.source import Factory, Kind
from harness.agents.threads import Worker
from harness.model.agent import Session
from tools_sandbox.call import Call, Json
from tools_sandbox.schema import ANY, FieldType, ToolSpec, TypeName

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

_NAMES: dict[str, TypeName] = {"integer": "integer", "number": "number", "boolean": "boolean"}
_FORMATS: dict[str, TypeName] = {"date": "date", "date-time": "datetime"}


def declared_tools(spec: str, base: Path) -> list[ToolSpec]:
    """The LangChain tools that are found in an agent, by name; a factory is called once for it. All are marked as
    reading: what they really do can't be told from outside.

    Raises AgentProblem if there is no such agent, or it can't be made.
    """
    return run(_declared(spec, base))


async def _declared(spec: str, base: Path) -> list[ToolSpec]:
    kind: Kind = resolve(spec, base).kind
    if isinstance(kind, Factory):
        factory, session = kind, _looking()
        try:
            with EPISODES:
                kind = await guarded(lambda: factory.made(session), session, Worker())
        except AgentProblem:
            raise
        except Exception as error:  # whatever the user's factory raises is told as it is
            raise AgentProblem(f"agent `{spec}` can't be made: {type(error).__name__}: {error}") from error
    return [_spec(tool) for _, tool in sorted(kind.tools.items())]


def _looking() -> Session:
    def call_tool(tool: str, arguments: Json, call_id: str | None = None) -> Call:
        raise AgentError(f"{tool} was called before there is a conversation")

    def fail(problem: Exception) -> None:
        raise AgentError("a tool was run before there is a conversation")

    return Session("none", (), call_tool, 0, datetime.now(UTC), "", fail=fail)


def _spec(tool: BaseTool) -> ToolSpec:
    from langchain_core.utils.function_calling import convert_to_openai_tool

    shown = convert_to_openai_tool(tool)["function"]
    schema = shown.get("parameters", {})
    arguments = {name: _type(part) for name, part in schema.get("properties", {}).items()}
    return ToolSpec(tool.name, tool.description, "reads", schema, arguments)


def _type(part: Mapping[str, Any]) -> FieldType:
    """The field type that a part of a JSON Schema stands for; `any` where it may be several."""
    if "anyOf" in part:
        parts = [each for each in part["anyOf"] if each.get("type") != "null"]
        nullable = len(parts) < len(part["anyOf"])
        if [each.get("type") for each in parts] == ["number", "string"]:
            return FieldType("decimal", nullable)  # pydantic's way to say Decimal
        return replace(_type(parts[0]), nullable=nullable) if len(parts) == 1 else ANY
    name = part.get("type")
    if name == "string":
        choices = tuple(each for each in part.get("enum", ()) if isinstance(each, str))
        return FieldType(_FORMATS.get(part.get("format", ""), "text"), choices=choices)
    if name == "array":
        return FieldType("list", of=_type(part.get("items", {})))
    if name == "object":
        fields = {field: _type(each) for field, each in part.get("properties", {}).items()}
        return FieldType("record", fields=fields) if fields else FieldType("map", of=ANY)
    return FieldType(_NAMES[name]) if name in _NAMES else ANY
