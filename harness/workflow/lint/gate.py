"""What gates and families name: metrics that are there, rules that can be told apart, measures that some rule holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from harness.model.workflow import GateRule
from harness.workflow.lint.subject import Report, Subject
from harness.workflow.validate import Path

PRIVACY = "safety.privacy"
"""The metric that applies only where a field is marked private."""


def check_gate(subject: Subject, report: Report, metrics: Mapping[str, str | None] | None) -> None:
    """Gate rules of the workflow and of its families, and what the families measure. `metrics`: units by name."""
    for gate, path in _gates(subject):
        names = Counter(rule.rule for rule in gate)
        for number, rule in enumerate(gate):
            if names[rule.rule] > 1:
                where = subject.at(*path, number)
                report.error(where, f"two rules of this gate are called `{rule.rule}`", "give each a name of its own")
            if rule.level is not None and path != ("gate",):
                where = subject.at(*path, number, "level")
                report.error(where, "recordings are of no family", "put the rule under the workflow's `gate`")
            if rule.metric is not None and metrics is not None and rule.metric not in metrics:
                report.unknown(subject.at(*path, number, "metric"), "metric", rule.metric, metrics, "")
            if (key := _vain(rule, metrics or {})) is not None:
                where, limit = subject.at(*path, number, key), getattr(rule, key)
                report.warn(where, f"`{key}: {limit}` holds whatever comes, so that nothing can fail `{rule.rule}`")
    if metrics is not None:
        always = {f"rule.{rule.id}" for rule in subject.workflow.rules}
        for name, family in subject.workflow.scenario_map.items():
            held = {rule.held for rule in (*subject.workflow.gate, *family.gate)} | always
            for number, metric in enumerate(family.measures):
                where = subject.at("scenario_map", name, "measures", number)
                if metric not in metrics:
                    report.unknown(where, "metric", metric, metrics, "")
                elif metric not in held:
                    limit = "failures: 0" if metrics[metric] is None else "at_most: …"
                    what = f"{metric} is measured in {name} and no gate rule holds it"
                    report.warn(where, what, f"write under `gate`: {{rule: …, metric: {metric}, {limit}}}")


def _vain(rule: GateRule, units: Mapping[str, str | None]) -> str | None:
    """The key of a limit that every share keeps to; None if results may break it."""
    of_shares = rule.metric is not None and rule.metric in units and units[rule.metric] is None
    if rule.at_least is not None and rule.at_least <= 0 and (of_shares or rule.coverage is not None):
        return "at_least"
    if rule.at_most is not None and rule.at_most >= 1 and rule.status is not None:
        return "at_most"
    return "max_drop" if rule.max_drop is not None and rule.max_drop >= 1 and of_shares else None


def check_marks(subject: Subject, report: Report) -> None:
    """A gate rule on privacy where nothing is marked private: it applies to no episode."""
    if any(field.owner for table in subject.schema.tables.values() for field in table.fields.values()):
        return
    for gate, path in _gates(subject):
        for number, rule in enumerate(gate):
            if rule.metric == PRIVACY:
                where = subject.at(*path, number, "metric")
                report.warn(where, f"no field is marked private, so {PRIVACY} applies to nothing", "see `private`")


def _gates(subject: Subject) -> Iterator[tuple[list[GateRule], Path]]:
    yield subject.workflow.gate, ("gate",)
    for name, family in subject.workflow.scenario_map.items():
        yield family.gate, ("scenario_map", name, "gate")
