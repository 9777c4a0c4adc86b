"""Cross checks: whether what the files name is there, and whether what they ask for can come about."""

from __future__ import annotations

from collections.abc import Mapping

from harness.workflow.lint.agent import check_agent
from harness.workflow.lint.bare_words import check_bare_words
from harness.workflow.lint.baselines import check_baselines
from harness.workflow.lint.exemptions import check_exemptions
from harness.workflow.lint.expectations import check_expectations
from harness.workflow.lint.gate import check_gate, check_marks
from harness.workflow.lint.given import check_given
from harness.workflow.lint.ids import check_ids
from harness.workflow.lint.may_change import check_may_change
from harness.workflow.lint.names import check_names
from harness.workflow.lint.paths import check_expected_paths, check_given_paths, check_tool_paths
from harness.workflow.lint.privacy import accounts, check_private
from harness.workflow.lint.proofs import check_proofs
from harness.workflow.lint.reach import Reach
from harness.workflow.lint.replay import check_replay
from harness.workflow.lint.rules import check_rules
from harness.workflow.lint.slips import check_slips
from harness.workflow.lint.subject import Report, Subject, Written
from harness.workflow.lint.values import check_values
from harness.workflow.lint.wording import check_wording

__all__ = ["Report", "Subject", "Written", "check_ids", "lint"]


def lint(subject: Subject, metrics: Mapping[str, str | None] | None = None) -> Report:
    """Everything that is wrong (errors) or doubtful (warnings) in files that each read well by themselves.

    `metrics` are the names that a gate and `measures` may use, each with its unit (None: it passes or fails); without
    them they are not checked.
    """
    report = Report()
    reach = Reach.everywhere(subject)
    check_rules(subject, report)
    check_replay(subject, report)
    check_agent(subject, report)
    check_private(subject, reach, report)
    check_tool_paths(subject, reach, report)
    check_proofs(subject, reach, report)
    check_may_change(subject, reach, report)
    check_slips(subject, report)
    check_bare_words(subject, reach, report)
    check_gate(subject, report, metrics)
    check_exemptions(subject, report)
    check_baselines(subject, report)
    check_marks(subject, report)
    known = accounts(subject)
    for written in subject.scenarios:
        check_names(written, subject, known, report)
        check_wording(written, report)
        check_given(written, subject, report)
        check_expectations(written, subject, report)
        check_values(written, subject, report)
        check_given_paths(written, subject, report)
        check_expected_paths(written, subject, report)
    return report
