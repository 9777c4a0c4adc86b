"""Workflows and results as short as a test can have them."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from harness.model.episode import EpisodeKey
from harness.model.result import Result
from harness.model.scenario import Tier
from harness.model.status import PASSED, Judgement, Measure, Status, failed, not_applicable, not_judged
from harness.model.workflow import GateRule, Workflow

OUTCOMES = {
    "P": PASSED,
    "F": failed("it went wrong"),
    "N": not_judged("the provider was down"),
    "A": not_applicable("nothing of the kind"),
}


def rule(**keys: Any) -> GateRule:
    return GateRule.model_validate({"rule": "r", **keys})


def workflow(
    *rules: dict[str, Any], families: dict[str, list[dict[str, Any]]] | None = None, trials: int = 1
) -> Workflow:
    """A workflow with those rules; by default its family `f` has a rule that is always skipped."""
    skipped = {"rule": "later", "metric": "task_success", "against": "prod", "max_drop": 0.02}
    rows = {
        name: {
            "about": name,
            "source": ["authored"],
            "measures": ["task_success"],
            "failures": ["TO1"],
            "review": {},
            "gate": gate or [skipped],
        }
        for name, gate in (families or {"f": []}).items()
    }
    gate = [{"rule": "r", **keys} for keys in rules]
    return Workflow.model_validate({"workflow": "w", "scenario_map": rows, "gate": gate, "trials": trials})


def result(
    outcome: str | Judgement,
    item: str = "s",
    trial: int = 1,
    *,
    family: str = "f",
    tier: Tier = "core",
    metric: str = "task_success",
    **slices: str,
) -> Result:
    """A result whose verdict and metric are that outcome: P, F, N, A; or S (spared) or M (missing)."""
    key = EpisodeKey("run", "agent@1", item, trial)
    if outcome == "S":
        return Result(key, family, tier, slices, "spared")
    if outcome == "M":
        return Result(key, family, tier, slices, "missing")
    judgement = OUTCOMES[outcome] if isinstance(outcome, str) else outcome
    code = "TO1" if judgement.status is Status.FAILED else None
    return Result(key, family, tier, slices, "played", judgement, {metric: judgement}, code)


def results(outcomes: str, **more: Any) -> list[Result]:
    """One scenario for each letter: `PPFN`."""
    item = more.pop("item", "s")
    return [result(outcome, f"{item}{number}", **more) for number, outcome in enumerate(outcomes)]


def trials(outcomes: str, item: str = "s", **more: Any) -> list[Result]:
    """One trial of one scenario for each letter."""
    return [result(outcome, item, number, **more) for number, outcome in enumerate(outcomes, 1)]


def measured(values: Iterable[Decimal | float | None], metric: str = "cost_usd", verdict: str = "P") -> list[Result]:
    """One episode for each value; None could not be measured."""
    return [
        Result(
            EpisodeKey("run", "agent@1", f"s{number}", 1),
            "f",
            "core",
            {},
            "played",
            OUTCOMES[verdict],
            {
                metric: Measure("USD", None, Status.NOT_JUDGED, "no usage was reported")
                if value is None
                else Measure("USD", value)
            },
        )
        for number, value in enumerate(values)
    ]
