"""What a gate sees: one row a planned episode. And what it says: rule by rule, and the verdict."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from harness.model.episode import EpisodeKey
from harness.model.exemption import Quarantine, Waiver
from harness.model.scenario import Tier
from harness.model.status import Judgement, Measure


@dataclass(frozen=True, slots=True)
class Result:
    """One planned episode. `spared`: not played, since all played trials of every scenario agreed. `missing`: not
    there at the end. `verdict` and `scores` are empty unless played; `turn_seconds` holds the latency of each turn,
    None of one where that is not known; `started` and `ended` are seconds since the epoch.
    """

    key: EpisodeKey
    family: str
    tier: Tier
    slices: dict[str, str]
    state: Literal["played", "spared", "missing"]
    verdict: Judgement | None = None
    scores: dict[str, Judgement | Measure] = field(default_factory=dict)
    code: str | None = None
    turn_seconds: tuple[float | None, ...] = ()
    started: float | None = None
    ended: float | None = None


class Decision(StrEnum):
    """What a rule or a gate says."""

    PASSED = "passed"
    FAILED = "failed"
    UNDECIDED = "undecided"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Tested:
    """A rule that a bound decides in one cell: the claim that is nearer to being made, that the limit is kept or that
    it is broken, its p-value, and that corrected for `among` such rules and cells. The rule asks for `confidence`;
    `adjusted` is what its bounds are at, so that all claims together have it.
    """

    claim: Literal["kept", "broken"]
    p: float
    p_adjusted: float
    confidence: float
    adjusted: float
    among: int


@dataclass(frozen=True, slots=True)
class RuleResult:
    """One rule in one cell. `cell` names family and slice values it was taken over ({} for all); a cell that is too
    small is listed as skipped, with `decides` False. `figure` is the raw number the decision was taken on, `bound` the
    limit, `shown` the figure as it is to be printed, with enough digits to tell it from the limit; `low` and `high` are
    its bounds, each at `confidence` (None: none is known); `n` is the count that it rests on, `not_judged` how many
    could not be judged or are missing, `planned` how many were planned, `failed` how many count as failed, spared
    ones included. `reason` says in words why. `episodes`: ids of the played ones behind it, the worst first, and
    `counted` the ids of those that it counts as failed or not judged. `implicit`: a rule that always applies and was
    not written.
    """

    rule: str
    decision: Decision
    reason: str
    cell: dict[str, str] = field(default_factory=dict)
    metric: str | None = None
    figure: float | None = None
    bound: str = ""
    low: float | None = None
    high: float | None = None
    confidence: float | None = None
    shown: str = ""
    n: int = 0
    not_judged: int = 0
    planned: int = 0
    failed: int = 0
    decides: bool = True
    episodes: tuple[str, ...] = ()
    counted: tuple[str, ...] = ()
    implicit: bool = False
    agreed: int = 0
    """Where all played trials of each scenario read the same, and no noise between them was asked after: how many each
    had at least. 0 elsewhere."""

    tested: Tested | None = None
    apart: str = ""
    """What of a baseline or of the run could not be compared: a part of `reason`, to be told where it passed too."""

    sequential: bool = False
    """Whether its bounds hold at whatever trial one stops."""
    wants: tuple[str, ...] = ()
    """The scenarios of which more trials may decide it, in a run that goes on until rules are decided."""
    waiver: Waiver | None = None
    """What holds it back, where it failed and therefore does not decide."""

    @property
    def exact(self) -> bool:
        """Whether the figure was taken as one without noise between trials, since those that were played agreed."""
        return self.agreed > 0


@dataclass(frozen=True, slots=True)
class Trials:
    """How the played trials of one scenario came out, be it in quarantine or of tier explore."""

    item: str
    family: str
    tier: Tier
    passed: int
    failed: int
    not_judged: int

    @property
    def flip_rate(self) -> float | None:
        """The share of pairs of judged trials that disagree, one passed and one failed; None for fewer than two.

        1 - P of Fleiss (1971), his agreement on one subject; unbiased for 2p(1 - p) of trials that pass at rate p.
        """
        n = self.passed + self.failed
        return 2 * self.passed * self.failed / (n * (n - 1)) if n > 1 else None

    @property
    def flaky(self) -> bool:
        """Whether trials disagree."""
        return bool(self.passed and self.failed)


@dataclass(frozen=True, slots=True)
class Quarantined:
    """A scenario in quarantine. `expired`: it has ended, so that the scenario counts again and the gate is blocked.
    `trials`: None where none was played.
    """

    quarantine: Quarantine
    expired: bool
    trials: Trials | None


@dataclass(frozen=True, slots=True)
class Waived:
    """A waiver. `expired`: it has ended, holds nothing back, and blocks the gate. `failed`: the checks that it holds
    back; 0: it is not needed.
    """

    waiver: Waiver
    expired: bool
    failed: int


@dataclass(frozen=True, slots=True)
class UntilDecided:
    """How a run goes on after its `planned` trials of each scenario: up to `most` of one, where a rule is open."""

    planned: int
    most: int


@dataclass(frozen=True, slots=True)
class NoiseFloor:
    """The smallest drop of task success between two versions, 0 to 1, that the episodes of a family can show with 95 %
    confidence in 80 % of cases: `fixed` of these scenarios, over so many `pairs` of trials, and `general` of scenarios
    like these, each of which is one observation.
    """

    family: str
    pairs: int
    scenarios: int
    fixed: float
    general: float


@dataclass(frozen=True, slots=True)
class GateVerdict:
    """The gate of one workflow over one agent version."""

    decision: Decision
    rules: tuple[RuleResult, ...]
    partial: str | None = None
    """Why this was only part of the workflow, which can fail but never passes."""
    uncounted: tuple[str, ...] = ()
    """Ids of episodes that failed or were not judged, and that no rule which decides counts as such."""
    waivers: tuple[Waived, ...] = ()
    quarantine: tuple[Quarantined, ...] = ()
    trials: tuple[Trials, ...] = ()
    """By scenario, in the order of the plan; of observed conversations none."""
    until: UntilDecided | None = None
    noise: tuple[NoiseFloor, ...] = ()
    """By family, in the order of the map; of observed conversations none, for they can't be played again."""

    @property
    def set_apart(self) -> frozenset[str]:
        """The scenarios that are in no rate, for they are in quarantine."""
        return frozenset(each.quarantine.scenario for each in self.quarantine if not each.expired)

    @property
    def held_back(self) -> int:
        """How many waivers hold back a rule that failed."""
        return sum(each.failed > 0 for each in self.waivers)
