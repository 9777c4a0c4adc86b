"""Rules on replayed recordings: how many may be worse than the current version, replayed in the same way, is.

Only what was replayed turn by turn, or forward for as long as the recorded user fits, decides; and only where enough of
the recorded turns could be compared. What comes of a simulated user, or of new scores for old episodes, is reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from harness.gates.effective import bound_of, enough_of
from harness.gates.kinds import Kind, UnclearRule, kind_of
from harness.gates.ruling import percent
from harness.model.replay import Level, ReplaySummary, Verdict
from harness.model.result import Decision, GateVerdict, RuleResult
from harness.model.workflow import GateRule, Workflow

_GATING = (Level.TURNS, Level.FORWARD)
_ORDER = (Decision.FAILED, Decision.UNDECIDED, Decision.PASSED)


def decide_replays(workflow: Workflow, summary: ReplaySummary) -> GateVerdict:
    """The gate of a workflow over replayed recordings: the rules that it writes for this level, else that none is
    worse. SKIPPED where nothing gates and nothing speaks against the new version.
    """
    rows = tuple(_rows(workflow, summary))
    seen = {row.decision for row in rows if row.decides}
    return GateVerdict(next((each for each in _ORDER if each in seen), Decision.SKIPPED), rows)


def _rows(workflow: Workflow, summary: ReplaySummary) -> Iterator[RuleResult]:
    if not summary.recordings:
        yield _implicit("something to replay", "no recording was replayed")
        return
    written = [rule for rule in workflow.gate if _is_of(rule, summary.level)]
    rules = [(rule, False) for rule in written] or [(_usual(summary.level), True)] if summary.level in _GATING else []
    if summary.paired is None:
        yield from (_without_version(rule) for rule, implicit in rules if not implicit)
        yield from _against_the_record(summary)
        return
    for rule, implicit in rules:
        yield _ruled(rule, summary, implicit=implicit)


def _is_of(rule: GateRule, level: Level) -> bool:
    try:
        return kind_of(rule) is Kind.REPLAYS and rule.level == level.value
    except UnclearRule:
        return False


def _usual(level: Level) -> GateRule:
    return GateRule.model_validate({"rule": "replays", "level": level.value, "worse": 0})


def _ruled(rule: GateRule, summary: ReplaySummary, *, implicit: bool) -> RuleResult:
    worse, most = summary.decisive.get(Verdict.WORSE, 0), rule.worse or 0
    lacking = _lacking(summary, enough_of(rule))
    reason = f"{worse} of {summary.recordings} recordings are worse"
    if lacking:  # then nothing is decided, whichever way it points; what was found is told all the same
        decision, reason = Decision.UNDECIDED, f"{lacking}; {reason}" if worse else lacking
    elif worse > most:
        decision, reason = Decision.FAILED, f"{reason}, {most} allowed"
    else:
        decision = Decision.PASSED
    return RuleResult(
        rule.rule,
        decision,
        reason,
        figure=float(worse),
        bound=bound_of(rule),
        shown=str(worse),
        n=summary.recordings - summary.decisive.get(Verdict.NOT_COMPARABLE, 0),
        not_judged=summary.decisive.get(Verdict.NOT_COMPARABLE, 0),
        planned=summary.recordings,
        failed=worse,
        implicit=implicit,
    )


def _lacking(summary: ReplaySummary, enough: Decimal) -> str | None:
    """That too little could be compared to say anything; None if it was enough."""
    if not summary.turns:
        return "no turn was recorded"
    told = summary.compared if summary.paired is None else summary.paired_turns
    if Decimal(told) >= enough * summary.turns:
        return None
    return f"{told} of {summary.turns} recorded turns could be compared, and {percent(float(enough))} are asked for"


def _without_version(rule: GateRule) -> RuleResult:
    reason = "it is held against the current version, replayed in the same way: name it with --against"
    return RuleResult(rule.rule, Decision.SKIPPED, reason, bound=bound_of(rule), decides=False)


def _against_the_record(summary: ReplaySummary) -> Iterator[RuleResult]:
    """Against the recording alone nothing gates; but what speaks against the new version is no pass either."""
    if summary.level not in _GATING:
        return
    if lacking := _lacking(summary, enough_of(_usual(summary.level))):
        yield _implicit("enough was compared", lacking)
    if worse := summary.verdicts.get(Verdict.WORSE, 0):
        reason = f"{worse} of {summary.recordings} are worse; whether the version in use would be is shown by --against"
        yield _implicit("no worse than recorded", reason)


def _implicit(rule: str, reason: str) -> RuleResult:
    return RuleResult(rule, Decision.UNDECIDED, reason, implicit=True)
