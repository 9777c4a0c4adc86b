"""The verdict of a gate: every rule in every cell, and what they come to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date

from harness.gates.cells import Cell, cells
from harness.gates.effective import EffectiveRule, effective
from harness.gates.exemptions import expired, hold_back, quarantine, waived
from harness.gates.figures import nearest, shown
from harness.gates.flips import trials_of
from harness.gates.judging import Row, judge, read
from harness.gates.kinds import Kind, UnclearRule, kind_of
from harness.gates.readings import Readings, scenario_of
from harness.gates.uncounted import uncounted
from harness.model.result import Decision, GateVerdict, Result, RuleResult
from harness.model.status import Measure, Status
from harness.model.workflow import GateRule, Workflow

_WORST_FIRST = (Status.FAILED, Status.NOT_JUDGED, Status.PASSED, Status.NOT_APPLICABLE)
_UNJUDGED_FIRST = (Status.NOT_JUDGED, Status.FAILED, Status.PASSED, Status.NOT_APPLICABLE)


def decide(
    workflow: Workflow,
    results: Sequence[Result],
    partial: str | None = None,
    *,
    deterministic: bool = False,
    observed: bool = False,
    day: date = date.max,
) -> GateVerdict:
    """The gate of a workflow over the planned episodes of one agent version. Those of a condition other than `clean`
    are in no rate, and neither are those of scenarios in quarantine.

    A failed rule fails the gate; else an undecided one leaves it undecided, and so does an episode that did not pass
    and that no rule counts; it passes only if some rule passed.

    `partial` says in words why these are not all the episodes of the workflow. The decision is then about these alone:
    FAILED is to be believed, anything else is to be shown as "partial: no gate", never as passed.

    `deterministic`: all played trials of every scenario went the same way, at least two of each. That is no proof:
    where the noise between trials is asked for (`confidence`), and of critical scenarios, only trials that were played
    count. Where it does not hold, trials that were spared are not judged.

    `observed`: conversations that were not played but read from telemetry. Nobody chose them, so a rule that none of
    them falls under is skipped, and says so.

    `day`: the date of the run, by which quarantine and waivers end; without one all of them have.
    """
    clean = [result for result in results if result.key.condition == "clean"]
    trials = () if observed else trials_of(clean)
    quarantined = quarantine(workflow, clean, trials, day)
    apart = {each.quarantine.scenario for each in quarantined if not each.expired}
    rated = [result for result in clean if result.key.item not in apart]
    if not rated:
        nothing = "every scenario is in quarantine" if clean else "no episode was selected"
        row = _implicit("something to judge", nothing)
        return GateVerdict(Decision.UNDECIDED, (row,), partial, quarantine=quarantined, trials=trials)
    readings = Readings(rated, deterministic=deterministic)
    rules = [
        row
        for rule in effective(workflow)
        for row in hold_back(rule, _hold(rule, rated, readings, partial, observed=observed), workflow.waivers, day)
    ]
    missed = uncounted(workflow, rated, rules)
    waivers = waived(workflow, rules, day, whole=partial is None)
    rules = [*expired(quarantined, waivers), *rules, *missed]
    decision = _overall(row.decision for row in rules if row.decides)
    if decision is Decision.SKIPPED:
        rules.append(_implicit("something decides", "every rule was skipped, so nothing shows that the agent may ship"))
        decision = Decision.UNDECIDED
    ids = tuple(id_ for row in missed for id_ in row.episodes)
    return GateVerdict(decision, tuple(rules), partial, ids, waivers, quarantined, trials)


def _overall(decisions: Iterable[Decision]) -> Decision:
    seen = set(decisions)
    order = (Decision.FAILED, Decision.UNDECIDED, Decision.PASSED)
    return next((decision for decision in order if decision in seen), Decision.SKIPPED)


def _implicit(rule: str, reason: str) -> RuleResult:
    return RuleResult(rule, Decision.UNDECIDED, reason, implicit=True)


def _hold(
    rule: EffectiveRule, results: Sequence[Result], readings: Readings, partial: str | None, *, observed: bool
) -> list[RuleResult]:
    """A rule in each of its cells. Cells that are too small are listed and don't decide; where none decides, a row
    ahead of them says so.
    """
    blank = RuleResult(
        rule.rule.rule,
        Decision.UNDECIDED,
        "",
        cell={} if rule.family is None else {"family": rule.family},
        metric=rule.rule.metric,
        bound=_bound(rule.rule),
        implicit=rule.implicit,
    )
    try:
        kind = kind_of(rule.rule)
        if kind is Kind.AGAINST:
            return [_without_baseline(blank, rule.rule)]
        found = cells(rule, results)
    except UnclearRule as problem:
        if observed and rule.rule.each:
            reason = f"the conversations have no such slice (--slice NAME=ATTRIBUTE gives one): {problem}"
            return [replace(blank, decision=Decision.SKIPPED, decides=False, reason=reason)]
        return [replace(blank, reason=f"the rule is unclear: {problem}")]
    rows = [_in_cell(blank, rule.rule, kind, cell, readings) for cell in found]
    if any(row.decides for row in rows):
        return rows
    planned = [row for row in rows if row.planned]
    return [_without_cell(blank, rule, planned, partial, observed=observed), *planned]


def _in_cell(blank: RuleResult, rule: GateRule, kind: Kind, cell: Cell[Result], readings: Readings) -> RuleResult:
    rows = read(rule, cell.rows, readings)
    ruling = judge(rule, kind, rows, deterministic=readings.deterministic)
    size = sum(row.counts for row in rows)
    decides = size >= (rule.min_n or 1)
    reason = ruling.reason if decides or not size else f"fewer than {rule.min_n} episodes: {ruling.reason}"
    behind = _behind(rule, kind, rows)
    bad = (Status.NOT_JUDGED,) if kind is Kind.NOT_JUDGED else (Status.FAILED, Status.NOT_JUDGED)
    limit = next((value for value in (rule.failures, rule.at_least, rule.at_most) if value is not None), None)
    return replace(
        blank,
        decision=ruling.decision if decides else Decision.SKIPPED,
        decides=decides,
        reason=reason,
        cell=cell.names,
        figure=None if ruling.figure is None else nearest(ruling.figure),
        shown="" if ruling.figure is None else shown(ruling.figure, limit),
        low=ruling.bounds.low,
        high=ruling.bounds.high,
        confidence=ruling.bounds.confidence,
        n=ruling.n,
        not_judged=sum(row.status is Status.NOT_JUDGED for row in rows),
        failed=0 if kind is Kind.NOT_JUDGED else sum(row.status is Status.FAILED for row in rows),
        planned=len(rows),
        episodes=tuple(row.result.key.id for row in behind),
        counted=tuple(row.result.key.id for row in behind if row.status in bad),
        agreed=_fewest_trials(rows) if ruling.exact else 0,
    )


def _behind(rule: GateRule, kind: Kind, rows: Iterable[Row]) -> list[Row]:
    """The episodes that were played, the worst first: those that failed, then those not judged, the other way round for
    a rule on these; of a measure, the worst value first.
    """
    sign = 1 if rule.at_least is not None else -1
    worst_first = _UNJUDGED_FIRST if kind is Kind.NOT_JUDGED else _WORST_FIRST

    def badness(row: Row) -> tuple[int, float]:
        value = row.reading.value if isinstance(row.reading, Measure) else None
        return worst_first.index(row.status), 0.0 if value is None else sign * nearest(value)

    return sorted((row for row in rows if row.result.state == "played"), key=badness)


def _fewest_trials(rows: Iterable[Row]) -> int:
    """How many trials were played of each scenario at least."""
    return min(Counter(scenario_of(row.result) for row in rows if row.result.state == "played").values(), default=0)


def _without_baseline(blank: RuleResult, rule: GateRule) -> RuleResult:
    reason = f"no baseline `{rule.against}` is set"
    if rule.required:
        return replace(blank, reason=f"{reason}, and the rule is required")
    return replace(blank, decision=Decision.SKIPPED, decides=False, reason=f"{reason}: nothing to compare with")


def _without_cell(
    blank: RuleResult, rule: EffectiveRule, rows: Sequence[RuleResult], partial: str | None, *, observed: bool
) -> RuleResult:
    """That no cell decides. It is no matter where only a part was selected, where nobody wrote the rule, or where
    conversations were observed, unless there are some that it applies to, and too few.
    """
    some = any(row.n or row.not_judged for row in rows)
    if some:
        reason = f"no cell has {rule.rule.min_n} episodes that the rule applies to"
    elif planned := sum(row.planned for row in rows):
        reason = f"it applies to none of {planned} episodes"
    elif partial is not None:
        reason = "nothing selected falls under the rule"
    else:
        reason = f"no {'conversation' if observed else 'scenario'} falls under the rule"
    if rule.implicit or partial is not None or (observed and not some):
        return replace(blank, decision=Decision.SKIPPED, decides=False, reason=reason)
    return replace(blank, reason=f"{reason}, so nothing shows that it holds")


def _bound(rule: GateRule) -> str:
    if rule.every is not None:
        return "every trial"
    if rule.against is not None:
        return f"drop at most {rule.max_drop}"
    if rule.failures is not None:
        return f"failures at most {rule.failures}"
    return f"at least {rule.at_least}" if rule.at_least is not None else f"at most {rule.at_most}"
