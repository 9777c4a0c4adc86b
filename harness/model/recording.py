"""A recording: a stored conversation that can be replayed. Plain data, JSON both ways."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from harness.model.episode import AgentVersion, Digests, Feedback
from harness.model.expect import Outcome
from harness.model.material import GivenRows
from tools_sandbox.call import Change, Json

SCHEMA = "turngate.recording/1"
"""Of the documented JSON form. The number is raised when a reader of the one before would misread it."""

SourceKind = Literal["episode", "trace", "messages", "thread", "tau", "tau2", "recording"]
"""What a recording was read from. `recording`: a file in the form of this module that names no other source."""


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """A tool call as it was recorded.

    `raw`: the argument text as the model wrote it; None where the source held an object. `arguments`: None where the
    text is no JSON object, with the reason in `flaw`. `answered`: whether a result is on record. `told`: the text that
    went back to the model, to the byte; None where the source holds the result alone. `result`: the same as JSON where
    it is JSON, else the text. `error`: the text of a failed call, `error_type` its kind or the exception's class where
    the source names one. `by`: whose call it was, for some users have tools of their own. `at`: in seconds since the
    epoch.
    """

    id: str | None
    tool: str
    raw: str | None = None
    arguments: dict[str, Json] | None = None
    flaw: str | None = None
    answered: bool = False
    told: str | None = None
    result: Json = None
    error: str | None = None
    error_type: str | None = None
    by: Literal["agent", "user"] = "agent"
    at: float | None = None


@dataclass(frozen=True, slots=True)
class RecordedMessage:
    """One message, with the tool calls that it asked for, in order. `text`: None where the source has none. `turn`
    counts the user's messages with words in them from 1; 0 is what comes before the first. `refusal`: whether the
    source marks it as a refusal. `parts`: what is no text in it (images, files), as in the source. `at`: in seconds
    since the epoch.
    """

    role: Literal["system", "user", "agent"]
    text: str | None
    turn: int
    calls: tuple[RecordedCall, ...] = ()
    refusal: bool = False
    parts: tuple[Json, ...] = ()
    at: float | None = None


@dataclass(frozen=True, slots=True)
class StrayResult:
    """A tool's result that answers no call on record. `after`: the index of the message that it came behind, -1 before
    the first.
    """

    after: int
    id: str | None
    tool: str | None
    told: str


@dataclass(frozen=True, slots=True)
class RecordingSource:
    """Where a recording comes from: of which kind, the file or store (no machine path), its id there."""

    kind: SourceKind
    where: str
    id: str


@dataclass(slots=True)
class Recording:
    """A conversation as it was, scrubbed. `id` is told by its source and content, so that what is imported twice is
    there once: see `harness.replay.recordings`.

    `snapshot`: rows that the state had at its start over the workflow's own start state; None where nobody knows the
    state. `changes`: what the calls changed; None where nobody saw. `clock`: ISO 8601, the time that the agent was
    told. `labels`: what the source says of it (reward, task, trial …). `flaws`: what is broken in it or missing, each
    in words with its place. `replaced`: how many values of each kind the scrubber replaced; None where it was not
    scrubbed.
    """

    id: str
    source: RecordingSource
    messages: list[RecordedMessage]
    stray: list[StrayResult] = field(default_factory=list)
    workflow: str | None = None
    agent: AgentVersion | None = None
    clock: str | None = None
    seed: int | None = None
    speaker: str | None = None
    snapshot: GivenRows | None = None
    digests: Digests | None = None
    changes: list[Change] | None = None
    outcome: Outcome | None = None
    feedback: list[Feedback] = field(default_factory=list)
    labels: dict[str, Json] = field(default_factory=dict)
    flaws: list[str] = field(default_factory=list)
    replaced: dict[str, int] | None = None

    @property
    def turns(self) -> int:
        """How many messages with words in them the user sent."""
        return max((message.turn for message in self.messages), default=0)

    def calls(self) -> Iterator[RecordedCall]:
        """All tool calls in their order."""
        for message in self.messages:
            yield from message.calls
