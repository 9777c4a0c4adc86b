"""Quarantined scenarios and waived rules: what they hold back until their day has come, and that they block then."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date

from harness.gates.effective import EffectiveRule
from harness.model.exemption import Exemption, Waiver
from harness.model.result import Decision, GateVerdict, Quarantined, Result, RuleResult, Trials, Waived
from harness.model.workflow import Workflow


def quarantine(
    workflow: Workflow, results: Sequence[Result], trials: Iterable[Trials], day: date
) -> tuple[Quarantined, ...]:
    """What of a workflow's quarantine concerns these results. A critical scenario can't be in quarantine."""
    came = {each.item: each for each in trials}
    tiers = {result.key.item: result.tier for result in results}
    return tuple(
        Quarantined(entry, entry.expired(day), came.get(entry.scenario))
        for entry in workflow.quarantine
        if tiers.get(entry.scenario, "critical") != "critical"
    )


def hold_back(
    rule: EffectiveRule, rows: Iterable[RuleResult], waivers: Sequence[Waiver], day: date
) -> list[RuleResult]:
    """The rows of a rule, those marked that failed and are waived: they don't decide. That every trial of a critical
    scenario passes can't be waived.
    """
    held = [waiver for waiver in waivers if waiver.rule == rule.rule.rule and not waiver.expired(day)]
    if not held or rule.must_pass:
        return list(rows)
    return [_held_back(row, held) for row in rows]


def _held_back(row: RuleResult, waivers: Iterable[Waiver]) -> RuleResult:
    waiver = next((each for each in waivers if covers(each, row)), None)
    if waiver is None or row.decision is not Decision.FAILED or not row.decides:
        return row
    return replace(row, decides=False, waiver=waiver)


def covers(waiver: Waiver, row: RuleResult) -> bool:
    """Whether a row is of the rule and the cells that a waiver is about."""
    return waiver.rule == row.rule and waiver.cell.items() <= row.cell.items()


def waived(workflow: Workflow, rows: Sequence[RuleResult], day: date, *, whole: bool) -> tuple[Waived, ...]:
    """The waivers of a workflow, and what they hold back; unless it is the `whole` of it, those that concern a row."""
    return tuple(
        Waived(waiver, waiver.expired(day), sum(row.waiver is waiver for row in rows))
        for waiver in workflow.waivers
        if whole or any(covers(waiver, row) for row in rows)
    )


def expired(quarantined: Iterable[Quarantined], waivers: Iterable[Waived]) -> list[RuleResult]:
    """A failed row for each exemption that has ended: nobody who set a day for it has looked at it since."""
    rows = [
        _ended(f"quarantine of {each.quarantine.scenario}", each.quarantine, _family(each.trials))
        for each in quarantined
        if each.expired
    ]
    rows += [_ended(f"waiver of {each.waiver.rule}", each.waiver, each.waiver.cell) for each in waivers if each.expired]
    return rows


def _family(trials: Trials | None) -> dict[str, str]:
    return {} if trials is None else {"family": trials.family}


def exempted(workflow: Workflow) -> list[str]:
    """What a workflow takes out of its gate, a sentence each."""
    waivers = [
        f"{each.rule} is waived{''.join(f', {name} {value}' for name, value in each.cell.items())}, {_signed(each)}"
        for each in workflow.waivers
    ]
    return [*waivers, *(f"{each.scenario} is in quarantine, {_signed(each)}" for each in workflow.quarantine)]


def _signed(exemption: Exemption) -> str:
    return f"until {exemption.until} ({exemption.owner}: {exemption.reason})"


def marks(verdict: GateVerdict) -> str:
    """`with 1 waiver, 2 quarantined`: what a verdict leaves out, and no pass is told without; empty for nothing."""
    held, apart = verdict.held_back, len(verdict.set_apart)
    parts = [f"{held} waiver{'s' if held > 1 else ''}"] if held else []
    parts += [f"{apart} quarantined"] if apart else []
    return f"with {', '.join(parts)}" if parts else ""


def _ended(rule: str, exemption: Exemption, cell: Mapping[str, str]) -> RuleResult:
    reason = (
        f"it ended on {exemption.until} ({exemption.owner}: {exemption.reason}); mend what it was for and take the "
        "line out, or agree on another day"
    )
    return RuleResult(rule, Decision.FAILED, reason, cell=dict(cell), bound=f"until {exemption.until}")
