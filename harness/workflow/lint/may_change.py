"""What may change without being asked to: tables, rows and fields that are there."""

from __future__ import annotations

from harness.workflow.lint.paths import PathCheck
from harness.workflow.lint.reach import Reach
from harness.workflow.lint.subject import Report, Subject
from harness.workflow.lint.values import ValueCheck
from tools_sandbox.patterns import Matcher

_ANY = Matcher({"any": True})


def check_may_change(subject: Subject, reach: Reach, report: Report) -> None:
    """Tables, rows and fields that nothing has."""
    values, paths = ValueCheck(subject, subject.schema, report), PathCheck(reach, report)
    for number, entry in enumerate(subject.workflow.may_change):
        place = ("may_change", number)
        if "." in entry:
            values.state(entry, _ANY, place)
            paths.read(entry, _ANY, subject.at(*place))
        elif entry not in subject.schema.tables:
            report.unknown(subject.at(*place), "table", entry, subject.schema.tables, "the sandbox has no state")
