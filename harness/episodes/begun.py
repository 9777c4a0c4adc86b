"""A conversation that is gone on with: what was said and called before, and what answers the tools from then on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from opentelemetry.trace import Tracer

from harness.model.episode import Message, Turn
from harness.users.view import UserSide
from tools_sandbox.call import Call, Change, Json
from tools_sandbox.schema import ToolSpec


class ToolSide(Protocol):
    """What answers an agent's tool calls: a sandbox, or what stands in front of one. `calls`: in the order in which
    they were answered, those under way included.
    """

    @property
    def calls(self) -> Sequence[Call]:
        """All calls of this conversation that were made here."""
        ...

    def call(self, tool: str, arguments: Json | str, *, turn: int, call_id: str | None = None) -> Call:
        """Answer one call. What the agent or a tool did wrong is in the Call; what is raised is nobody's answer."""
        ...

    def changes(self) -> list[Change]:
        """What is different from the start of the conversation."""
        ...

    def value(self, path: str) -> Json:
        """What stands at a path of the state now, or ABSENT."""
        ...


@dataclass(frozen=True, slots=True)
class Begun:
    """`user` is who talks from now on. `tool_side` opens what answers the tools, with the state as it stands after
    `calls`; `tools` are those that the agent is told of, all of which it answers.
    """

    user: UserSide

    messages: Sequence[Message]
    turns: Sequence[Turn]
    calls: Sequence[Call]
    tool_side: Callable[[Tracer], ToolSide]
    tools: tuple[ToolSpec, ...]
