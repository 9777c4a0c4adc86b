"""All rules of a gate, each in every one of its cells, with what they claim corrected for being many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from harness.gates.case import Case, Given
from harness.gates.cells import cells
from harness.gates.effective import EffectiveRule, bound_of
from harness.gates.holm import Asked, corrected
from harness.gates.kinds import Kind, UnclearRule, bound_decides, kind_of
from harness.gates.ruling import PValues
from harness.model.baseline import baseline_file
from harness.model.result import Decision, RuleResult, Tested
from harness.model.workflow import GateRule


def held(rules: Sequence[EffectiveRule], given: Given) -> list[list[RuleResult]]:
    """Of each rule a row a cell. Cells that are too small are listed and don't decide; where none decides, a row ahead
    of them says so. Rows that a bound decides are corrected together (`harness.gates.holm`).
    """
    placed = [_placed(rule, given) for rule in rules]
    asked = {id(case): ask for cases in placed for case in _cases(cases) if (ask := _asked(case)) is not None}
    tested = dict(zip(asked, corrected(list(asked.values())), strict=True))
    rows = []
    for rule, cases in zip(rules, placed, strict=True):
        if isinstance(cases, RuleResult):
            rows.append([cases])
            continue
        found = [_row(rule, case, tested.get(id(case))) for case in cases]
        rows.append(found if any(row.decides for row in found) else _undecided(_blank(rule), rule, found, given))
    return rows


def _cases(placed: list[Case] | RuleResult) -> list[Case]:
    return [] if isinstance(placed, RuleResult) else placed


def _row(rule: EffectiveRule, case: Case, tested: Tested | None) -> RuleResult:
    confidence = case.confidence if tested is None else tested.adjusted
    return case.row(_blank(rule), case.ruling(confidence), tested)


def _placed(rule: EffectiveRule, given: Given) -> list[Case] | RuleResult:
    """The rule in each of its cells; one row instead where it can't be held at all."""
    blank, against = _blank(rule), rule.rule.against
    try:
        kind = kind_of(rule.rule)
        if kind is Kind.REPLAYS:
            return _skipped(blank, f"recordings decide it: turngate replay --level {rule.rule.level} --against VERSION")
        if against is not None and (lacking := _no_baseline(against, given)):
            return _without_baseline(blank, rule.rule, lacking)
        if kind is Kind.COVERAGE and given.partial is not None:
            return _skipped(blank, "only a part was played, which covers no more than it was chosen to")
        found = cells(rule, given.results)
    except UnclearRule as problem:
        if given.observed and rule.rule.each:
            reason = f"the conversations have no such slice (--slice NAME=ATTRIBUTE gives one): {problem}"
            return _skipped(blank, reason)
        return replace(blank, reason=f"the rule is unclear: {problem}")
    return [Case.of(rule.rule, kind, cell, given) for cell in found]


def _blank(rule: EffectiveRule) -> RuleResult:
    return RuleResult(
        rule.rule.rule,
        Decision.UNDECIDED,
        "",
        cell={} if rule.family is None else {"family": rule.family},
        metric=rule.rule.metric,
        bound=bound_of(rule.rule),
        implicit=rule.implicit,
    )


def _skipped(blank: RuleResult, reason: str) -> RuleResult:
    return replace(blank, decision=Decision.SKIPPED, decides=False, reason=reason)


def _without_baseline(blank: RuleResult, rule: GateRule, lacking: str) -> RuleResult:
    if rule.required:
        return replace(blank, reason=f"{lacking}, and the rule is required")
    return _skipped(blank, f"{lacking}: nothing to compare with")


def _no_baseline(name: str, given: Given) -> str:
    """Why there is nothing to compare with under a baseline's name; empty where there is. A run is never worse than
    itself, which shows nothing.
    """
    baseline = given.baselines.get(name)
    if baseline is None:
        if file := baseline_file(given.workflow, name):
            return f"the file of baseline `{name}` is missing (looked at {file})"
        return f"no baseline `{name}` is set"
    if any(result.key.run == baseline.run for result in given.results):
        return f"this run is the baseline `{name}` itself"
    return ""


def _asked(case: Case) -> Asked | None:
    """The claim that a rule may make in a cell with a confidence of its own; None where no bound decides there. One
    that has nothing to rest on counts among the others all the same: what could not be judged must not help them.
    """
    if case.confidence is None or not case.decides or not bound_decides(case.kind):
        return None
    return Asked(case.ruling(case.confidence).p or PValues(1.0, 1.0), case.confidence)


def _undecided(blank: RuleResult, rule: EffectiveRule, rows: Sequence[RuleResult], given: Given) -> list[RuleResult]:
    """That no cell decides, ahead of those that have episodes. It is no matter where only a part was selected, where
    nobody wrote the rule, or where conversations were observed, unless there are some that it applies to, and too few.
    """
    planned = [row for row in rows if row.planned]
    some = any(row.n or row.not_judged for row in planned)
    if some:
        reason = f"no cell has {rule.rule.min_n} episodes that the rule applies to"
    elif rule.rule.against is not None and planned:
        reason = f"nothing can be compared with {rule.rule.against}: {planned[0].reason}"
    elif count := sum(row.planned for row in planned):
        reason = f"it applies to none of {count} episodes"
    elif given.partial is not None:
        reason = "nothing selected falls under the rule"
    else:
        reason = f"no {'conversation' if given.observed else 'scenario'} falls under the rule"
    if rule.implicit or given.partial is not None or (given.observed and not some):
        return [_skipped(blank, reason), *planned]
    return [replace(blank, reason=f"{reason}, so nothing shows that it holds"), *planned]
