"""The contract between turngate and an agent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol, runtime_checkable

from harness.model.episode import Message
from harness.model.expect import Outcome
from tools_sandbox.call import Call, Json
from tools_sandbox.schema import ToolSpec
from traces.genai import Usage


@dataclass(slots=True)
class Reply:
    """What an agent says in one turn: one message or several, and optionally how it states the outcome. Not frozen, for
    that takes five times as long to make.
    """

    messages: tuple[str, ...]
    outcome: Outcome | None = None
    confidence: float | None = None
    usage: Usage | None = None


class Interrupted(Exception):
    """Raised out of `Agent.reply` by an adapter whose agent pauses for a person: the payloads by pause id."""

    def __init__(self, payloads: Mapping[str, Json]) -> None:
        super().__init__(f"the agent waits for {len(payloads)} answer(s)")
        self.payloads = dict(payloads)


class CallTool(Protocol):
    """The way to the sandbox."""

    def __call__(self, tool: str, arguments: Json, call_id: str | None = None) -> Call:
        """Call a tool with an arguments object, or with the JSON text of one."""
        ...


def _not_recorded(call: Call) -> None:
    raise RuntimeError(f"nobody records calls outside the sandbox in this session: {call.tool}")


def _raised(problem: Exception) -> None:
    """Whoever finds a problem raises it too; here nobody looks whether that came through."""


@dataclass(slots=True)
class Session:
    """What an agent gets for one conversation.

    `call_tool(name, arguments or JSON text[, call id])` is the only way to the sandbox; it never raises for a tool's
    own "no" but gives the Call, with the error in it. `record` takes into the episode's calls what did not go there: a
    call let through to a real tool of `passthrough`, and one that the agent's own framework turned down; whoever
    records it numbers its turn. `fail` takes a mistake in what is rehearsed, such as a tool that nothing simulates: it
    ends the rehearsal, whatever the agent makes of the exception. What an adapter puts into `notes` is kept with the
    episode. `otlp_endpoint`: where other processes may send their spans, which belong to the episode if they go on from
    `traceparent`; None where nobody listens. `earlier`: the tool calls of a history that the agent did not live through
    itself, by turn; one with a memory of its own is primed from both on its first call.
    """

    conversation_id: str
    tools: tuple[ToolSpec, ...]
    call_tool: CallTool
    seed: int
    clock: datetime
    traceparent: str
    history: list[Message] = field(default_factory=list)
    passthrough: frozenset[str] = frozenset()
    record: Callable[[Call], None] = _not_recorded
    fail: Callable[[Exception], None] = _raised
    notes: list[str] = field(default_factory=list)
    otlp_endpoint: str | None = None
    earlier: tuple[Call, ...] = ()


class Agent(Protocol):
    """An agent that can be rehearsed."""

    async def reply(self, message: str, session: Session) -> Reply:
        """Answer one user message."""
        ...


@runtime_checkable
class Resumable(Protocol):
    """An agent that pauses for a person and goes on from the answers, by pause id."""

    async def resume(self, answers: Mapping[str, Json], session: Session) -> Reply:
        """Go on after a pause."""
        ...
