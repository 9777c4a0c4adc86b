"""Whether what a scenario is given can be merged into the start state."""

from __future__ import annotations

from harness.workflow.lint.subject import Report, Subject, Written


def check_given(written: Written, subject: Subject, report: Report) -> None:
    """Additions to the start state that its tables do not take."""
    given = written.scenario.given
    for problem in subject.start.check_given(given):
        about = max((path for path in given if problem.startswith(path)), key=len, default="")
        report.error(written.key_at("given", about), problem)
