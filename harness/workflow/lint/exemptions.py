"""Waivers and quarantine: whether what they name is there, may be exempted at all, and has not ended already."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime

from harness.model.exemption import Exemption, Waiver
from harness.model.workflow import GateRule
from harness.workflow.lint.subject import Report, Subject
from harness.workflow.validate import Path

_CRITICAL = "critical scenarios"
"""The rule that always applies, whether or not a line of the gate says it."""


def check_exemptions(subject: Subject, report: Report, today: date | None = None) -> None:
    """Waivers and quarantined scenarios of a workflow. `today`: a date in UTC, by default the one it is."""
    day = today or datetime.now(UTC).date()
    _quarantine(subject, report, day)
    _waivers(subject, report, day)


def _quarantine(subject: Subject, report: Report, day: date) -> None:
    tiers = {written.scenario.id: written.scenario.tier for written in subject.scenarios}
    counts = Counter(entry.scenario for entry in subject.workflow.quarantine)
    for number, entry in enumerate(subject.workflow.quarantine):
        where = subject.at("quarantine", number, "scenario")
        if entry.scenario not in tiers:
            report.unknown(where, "scenario", entry.scenario, tiers, "write it, or take the line out")
        elif tiers[entry.scenario] == "critical":
            what = f"`{entry.scenario}` is critical, and a critical scenario can't be in quarantine"
            report.error(where, what, "mend it, or make it `tier: core` with whoever answers for it")
        if counts[entry.scenario] > 1:
            report.error(where, f"`{entry.scenario}` is in quarantine twice", "leave one line")
        _ended(entry, ("quarantine", number), subject, report, day)


def _waivers(subject: Subject, report: Report, day: date) -> None:
    rules = _rules(subject)
    for number, waiver in enumerate(subject.workflow.waivers):
        where = subject.at("waivers", number, "rule")
        if waiver.rule not in rules:
            report.unknown(where, "gate rule", waiver.rule, rules, "")
        elif any(rule is None or (rule.tier == "critical" and rule.every) for rule in rules[waiver.rule]):
            what = f"`{waiver.rule}` asks for every trial of critical scenarios, and that can't be waived"
            report.error(where, what, "mend them, or make them `tier: core` with whoever answers for them")
        else:
            _cell(waiver, number, rules[waiver.rule], subject, report)
        _ended(waiver, ("waivers", number), subject, report, day)


def _rules(subject: Subject) -> dict[str, list[GateRule | None]]:
    """The rules of all gates by name; None for the one on critical scenarios that nobody need write."""
    workflow = subject.workflow
    found: dict[str, list[GateRule | None]] = {_CRITICAL: [None]}
    for rule in (*workflow.gate, *(rule for family in workflow.scenario_map.values() for rule in family.gate)):
        found.setdefault(rule.rule, []).append(rule)
    for always in workflow.rules:
        found.setdefault(always.id, []).append(GateRule.model_validate({"rule": always.id}))
    return found


def _cell(waiver: Waiver, number: int, rules: list[GateRule | None], subject: Subject, report: Report) -> None:
    """That the cell of a waiver is one of the rule's."""
    by = {"family", *(name for rule in rules if rule for name in rule.each)}
    for name, value in waiver.cell.items():
        where = subject.key_at("waivers", number, "cell", name)
        if name not in by:
            report.unknown(where, f"cell of `{waiver.rule}` by", name, by, "")
            continue
        slices = {written.scenario.slices.get(name) for written in subject.scenarios}
        known = subject.workflow.scenario_map if name == "family" else {each for each in slices if each}
        if value not in known:
            report.unknown(subject.at("waivers", number, "cell", name), name, value, known, "no scenario has one")


def _ended(exemption: Exemption, path: Path, subject: Subject, report: Report, day: date) -> None:
    if exemption.expired(day):
        where = subject.at(*path, "until")
        what = f"it ended on {exemption.until}, and blocks the gate since"
        report.warn(where, what, "mend what it was for and take the line out, or agree on another day")
