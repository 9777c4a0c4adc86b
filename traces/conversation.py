"""A conversation as its telemetry shows it: turns, and in each the model calls, tool calls and retrievals.

Nothing here is ever changed; it is not frozen, for that takes five times as long to make, and there is a great deal.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, Self

from traces.genai import Usage
from traces.log_record import LogRecord
from traces.span import Span

Origin = tuple[Span | LogRecord, ...]
"""The raw telemetry that a fact was read from."""


@dataclass(slots=True)
class ToolError:
    """How a tool call failed. `type` and `message`: None where the telemetry does not hold them.

    `evidence`: `status` (of the span), `exception` (its event), `result` (which says so itself) or `message` (to the
    model, marked as an error).
    """

    type: str | None
    message: str | None
    evidence: Literal["status", "exception", "result", "message"]


@dataclass(slots=True)
class ToolCall:
    """One tool call, however many spans and messages tell of it.

    `id`: as the model gave it. `arguments`: JSON, None where not captured; `raw` is their text where it could not be
    read whole (broken or cut JSON). `result`: what the tool gave, JSON, of a failed call what it gave beside its error;
    `told`: the text that went back to the model.
    `executed`: None where the telemetry does not show it. `group`: the calls that one model message asked for at once
    share a number; None for a call that was asked for alone. Times in nanoseconds since the epoch, None where no span
    shows them. `missing`: which of `arguments`, `result`, `told` and `error` the telemetry does not hold.
    """

    name: str
    id: str | None = None
    arguments: Any = None
    raw: str | None = None
    result: Any = None
    told: str | None = None
    error: ToolError | None = None
    executed: bool | None = None
    group: int | None = None
    agent: str | None = None
    started: int | None = None
    ended: int | None = None
    parent: str | None = None
    missing: frozenset[str] = frozenset()
    origin: Origin = ()


@dataclass(slots=True)
class ModelCall:
    """One request to a model, however many instrumentations saw it.

    `model`: the requested; `response_model`: the one that answered. `usage`: None where the telemetry does not hold
    both counts, with the reason in `missing`. `captured`: its output is there whole, so that it shows which tools the
    model asked for. Times in nanoseconds since the epoch.
    """

    model: str | None
    response_model: str | None = None
    response_id: str | None = None
    usage: Usage | None = None
    missing: str | None = None
    started: int = 0
    ended: int = 0
    streamed: bool | None = None
    finish: str | None = None
    error: str | None = None
    agent: str | None = None
    tool_call_ids: tuple[str, ...] = ()
    origin: Origin = ()
    captured: bool = False


@dataclass(slots=True)
class Document:
    """A retrieved document. `text` and `score`: None where not captured."""

    id: str | None
    text: str | None = None
    score: float | None = None
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Retrieval:
    """One search for documents, best first as the telemetry lists them. Times in nanoseconds since the epoch."""

    query: str | None
    documents: tuple[Document, ...]
    started: int = 0
    ended: int = 0
    origin: Origin = ()


@dataclass(slots=True)
class Feedback:
    """A judgement that came with the trace: a user's thumb or rating, or an evaluator's score.

    `turn`: the index in `Conversation.turns` that it is about, counted from 0; None for the whole conversation.
    """

    name: str
    value: float | None = None
    label: str | None = None
    explanation: str | None = None
    turn: int | None = None
    origin: Origin = ()


@dataclass(slots=True)
class Turn:
    """What a user said and all that came of it. `user` or `assistant` is None where it is not captured or never came.

    `steps` in the order of what caused what. Times in nanoseconds since the epoch.
    """

    user: str | None
    assistant: str | None
    steps: tuple[ModelCall | ToolCall | Retrieval, ...] = ()
    agents: tuple[str, ...] = ()
    started: int = 0
    ended: int = 0

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        """The tool calls of the turn, in the order in which the model asked for them."""
        return tuple(step for step in self.steps if isinstance(step, ToolCall))

    @property
    def model_calls(self) -> tuple[ModelCall, ...]:
        """The model calls of the turn."""
        return tuple(step for step in self.steps if isinstance(step, ModelCall))


WarningKind = Literal["content", "cut", "usage", "copies", "calls", "context", "spans", "note"]
"""What a warning is about: texts, arguments or results that were not captured; values of which only the beginning was;
token counts; model calls told of more than once; a tool call; what was put together in spite of a lost context or
history; spans or attributes that are not there; anything else, as a reader or a dialect says it.
"""


class TraceWarning(str):
    """A sentence on what is missing, cut, mended or contradictory, and what to do about it.

    `turn`: the index in `Conversation.turns` that it is about, counted from 0; None for the whole conversation.
    """

    __slots__ = ("kind", "turn")

    kind: WarningKind
    turn: int | None

    def __new__(cls, text: str, kind: WarningKind = "note", turn: int | None = None) -> Self:
        """A warning of this text."""
        made = super().__new__(cls, text)
        made.kind, made.turn = kind, turn
        return made


@dataclass(slots=True)
class Conversation:
    """One conversation, over however many traces.

    `id`: as the application gave it, None if it gave none; `joined`: the rule by which its traces were put together
    (an attribute's name, `history`, or `trace`). `turns`: empty where neither a step nor an agent's span is told of,
    so that nothing is known to have taken place. `dialects`: those that its spans are in.
    """

    id: str | None
    joined: str
    turns: tuple[Turn, ...]
    trace_ids: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    user_id: str | None = None
    system_prompt: str | None = None
    feedback: tuple[Feedback, ...] = ()
    dialects: tuple[str, ...] = ()
    warnings: tuple[TraceWarning, ...] = ()
    spans: tuple[Span, ...] = ()
    logs: tuple[LogRecord, ...] = ()
