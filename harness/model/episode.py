"""An episode: one conversation as it was, written once and never rewritten. Plain data, JSON both ways."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from harness.model.expect import Outcome
from tools_sandbox.call import Call, Change, Json, Passage
from traces.genai import Usage
from traces.log_record import LogRecord
from traces.span import Span


@dataclass(frozen=True, slots=True)
class AgentVersion:
    """Which agent spoke. Digests are of the agent's source files and of its prompts where they can be told."""

    name: str
    version: str
    source_digest: str
    prompt_digest: str | None = None
    model: str | None = None
    parameters: dict[str, Json] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """`name@version`."""
        return f"{self.name}@{self.version}"


@dataclass(frozen=True, slots=True)
class EpisodeKey:
    """What makes an episode unique. An item is a scenario or a recording; `condition` is `clean` or a perturbation."""

    run: str
    agent: str
    item: str
    trial: int
    condition: str = "clean"

    @property
    def id(self) -> str:
        """`run/agent/item/trial/condition`, the form that commands take and print."""
        return f"{self.run}/{self.agent}/{self.item}/{self.trial}/{self.condition}"


class AskKind(StrEnum):
    """What an agent's question is: for a slot's value, for a yes to an act, for a pick among options, or any other."""

    SLOT = "slot"
    PROPOSAL = "proposal"
    READBACK = "readback"
    CHOICE = "choice"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Ask:
    """One question or request of the agent. `slot`: which fact (slot, readback). `value`: the value read back.
    `options`: of a choice, as worded. `quote`: the sentence.
    """

    kind: AskKind
    quote: str
    slot: str | None = None
    value: str | None = None
    options: tuple[str, ...] = ()


Reason = Literal["line", "asks", "otherwise", "observed"]
"""`observed`: a real person said it, and what it answers or says yes to is told by the words."""


@dataclass(slots=True)
class Because:
    """Why the user said a message. Like a turn it is never changed; not frozen, for that takes five times as long to
    make.

    `line` counts the scripted lines from 0; `answered` lists what was answered with what: (slot or act, the text said);
    `where` is `file:line:column` of the line or fact.
    """

    reason: Reason
    line: int | None = None
    where: str | None = None
    answered: tuple[tuple[str, str], ...] = ()
    consent: tuple[str, ...] = ()
    """Tools whose proposal this message says yes to."""
    unscripted: tuple[str, ...] = ()
    """Quotations of asks that no fact, stance or answer covers."""
    misfit: str | None = None
    """Why a line that had to be said did not fit what the agent had just asked."""


@dataclass(slots=True)
class Message:
    """One message of the conversation. Times in seconds since the epoch. `turn` counts user messages from 1."""

    role: Literal["user", "agent"]
    text: str
    turn: int
    at: float = 0.0
    because: Because | None = None
    asks: tuple[Ask, ...] = ()
    refusal: bool = False
    """Whether the agent's message is recognised as a refusal."""
    after: int | None = None
    """How many calls of its turn were on record when the agent said it, those that only spans show not counted. None,
    as in older episodes: all of them.
    """


@dataclass(slots=True)
class ModelCall:
    """One request to a model. `usage` is None where nobody reported it, with the reason in `missing`."""

    turn: int
    model: str | None
    usage: Usage | None
    missing: str | None = None
    span_id: str | None = None
    started: float = 0.0
    ended: float = 0.0
    whole_turn: bool = False
    """Not a request, but the usage that a reply stated for all requests of its turn; theirs are then missing."""


@dataclass(frozen=True, slots=True)
class Pause:
    """A pause of the agent for a person: its payload, and the answer given (None: no approval matched).

    `at`: in seconds since the epoch.
    """

    turn: int
    payload: Json
    answer: Json
    answered: bool
    at: float = 0.0


@dataclass(slots=True)
class Turn:
    """Times of one turn, in seconds since the epoch, and what the user knew when it began."""

    number: int
    started: float
    ended: float
    knows: dict[str, str | None]
    scripted: int | None = None
    """The scripted line that this turn belongs to: the last one said, counted from 0; None before any."""
    stalled: float = 0.0
    """Seconds of it in which the event loop was seen to stand still by somebody else's doing."""

    @property
    def seconds(self) -> float:
        """How long the agent took: the turn's time less its stalls."""
        return max(0.0, self.ended - self.started - self.stalled)

    @property
    def timed(self) -> bool:
        """Whether telemetry that it was read from shows when it began and ended."""
        return 0 < self.started <= self.ended


EndKind = Literal["script_done", "limit", "agent_error", "no_answer", "fault", "observed", "cut"]


@dataclass(frozen=True, slots=True)
class End:
    """How the conversation ended. `limit`: max_turns or a time limit. `no_answer`: a pause that no approval answers, a
    fault of the scenario. `fault`: not the agent's doing, `code` is X1, X2, X3 or X5. `observed`: the telemetry holds
    no more of it. `cut`: no more of it is looked at, since it is compared with another conversation. `text` and `trace`
    keep the exception, `place` where in the user's own code it came from: `file:line in function`.
    """

    kind: EndKind
    code: str | None = None
    text: str = ""
    trace: str = ""
    place: str | None = None


@dataclass(frozen=True, slots=True)
class Unsaid:
    """A scripted line that never fitted, and what it waited for."""

    line: int
    text: str
    where: str | None
    waited_for: str


@dataclass(frozen=True, slots=True)
class Digests:
    """SHA-256 (hex) of everything an episode depends on; the store keeps each text once by its digest."""

    scenario: str
    workflow: str
    knowledge: str
    schema: str
    start_state: str
    prices: str


@dataclass(frozen=True, slots=True)
class Feedback:
    """A judgement that came with telemetry: a user's thumb or rating, or an evaluator's score. `turn` counts from 1;
    None for the whole conversation.
    """

    name: str
    value: float | None = None
    label: str | None = None
    explanation: str | None = None
    turn: int | None = None


Lack = Literal["calls", "user", "replies", "arguments", "results", "proofs", "passages", "marks", "times"]
"""What telemetry may not hold: whether tools were called; the user's and the agent's words; what tools were given and
gave; whose identity was proved; the text of retrieved documents; of some tools whether they write and what they need;
when turns began and ended.
"""


@dataclass(frozen=True, slots=True)
class Observed:
    """Of an episode that was not played but read from telemetry: what it was read from, and what that does not hold.

    `conversation`: the id that the application gave it; `joined`: the rule by which its traces were put together.
    `expected`: whether a scenario says what must come of it. `state`: whether all that its calls changed was seen, from
    a known start. `instructions`: the system prompt. `retrieved`: what was retrieved otherwise than by tools, with its
    turn. `lacks`: what is missing, each with why and what to do about it.
    """

    conversation: str | None = None
    joined: str = "trace"
    traces: tuple[str, ...] = ()
    dialects: tuple[str, ...] = ()
    expected: bool = False
    state: bool = False
    instructions: str | None = None
    retrieved: tuple[tuple[int, Passage], ...] = ()
    feedback: tuple[Feedback, ...] = ()
    lacks: dict[Lack, str] = field(default_factory=dict)


@dataclass(slots=True)
class Episode:
    """One scenario x trial x condition played against one agent version.

    `state_changes` is the difference between start and end state, row by row; the end state of every other row is its
    start state. `spans_missing` says why the trace is not complete (None: complete).
    """

    key: EpisodeKey
    attempt: int
    seed: int
    clock: str
    digests: Digests
    agent: AgentVersion
    speaker: str
    conversation_id: str
    messages: list[Message]
    turns: list[Turn]
    calls: list[Call]
    model_calls: list[ModelCall]
    pauses: list[Pause]
    state_changes: list[Change]
    end: End
    unsaid: list[Unsaid]
    outcome: Outcome
    stated_outcome: Outcome | None = None
    confidence: float | None = None
    spans: list[Span] = field(default_factory=list)
    spans_missing: str | None = None
    notes: list[str] = field(default_factory=list)
    """What was said at the start: tools that could not be redirected, and the like."""
    stdout: str = ""
    stderr: str = ""
    started: float = 0.0
    ended: float = 0.0
    harness_version: str = ""
    logs: list[LogRecord] = field(default_factory=list)
    """What the agent's own processes sent beside their spans: messages and feedback of some instrumentations."""
    observed: Observed | None = None
    """Of one that was read from telemetry; None of one that was played."""

    @property
    def stateless(self) -> bool:
        """Whether nobody saw its state."""
        return self.observed is not None and not self.observed.state

    @property
    def turn_seconds(self) -> tuple[float | None, ...]:
        """How long the agent took, turn by turn; None where telemetry does not show it."""
        return tuple([turn.seconds if self.observed is None or turn.timed else None for turn in self.turns])

    @property
    def times_missing(self) -> str | None:
        """Why nobody knows how long some of its turns took; None if that is known of all."""
        return None if self.observed is None else self.observed.lacks.get("times")

    def agent_messages(self, turn: int | None = None) -> list[Message]:
        """The agent's messages, of one turn or of all."""
        return [message for message in self.messages if message.role == "agent" and turn in (None, message.turn)]
