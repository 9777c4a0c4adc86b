"""What one span (with its events and log records) says, in the same words for every dialect.

Calls, answers and messages are never changed, for histories share them; they are not frozen, for that takes five times
as long to make.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from traces.conversation import Document, Feedback, ToolError
from traces.genai import Usage
from traces.log_record import LogRecord
from traces.span import Span

Kind = Literal["model", "tool", "agent", "retrieval", "other"]
Role = Literal["system", "user", "assistant", "tool"]
Told = str | Callable[[], str | None] | None

UNFORESEEN = (AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError)
"""What content that nobody foresaw may raise: it must not take the rest of the trace with it."""


@dataclass(slots=True)
class AskedCall:
    """A tool call in an assistant's message. `arguments`: JSON; `raw`: their text where it could not be read whole.

    `item`: the id of the item of a response that holds the call, where a library gave that for the call's.
    """

    name: str
    id: str | None = None
    arguments: Any = None
    raw: str | None = None
    item: str | None = field(default=None, compare=False)


@dataclass(slots=True)
class Answer:
    """A tool's answer in a message to the model. `id`: of the call it answers, None where the dialect gives none.

    `failed`: whether the message is marked as an error; None where the dialect marks none.
    """

    id: str | None
    content: Any
    name: str | None = None
    failed: bool | None = None


@dataclass(slots=True)
class Message:
    """One message of a model call. `cut`: the telemetry holds only its beginning. Blobs and files are no text."""

    role: Role
    text: str = ""
    calls: tuple[AskedCall, ...] = ()
    answers: tuple[Answer, ...] = ()
    cut: bool = False


@dataclass(slots=True)
class Facts:
    """What a span says. A field that it does not say is None, or empty for the sequences.

    `conversation`: (id, name of the attribute that gave it). `input` of a model call is its whole history, in order;
    None where it was not captured, which is not the same as empty; `gaps`: messages of it are missing. `previous`:
    the id of the response that it goes on from, where the server remembers what came before. `usage`: of the model
    call; on a span of the kind `other`, what it reports of the response with this id. `counted`: False where it is a
    sum over other spans or over the agent's life. `said`, `replied`: the user's message and the final answer on an
    agent's span, which may be set to what reads them: mostly the messages of model calls tell the same, and nobody asks
    for them. `transcript` reads the messages of a run that a span holds beside them, and is asked only where no model
    call is told of. `leads`: the runs of the conversation from here on, until the next that leads, are parts of this
    one, in whatever traces. For tools, `result` is the value that the tool gave where the span holds that, and `told`
    the text for the model where it holds that; `paused`: it was interrupted, to be run again.
    `notes`: what is wrong or odd about the span, a sentence each.
    """

    kind: Kind
    dialect: str
    span: Span
    logs: tuple[LogRecord, ...] = ()
    conversation: tuple[str, str] | None = None
    user_id: str | None = None
    agent: str | None = None
    model: str | None = None
    response_model: str | None = None
    response_id: str | None = None
    previous: str | None = None
    usage: Usage | None = None
    counted: bool = True
    finish: str | None = None
    streamed: bool | None = None
    system: str | None = None
    input: tuple[Message, ...] | None = None
    gaps: bool = False
    output: tuple[Message, ...] | None = None
    tool: AskedCall | None = None
    has_result: bool = False
    result: Any = None
    told: str | None = None
    error: ToolError | None = None
    paused: bool = False
    query: str | None = None
    documents: tuple[Document, ...] = ()
    feedback: tuple[Feedback, ...] = ()
    leads: bool = False
    transcript: Callable[[], Sequence[Message]] | None = None
    notes: list[str] = field(default_factory=list)
    _said: Told = None
    _replied: Told = None

    @property
    def said(self) -> str | None:
        """The user's message."""
        self._said = told = self._told(self._said)
        return told

    @said.setter
    def said(self, told: Told) -> None:
        self._said = told

    @property
    def replied(self) -> str | None:
        """The final answer."""
        self._replied = told = self._told(self._replied)
        return told

    @replied.setter
    def replied(self, told: Told) -> None:
        self._replied = told

    def unread(self, error: Exception) -> None:
        """Notes that something of the span can't be read."""
        self.notes.append(
            f"the span `{self.span.name}` can't be read as {self.dialect}: {type(error).__name__}: {error}"
        )

    def _told(self, told: Told) -> str | None:
        if told is None or isinstance(told, str):
            return told
        try:
            return told()
        except UNFORESEEN as error:
            self.unread(error)
            return None


class Dialect(Protocol):
    """One family of attributes, events and log records. Stateless; a module of `traces.dialects` holds each."""

    name: str

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """Whether the span is in this dialect, told by what is in it, never by its name or its version.

        That is its scope, the names of its attributes and the values of `gen_ai.operation.name`, `gen_ai.system` and
        `gen_ai.provider.name`; and whatever its events and log records hold.
        """
        ...

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """What it says. Never raises on broken content, which it notes; `logs` are the records of this very span."""
        ...
