"""A gate held against what is planned: what its rules need in each cell, and those that no result could satisfy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from harness.gates.cells import Cell, cells
from harness.gates.coverage import Clauses
from harness.gates.effective import EffectiveRule, effective
from harness.gates.figures import exactly
from harness.gates.kinds import UnclearRule, bound_decides, kind_of, misfit
from harness.gates.needs import Need, Units, need_of
from harness.gates.stopping import holds_at_every_look
from harness.model.result import UntilDecided
from harness.model.scenario import Scenario
from harness.model.source import Where
from harness.model.workflow import GateRule, Workflow


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be played: scenarios, each so many times. `units`: metrics that it lacks are not looked into.
    `clauses`: those of the knowledge, each with the scenarios that name it. `until`: trials go on until rules are
    decided, of those that can be looked at so.
    """

    workflow: Workflow
    scenarios: Sequence[Scenario]
    units: Units
    trials: int
    clauses: Clauses = field(default_factory=dict)
    until: UntilDecided | None = None

    def sequential(self, rule: GateRule) -> bool:
        """Whether trials may go on until the rule is decided."""
        measured = rule.metric is not None and self.units.get(rule.metric) is not None
        return self.until is not None and holds_at_every_look(rule, kind_of(rule), measured=measured)

    def most(self, rule: GateRule) -> int:
        """Trials of each scenario that the rule may look at."""
        return self.until.most if self.until is not None and self.sequential(rule) else self.trials

    def need(self, rule: GateRule, confidence: float | None = None) -> Need:
        """What the rule needs, its bound at that confidence; at its own by default."""
        return need_of(rule, confidence, self.units, sequential=self.sequential(rule))

    def satisfies(self, rule: GateRule, scenarios: int, confidence: float | None = None) -> bool:
        """Whether some result of so many scenarios satisfies the rule."""
        need = need_of(rule, confidence, self.units, sequential=self.sequential(rule), better=True)
        return need.met(scenarios, self.most(rule))


@dataclass(frozen=True, slots=True)
class Planned:
    """A rule in one cell of a plan, what it needs there, and whether that is planned. `among`: with how many other such
    rules and cells its bound is corrected for being one of many, were there not a single failure.
    """

    rule: GateRule
    cell: Cell[Scenario]
    need: Need
    met: bool
    among: int = 1


class Refusal(NamedTuple):
    """A rule that can never hold: where it is written (None: in no file), and why not, with what to do."""

    at: Where | None
    text: str


def planned(plan: Plan) -> list[Planned]:
    """All rules in all cells that decide. A rule that is unclear is in none."""
    found: list[Planned] = []
    for rule in effective(plan.workflow):
        try:
            found += _planned(rule, plan)
        except UnclearRule:
            continue
    return _corrected(found, plan)


def refusals(plan: Plan) -> list[Refusal]:
    """The rules that these scenarios can't satisfy even if every trial passes."""
    wrong = [(rule.rule, text) for rule in effective(plan.workflow) if not rule.implicit for text in _wrong(rule, plan)]
    short = [(each.rule, _short(each, plan.most(each.rule))) for each in planned(plan) if not each.met]
    return [Refusal(rule.at, f"gate rule `{rule.rule}`: {text}") for rule, text in (*wrong, *short)]


def _planned(rule: EffectiveRule, plan: Plan) -> list[Planned]:
    need, trials = plan.need(rule.rule), plan.most(rule.rule)
    least = rule.rule.min_n or 1
    found = [cell for cell in _cells(rule, plan) if len(cell.rows) * trials >= least]
    return [Planned(rule.rule, cell, need, plan.satisfies(rule.rule, len(cell.rows))) for cell in found]


def _cells(rule: EffectiveRule, plan: Plan) -> list[Cell[Scenario]]:
    """Where it is held. Raises UnclearRule, also where it does not fit its metric."""
    plan.need(rule.rule)
    if rule.rule.metric is not None and rule.rule.metric in plan.units:
        wrong = misfit(rule.rule, kind_of(rule.rule), unit=plan.units[rule.rule.metric])
        if wrong is not None:
            raise UnclearRule(wrong)
    found = cells(rule, plan.scenarios)
    return [] if rule.rule.coverage is not None else found


def _corrected(found: Sequence[Planned], plan: Plan) -> list[Planned]:
    """With bounds as Holm corrects them: whatever is decided leaves the others to be held against fewer."""
    asking = {
        index
        for index, each in enumerate(found)
        if each.rule.confidence is not None and bound_decides(kind_of(each.rule))
    }
    result = list(found)
    left = asking
    while left:
        for index in left:
            each, allowed = found[index], 1 - float(found[index].rule.confidence or 0)
            sure = 1 - allowed / len(left) if len(left) > 1 else None
            met = plan.satisfies(each.rule, len(each.cell.rows), sure)
            result[index] = Planned(each.rule, each.cell, plan.need(each.rule, sure), met, len(left))
        still = {index for index in left if not result[index].met}
        if still == left:
            break
        left = still
    return result


def _wrong(rule: EffectiveRule, plan: Plan) -> list[str]:
    """What no number of trials of these scenarios would mend."""
    try:
        found = _cells(rule, plan)
    except UnclearRule as problem:
        return [str(problem)]
    if rule.rule.coverage is not None:
        return _uncovered(rule.rule, plan)
    if rule.family is not None and not any(scenario.family == rule.family for scenario in plan.scenarios):
        return []  # a row of the map that nobody has written scenarios for: a hole, and the gate is undecided for it
    least = rule.rule.min_n or 1
    most = max((len(cell.rows) * plan.most(rule.rule) for cell in found), default=0)
    if most < least:
        what = f"{least} episodes in a cell" if least > 1 else "an episode"
        return [f"it needs {what}, and at most {most} are planned: add scenarios or trials"]
    return []


def _uncovered(rule: GateRule, plan: Plan) -> list[str]:
    """The families or clauses that too few planned episodes are about, if it takes them. A clause that a rule of the
    workflow is about may come up in any conversation.
    """
    rated = [each for each in plan.scenarios if each.tier != "explore" and rule.tier in (None, each.tier)]
    count = Counter(scenario.family for scenario in rated)
    names = list(plan.workflow.scenario_map)
    if rule.coverage == "clauses":
        anywhere = {each.clause for each in plan.workflow.rules}
        names = list(plan.clauses)
        ids = [scenario.id for scenario in rated]
        count = Counter()
        for name, about in plan.clauses.items():
            count[name] = len(ids) if name in anywhere else sum(each in about for each in ids)
    if not names:
        return ["the knowledge has no numbered clauses to cover: write headings such as `## Refunds {#R1}`"]
    least = rule.min_n or 1
    holes = [name for name in names if count[name] * plan.trials < least]
    if rule.at_least is None or 1 - Fraction(len(holes), len(names)) >= exactly(rule.at_least):
        return []
    return [
        f"{len(names) - len(holes)} of {len(names)} {rule.coverage} are planned to be exercised"
        f"{f' by {least} episodes' if least > 1 else ''}, {rule.at_least} asked for; not: {', '.join(holes)}: add "
        "scenarios, or ask for less"
    ]


def _short(each: Planned, trials: int) -> str:
    where = ", ".join(each.cell.names.values()) or "all"
    need, scenarios = each.need, len(each.cell.rows)
    corrected = f", corrected for {each.among} rules and cells" if each.among > 1 else ""
    if scenarios < need.scenarios:
        return (
            f"{where}: it takes {need.scenarios} scenarios without a failure{corrected}, and there are {scenarios}: "
            "add scenarios, or ask for less"
        )
    if trials < need.each:
        return f"{where}: it takes {need.each} trials of each scenario, and {trials} are planned: play more of each"
    enough = need.trials(scenarios)
    return (
        f"{where}: it takes {need} trials without a failure{corrected}, and {scenarios * trials} are planned: "
        f"play {enough} trials of each scenario, add scenarios, or ask for less"
    )
