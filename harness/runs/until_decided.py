"""Which trials a run plays beyond its plan: where a rule is open, some rounds at a time, up to a budget."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from math import ceil

from harness.gates.figures import exactly, shown
from harness.model.result import Decision, GateVerdict, Result, RuleResult
from harness.model.status import Measure

COST = "cost_usd"
_GROWTH = 10
"""A batch has at least a tenth of the rounds there are, so that looking at a long run does not cost more than it."""


@dataclass(frozen=True, slots=True)
class Budget:
    """`trials`: of a scenario at most. `cost`: US dollars that all episodes of the run may cost together, as measured;
    None: no limit.
    """

    trials: int
    cost: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """Trials to be played next, by scenario, for so many open rows of the gate; none, and why, where it ends."""

    trials: dict[str, range] = field(default_factory=dict)
    open: int = 0
    why: str = ""

    @property
    def size(self) -> int:
        """Episodes."""
        return sum(map(len, self.trials.values()))


def next_batch(verdict: GateVerdict, results: Sequence[Result], budget: Budget, concurrency: int) -> Batch:
    """What is to be played after these results, of which the gate says that. `concurrency`: episodes at a time, which a
    batch fills.
    """
    open_ = [row for row in verdict.rules if row.wants]
    if not open_:
        return Batch(why=_ended(verdict, results, budget))
    affordable = _affordable(results, budget)
    if isinstance(affordable, str):
        return Batch(open=len(open_), why=affordable)
    planned = _planned(results)
    scenarios = {item for row in open_ for item in row.wants}
    filled = ceil(concurrency / len(scenarios))
    for most in (budget.trials, filled, 1):  # what is left of the money may do for less
        batch = Batch(_trials(open_, planned, filled, most, budget), len(open_))
        if batch.size <= affordable:
            return batch
    return Batch(open=len(open_), why=_too_dear(batch, budget, results))


def _trials(
    open_: Iterable[RuleResult], planned: dict[str, int], filled: int, most: int, budget: Budget
) -> dict[str, range]:
    """Rounds enough to play `filled` at a time, more where there are many, and no more than `most`: of each rule's
    scenarios up to the same trial, so that those that are behind catch up.
    """
    upto: dict[str, int] = {}
    for row in open_:
        least = min(planned[item] for item in row.wants)
        last = min(least + min(max(filled, least // _GROWTH), most), budget.trials)
        for item in row.wants:
            upto[item] = max(last, upto.get(item, 0))
    return {item: range(planned[item] + 1, last + 1) for item, last in upto.items() if last > planned[item]}


def _planned(results: Iterable[Result]) -> dict[str, int]:
    """Trials of each scenario that are in the plan."""
    planned: dict[str, int] = {}
    for result in results:
        planned[result.key.item] = max(result.key.trial, planned.get(result.key.item, 0))
    return planned


def _affordable(results: Sequence[Result], budget: Budget) -> float | str:
    """How many episodes more the money is enough for, at what one has cost so far; in words, why that can't be told."""
    if budget.cost is None:
        return float("inf")
    played = [result for result in results if result.state == "played"]
    costs = _costs(played)
    if len(costs) < len(played):
        return (
            f"the cost of {len(played) - len(costs)} of {len(played)} episodes is not known, so that --max-cost can't "
            "be kept: no further trial was played (see `prices:`, or leave --max-cost out)"
        )
    spent = sum(costs, Decimal())
    if not spent:
        return float("inf")
    return float((budget.cost - spent) / (spent / len(costs)))


def _costs(played: Iterable[Result]) -> list[Decimal]:
    found = (result.scores.get(COST) for result in played)
    return [Decimal(str(cost.value)) for cost in found if isinstance(cost, Measure) and cost.value is not None]


def _too_dear(batch: Batch, budget: Budget, results: Iterable[Result]) -> str:
    costs = _costs(result for result in results if result.state == "played")
    spent = sum(costs, Decimal())
    round_ = spent / len(costs) * batch.size
    return (
        f"{_open(batch.open)}; episodes have cost ${shown(exactly(spent))} of --max-cost {budget.cost}, and one more "
        f"trial of each scenario there would cost about ${shown(exactly(round_))}"
    )


def _ended(verdict: GateVerdict, results: Iterable[Result], budget: Budget) -> str:
    open_ = [row for row in verdict.rules if row.sequential and row.decision is Decision.UNDECIDED]
    if open_:
        most = max(_planned(results).values(), default=0)
        if most < budget.trials:
            return (
                f"{_open(len(open_))} after {most} trials of a scenario: nothing that could come of more, up to "
                f"--max-trials {budget.trials}, would decide"
            )
        return f"{_open(len(open_))} at --max-trials {budget.trials}"
    if any(row.sequential for row in verdict.rules):
        return "every rule that more trials can decide is decided"
    return "no rule asks for more trials: it takes `confidence` on the share of a metric that passes"


def _open(count: int) -> str:
    return f"{count} check{' is' if count == 1 else 's are'} still open"
