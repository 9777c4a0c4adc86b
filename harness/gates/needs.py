"""How many trials a rule needs, and the rules that a plan can never satisfy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from harness.gates.cells import Cell, cells
from harness.gates.effective import EffectiveRule, effective
from harness.gates.kinds import Kind, UnclearRule, kind_of, misfit
from harness.gates.measures import SHARES
from harness.gates.statistics import clean_trials
from harness.model.scenario import Scenario
from harness.model.source import Where
from harness.model.workflow import GateRule, Workflow

_FEWEST_FOR_A_SPREAD = 2


class Unprovable(UnclearRule):
    """No number of trials satisfies the rule."""


def clean_trials_needed(rule: GateRule) -> int:
    """How many trials without a failure a rule needs in each cell before it can pass. Raises UnclearRule for a rule of
    no kind, Unprovable (one of them) where no number would do.
    """
    kind = kind_of(rule)
    return max(rule.min_n or 1, _for_bound(rule) if kind is Kind.LIMIT else 1)


def _for_bound(rule: GateRule) -> int:
    if rule.confidence is None:
        return 1
    confidence = float(rule.confidence)
    if rule.stat in SHARES:
        share = float(SHARES[rule.stat])
        return clean_trials(share if rule.at_most is not None else 1 - share, confidence)
    if rule.stat == "mean" or rule.per is not None or rule.at_least is None:
        return _FEWEST_FOR_A_SPREAD
    if rule.at_least <= 0:
        return 1
    if rule.at_least >= 1:
        raise Unprovable("no number of trials proves a rate of 1: ask for `failures: 0`, or for less")
    return clean_trials(float(rule.at_least), confidence)


class Refusal(NamedTuple):
    """A rule that can never hold: where it is written (None: in no file), and why not, with what to do."""

    at: Where | None
    text: str


def refusals(
    workflow: Workflow, scenarios: Sequence[Scenario], units: Mapping[str, str | None], trials: int | None = None
) -> list[Refusal]:
    """The rules of a workflow that these scenarios can't satisfy even if every trial passes.

    `units` gives the unit of each metric, None of one that passes or fails; metrics that it lacks are not looked into.
    `trials` is how often each scenario is played, the workflow's own number by default.
    """
    each = workflow.trials if trials is None else trials
    return [
        Refusal(rule.rule.at, f"gate rule `{rule.rule.rule}`: {text}")
        for rule in effective(workflow)
        if not rule.implicit
        for text in _refused(rule, scenarios, units, each)
    ]


def _refused(
    rule: EffectiveRule, scenarios: Sequence[Scenario], units: Mapping[str, str | None], trials: int
) -> list[str]:
    try:
        _check_metric(rule.rule, units)
        needed = clean_trials_needed(rule.rule)
        found = cells(rule, scenarios)
    except UnclearRule as problem:
        return [str(problem)]
    if rule.family is not None and not any(scenario.family == rule.family for scenario in scenarios):
        return []  # a row of the map that nobody has written scenarios for: a hole, and the gate is undecided for it
    planned = [len(cell.rows) * trials for cell in found]
    least = rule.rule.min_n or 1
    if not any(number >= least for number in planned):
        most = max(planned, default=0)
        what = f"{least} episodes in a cell" if least > 1 else "an episode"
        return [f"it needs {what}, and at most {most} are planned: add scenarios or trials"]
    short = [cell for cell, number in zip(found, planned, strict=True) if least <= number < needed]
    return [_short(cell, needed, trials) for cell in short]


def _check_metric(rule: GateRule, units: Mapping[str, str | None]) -> None:
    """Raises UnclearRule where a measure is asked for what passes or fails, or the other way round."""
    if rule.metric is not None and rule.metric in units:
        wrong = misfit(rule, kind_of(rule), measured=units[rule.metric] is not None)
        if wrong is not None:
            raise UnclearRule(wrong)


def _short(cell: Cell[Scenario], needed: int, trials: int) -> str:
    where = ", ".join(cell.names.values())
    enough = -(-needed // len(cell.rows))
    return (
        f"{where}: it takes {needed} trials without a failure, and {len(cell.rows) * trials} are planned: "
        f"play {enough} trials of each scenario, add scenarios, or ask for less"
    )
