"""Several agent versions side by side, family by family: who passes the gate, at what cost, how fast.

Nothing is weighed against anything, and there is no total. All that is said beyond the figures is which version another
one makes needless: it is at least as good in gate, cost and latency, and better in one of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction

from harness.gates.decide import decide
from harness.gates.exemptions import marks
from harness.gates.figures import exactly
from harness.gates.measures import SHARES
from harness.gates.statistics import quantile
from harness.model.baseline import Baseline
from harness.model.result import Decision, GateVerdict, Result
from harness.model.status import Measure, Status
from harness.model.workflow import Workflow

COST = "cost_usd"
LATENCY = "latency_seconds"

_ORDER = {Decision.FAILED: 0, Decision.PASSED: 1}
"""Decisions that can be told apart; any other is none."""


@dataclass(frozen=True, slots=True)
class Version:
    """What a run came to for one agent version. `deterministic`, `day` and `baselines`: as `decide` takes them."""

    agent: str
    run: str
    results: Sequence[Result]
    verdict: GateVerdict
    deterministic: bool = False
    day: date = date.max
    baselines: Mapping[str, Baseline] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure over `n` episodes; None where there is none. `missing`: episodes in which it is not known."""

    value: Fraction | None
    n: int
    missing: int

    @property
    def whole(self) -> Fraction | None:
        """The figure, where no episode is missing in it."""
        return None if self.missing else self.value


@dataclass(frozen=True, slots=True)
class Standing:
    """One version in one family. `decision`: the gate held over the family's episodes alone; None where there are none,
    or not all, and did not fail. `reason`: the rules that failed, why it is not decided, or what a pass is marked
    with. `cost`: US dollars an
    episode, the mean; `latency`: seconds an episode, the 95th percentile. `played` and `spared` count episodes.
    `dominated_by`: agents that make this one needless here.
    """

    agent: str
    run: str
    decision: Decision | None
    reason: str
    played: int
    spared: int
    cost: Figure
    latency: Figure
    dominated_by: tuple[str, ...] = ()

    @property
    def compared(self) -> tuple[Fraction, ...] | None:
        """What it is compared by, more being better; None if anything of it is not known: a hole is neither good nor
        bad.
        """
        cost, latency = self.cost.whole, self.latency.whole
        if self.decision not in _ORDER or cost is None or latency is None:
            return None
        return Fraction(_ORDER[self.decision]), -cost, -latency


def compare(workflow: Workflow, versions: Sequence[Version]) -> dict[str, tuple[Standing, ...]]:
    """By family, in the workflow's order: where each version stands, in the order in which the versions are given."""
    return {
        family: _compared([_standing(workflow, family, each) for each in versions]) for family in workflow.scenario_map
    }


def _standing(workflow: Workflow, family: str, version: Version) -> Standing:
    results = [each for each in version.results if each.family == family and each.key.condition == "clean"]
    decision, reason = _decision(workflow, family, version, results)
    apart = version.verdict.set_apart
    rated = [each for each in results if each.tier != "explore" and each.key.item not in apart]
    return Standing(
        version.agent,
        version.run,
        decision,
        reason,
        played=sum(each.state == "played" for each in rated),
        spared=sum(each.state == "spared" for each in rated),
        cost=_figure(rated, COST),
        latency=_figure(rated, LATENCY),
    )


def _decision(
    workflow: Workflow, family: str, version: Version, results: Sequence[Result]
) -> tuple[Decision | None, str]:
    if not results:
        return None, "no episode"
    # To the other families' rules this is a part of the workflow: they don't decide here.
    verdict = decide(
        workflow,
        results,
        f"family {family}",
        deterministic=version.deterministic,
        day=version.day,
        until=version.verdict.until,
        baselines=version.baselines,
    )
    behind = [rule for rule in verdict.rules if rule.decides and rule.decision is verdict.decision]
    if verdict.decision is Decision.FAILED:
        return verdict.decision, ", ".join(dict.fromkeys(rule.rule for rule in behind))
    if version.verdict.partial is not None:
        return None, f"partial: {version.verdict.partial}"
    return verdict.decision, behind[0].reason if verdict.decision is Decision.UNDECIDED else marks(verdict)


def _figure(results: Sequence[Result], metric: str) -> Figure:
    measures = [each.scores.get(metric) for each in results if each.state == "played"]
    values = sorted(exactly(each.value) for each in measures if isinstance(each, Measure) and each.value is not None)
    apart = sum(isinstance(each, Measure) and each.missing is Status.NOT_APPLICABLE for each in measures)
    unplayed = sum(each.state == "missing" for each in results)
    missing = len(measures) - len(values) - apart + unplayed
    if not values:
        return Figure(None, 0, missing)
    value = sum(values, Fraction()) / len(values) if metric == COST else Fraction(quantile(values, SHARES["p95"]))
    return Figure(value, len(values), missing)


def _compared(standings: Sequence[Standing]) -> tuple[Standing, ...]:
    return tuple(
        replace(one, dominated_by=tuple(other.agent for other in standings if _dominates(other, one)))
        for one in standings
    )


def _dominates(one: Standing, other: Standing) -> bool:
    """Whether one is at least as good in everything, and better in something."""
    ours, theirs = one.compared, other.compared
    if ours is None or theirs is None or ours == theirs:
        return False
    return all(mine >= its for mine, its in zip(ours, theirs, strict=True))
