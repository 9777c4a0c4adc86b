"""What a replay gives: what a new agent version did where a recorded one had acted, and how the two differ. Plain data,
JSON both ways."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from harness.model.episode import AgentVersion
from harness.model.expect import Outcome
from harness.model.status import Judgement
from tools_sandbox.call import Call, Json


class Level(StrEnum):
    """How much of a recording runs again. `rescore`: nothing. `turns`: one answer at every recorded prefix. `forward`:
    the user's turns in order until one no longer fits. `continue`: then a scripted user goes on.
    """

    RESCORE = "rescore"
    TURNS = "turns"
    FORWARD = "forward"
    CONTINUE = "continue"


class DivergenceKind(StrEnum):
    """How two trajectories differ. What is the same has no divergence."""

    REORDERED_READS = "reordered reads"
    EXTRA_READ = "extra read"
    MISSING_READ = "missing read"
    CHANGED_ARGUMENT = "changed argument"
    EXTRA_WRITE = "extra write"
    MISSING_WRITE = "missing write"
    OTHER_OUTCOME = "other outcome"
    WORDING_ONLY = "wording only"


class Verdict(StrEnum):
    """What a replay says of one recording. `benign`: it differs, and end state, policy and safety are not worse."""

    SAME = "same"
    BENIGN = "benign"
    BETTER = "better"
    WORSE = "worse"
    NOT_COMPARABLE = "not_comparable"


@dataclass(frozen=True, slots=True)
class Side:
    """What one side, the recorded or the new one, did in the turns that are compared.

    `calls` in order, with what they changed where that was seen. `replies`: the agent's messages as (turn, text).
    `outcome`: None where the turns compared don't reach an end. `judgements`: by metric or rule, of those turns;
    `critical`: the names among them of which a new failure is always worse (rules, safety).
    """

    calls: tuple[Call, ...]
    replies: tuple[tuple[int, str], ...]
    outcome: Outcome | None = None
    judgements: dict[str, Judgement] = field(default_factory=dict)
    critical: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Difference:
    """One value that is another, by its path in the arguments (`items.0.id`); `...` is never stored: `missing` says on
    which side there is none.
    """

    path: str
    recorded: Json
    new: Json
    missing: Literal["recorded", "new"] | None = None


@dataclass(frozen=True, slots=True)
class Divergence:
    """One difference of two trajectories. `recorded` and `new`: the positions of the calls in each side's `calls`, None
    where there is none. `tool`: None for an outcome or for wording. `write`: whether it touches a call that writes.
    `why` in words, for people. `span_id`: of the new call, where it has one.
    """

    kind: DivergenceKind
    turn: int
    why: str
    tool: str | None = None
    write: bool = False
    recorded: int | None = None
    new: int | None = None
    differences: tuple[Difference, ...] = ()
    span_id: str | None = None


def first_told(divergences: Sequence[Divergence]) -> Divergence | None:
    """The first divergence that is more than wording; else the first of all."""
    told = [each for each in divergences if each.kind is not DivergenceKind.WORDING_ONLY]
    return next(iter(told or divergences), None)


@dataclass(frozen=True, slots=True)
class Finding:
    """The verdict over what was compared, with its evidence: sentences that name judgement, call or state behind it.
    `worse_by`: what makes it worse, each once and in few words, so that it can be counted over many recordings.
    """

    verdict: Verdict
    evidence: tuple[str, ...]
    divergences: tuple[Divergence, ...] = ()
    worse_by: tuple[str, ...] = ()

    @property
    def first(self) -> Divergence | None:
        """As `first_told` of the divergences."""
        return first_told(self.divergences)


FitReason = Literal["slot_not_asked", "absent_from_talk", "already_done", "yes_to_nothing", "left_open", "closed"]
"""Why a recorded user turn does not fit: it answers a slot that was not asked; it refers to an option, number or
promise that the new talk has not; it asks for what the state says is done; it is a bare yes or no to a question not
put; it leaves open what the agent asks instead; the agent has closed, handed over or refused.
"""


@dataclass(frozen=True, slots=True)
class Fit:
    """Whether a recorded user turn fits the new talk, and if not, why, with the words that show it. `turn` from 1."""

    turn: int
    fits: bool
    reason: FitReason | None = None
    why: str = ""
    quote: str = ""


@dataclass(frozen=True, slots=True)
class ToolMiss:
    """A call of the new agent that no recorded result answers, and what was done about it. `why` in words."""

    turn: int
    tool: str
    arguments: Json
    why: str
    answer: Literal["stop", "sandbox", "error"]


@dataclass(frozen=True, slots=True)
class UnusedResult:
    """A recorded result that answered no call. `turn` from 1."""

    turn: int
    tool: str
    arguments: Json


@dataclass(frozen=True, slots=True)
class ReplayedTurn:
    """One user turn replayed: what the agent did then, and what it does now; None where it was not played. `why_not`:
    why the two can't be compared, empty if they can. `simulated`: the user's words are not the recorded ones.
    `finding`: of this turn alone, at level `turns`.
    """

    turn: int
    user: str
    fit: Fit
    recorded: Side | None
    new: Side | None
    simulated: bool = False
    why_not: str = ""
    finding: Finding | None = None

    @property
    def compared(self) -> bool:
        """Whether what was recorded and what is new were held against each other."""
        return not (self.why_not or self.simulated)


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """One recording replayed against one agent version. `turns` has every recorded user turn, then those simulated.
    `start`: what the sandbox's state came from. `notes`: what limits the replay, in words. `paired`: what the
    differences from another version mean that was replayed in the same way, and `paired_turns` how many recorded turns
    that rests on; None without another version.
    """

    recording: str
    workflow: str | None
    level: Level
    agent: AgentVersion
    turns: tuple[ReplayedTurn, ...]
    finding: Finding
    start: Literal["snapshot", "workflow", "none"] = "none"
    misses: tuple[ToolMiss, ...] = ()
    unused: tuple[UnusedResult, ...] = ()
    notes: tuple[str, ...] = ()
    paired: Finding | None = None
    paired_turns: int = 0

    @property
    def decisive(self) -> Finding:
        """What a gate goes by: against the other version, where there is one."""
        return self.finding if self.paired is None else self.paired

    @property
    def compared(self) -> int:
        """How many recorded user turns were compared."""
        return sum(each.compared for each in self.turns)

    @property
    def recorded_turns(self) -> int:
        """How many recorded user turns could be compared at best: those that the agent answered then."""
        sides = [each.recorded for each in self.turns if each.recorded is not None]
        return sum(bool(side.calls or side.replies) for side in sides)


@dataclass(frozen=True, slots=True)
class ReplaySummary:
    """The replays of one workflow's recordings at one level. `turns` were recorded, `compared` of them could be held
    against the record. `first`: how often a divergence of each kind came first. `paired`: the verdicts against another
    version that was replayed in the same way, over `paired_turns` of the recorded turns; None without one. `worse_by`:
    of how many recordings it makes the decisive verdict worse.
    """

    workflow: str
    level: Level
    agent: AgentVersion
    verdicts: dict[Verdict, int]
    turns: int
    compared: int
    first: dict[DivergenceKind, int]
    misses: int
    unused: int
    against: AgentVersion | None = None
    paired: dict[Verdict, int] | None = None
    paired_turns: int = 0
    worse_by: dict[str, int] = field(default_factory=dict)

    @property
    def recordings(self) -> int:
        """How many were replayed."""
        return sum(self.verdicts.values())

    @property
    def decisive(self) -> dict[Verdict, int]:
        """The verdicts that a gate goes by: against the other version, where there is one."""
        return self.verdicts if self.paired is None else self.paired

    @property
    def share(self) -> float | None:
        """Of the recorded turns, how many the decisive verdicts rest on; None without any."""
        told = self.compared if self.paired is None else self.paired_turns
        return told / self.turns if self.turns else None
