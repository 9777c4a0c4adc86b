"""Whether a gate can be decided at all: metrics and slices that are there, and episodes enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from harness.model.scenario import Scenario
from harness.model.workflow import GateRule
from harness.workflow.lint.subject import Report, Subject
from harness.workflow.validate import Path


def check_gate(subject: Subject, report: Report, metrics: Collection[str] | None) -> None:
    """Gate rules of the workflow and of its families, and what the families measure."""
    for gate, path, family in _gates(subject):
        names = Counter(rule.rule for rule in gate)
        for number, rule in enumerate(gate):
            where = subject.at(*path, number)
            if names[rule.rule] > 1:
                report.error(where, f"two rules of this gate are called `{rule.rule}`", "give each a name of its own")
            if rule.metric is not None and metrics is not None and rule.metric not in metrics:
                report.unknown(subject.at(*path, number, "metric"), "metric", rule.metric, metrics, "")
            _cells(rule, (*path, number), family, subject, report)
    if metrics is not None:
        for name, family_row in subject.workflow.scenario_map.items():
            for number, metric in enumerate(family_row.measures):
                if metric not in metrics:
                    where = subject.at("scenario_map", name, "measures", number)
                    report.unknown(where, "metric", metric, metrics, "")


def _gates(subject: Subject) -> Iterator[tuple[list[GateRule], Path, str | None]]:
    yield subject.workflow.gate, ("gate",), None
    for name, family in subject.workflow.scenario_map.items():
        yield family.gate, ("scenario_map", name, "gate"), name


def _cells(rule: GateRule, path: Path, family: str | None, subject: Subject, report: Report) -> None:
    scenarios = [written.scenario for written in subject.scenarios]
    known = {"family", *(name for scenario in scenarios for name in scenario.slices)}
    unknown = [(number, name) for number, name in enumerate(rule.each) if name not in known]
    for number, name in unknown:
        report.unknown(subject.at(*path, "each", number), "slice", name, known, "")
    if unknown:
        return
    chosen = [
        scenario
        for scenario in scenarios
        if scenario.tier != "explore" and family in (None, scenario.family) and rule.tier in (None, scenario.tier)
    ]
    if not chosen:
        report.warn(subject.at(*path), f"no scenario falls under the rule `{rule.rule}`", "so it decides nothing")
        return
    _enough(rule, path, chosen, subject, report)


def _enough(rule: GateRule, path: Path, chosen: list[Scenario], subject: Subject, report: Report) -> None:
    """`min_n` that no cell of the plan reaches can never be decided."""
    by = list(rule.each)
    if rule.metric is not None and "family" not in by:
        by.insert(0, "family")
    cells = Counter(tuple(_value(scenario, name) for name in by) for scenario in chosen)
    cell, most = max(cells.items(), key=lambda item: item[1])
    planned = most * subject.workflow.trials
    if rule.min_n is not None and planned < rule.min_n:
        named = f" ({', '.join(cell)})" if any(cell) else ""
        what = f"`min_n: {rule.min_n}` is never reached: the fullest cell{named} has {planned} planned episodes"
        advice = f"add scenarios, raise `trials`, or write `min_n: {planned}`"
        report.error(subject.at(*path, "min_n"), what, advice)


def _value(scenario: Scenario, name: str) -> str:
    return scenario.family if name == "family" else scenario.slices.get(name, "")
