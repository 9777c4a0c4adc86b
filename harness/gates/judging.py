"""One rule in one cell: what it reads of the episodes there, and what that comes to."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from harness.gates.figures import exactly
from harness.gates.kinds import Kind, misfit
from harness.gates.measures import Sample, limit_of, measure
from harness.gates.rates import Tally, every_trial, failures, share_not_judged, share_passed
from harness.gates.readings import ON_PLAYED, Reading, Readings, gist, scenario_of, status_of
from harness.gates.ruling import Ruling, undecided
from harness.gates.sparing import needs_every_trial
from harness.model.result import Result
from harness.model.status import Judgement, Measure, Status, not_applicable, not_judged
from harness.model.workflow import GateRule

_NO_SUCCESS = not_applicable("taken over episodes that passed")
_NOT_SHOWN = not_judged("spared, and the rule needs every trial: only trials that were played count")


@dataclass(frozen=True, slots=True)
class Row:
    """A planned episode and what the rule reads of it."""

    result: Result
    reading: Reading

    @property
    def status(self) -> Status:
        """How the reading came out; a value that is there counts as passed."""
        return status_of(self.reading)

    @property
    def counts(self) -> bool:
        """Whether the rule applies to it, so that it counts towards `min_n`."""
        return self.status is not Status.NOT_APPLICABLE or self.reading is ON_PLAYED


def read(rule: GateRule, results: Sequence[Result], readings: Readings) -> list[Row]:
    """What a rule reads of each of the episodes."""
    return [Row(result, _reading(rule, result, readings)) for result in results]


def judge(rule: GateRule, kind: Kind, rows: Sequence[Row], *, deterministic: bool = False) -> Ruling:
    """What a rule of this kind says of the rows of a cell. AGAINST needs a baseline and can't be judged here.
    `deterministic`: all played trials of every scenario went the same way, so that a figure they agree on is taken as
    exact; never by a rule that needs every trial.
    """
    exact = deterministic and not needs_every_trial(rule) and _agree(rows)
    confidence = None if rule.confidence is None else float(rule.confidence)
    readings = [row.reading for row in rows]
    judgements = [reading for reading in readings if isinstance(reading, Judgement)]
    measured = len(judgements) < len(readings)
    if measured and any(reading.status in (Status.PASSED, Status.FAILED) for reading in judgements):
        return undecided(f"{rule.metric} is a judgement in some episodes and a measure in others")
    if kind is Kind.LIMIT and (measured or _asks_for_measure(rule, judgements)):
        return _measure(rule, rows, confidence, exact=exact)
    if kind is Kind.NOT_JUDGED and rule.at_most is not None:
        return share_not_judged(sum(row.status is Status.NOT_JUDGED for row in rows), len(rows), rule.at_most)
    if wrong := misfit(rule, kind, measured=measured):
        return undecided(wrong)
    tally = Tally.of(judgements, exact=exact)
    if kind is Kind.EVERY_TRIAL:
        return every_trial(tally)
    if kind is Kind.FAILURES and rule.failures is not None:
        return failures(tally, rule.failures, confidence)
    return share_passed(tally, limit_of(rule).value, confidence)


def _reading(rule: GateRule, result: Result, readings: Readings) -> Reading:
    if result.state == "spared" and needs_every_trial(rule):
        return _NOT_SHOWN
    if rule.per == "turn":
        return readings.of_turns(result)
    if rule.per == "success":
        verdict = readings.of(result, None)
        if status_of(verdict) is Status.NOT_JUDGED:
            return verdict
        if status_of(verdict) is not Status.PASSED:
            return _NO_SUCCESS
    return readings.of(result, rule.metric)


def _asks_for_measure(rule: GateRule, judgements: Sequence[Judgement]) -> bool:
    """Whether a rule with not one value at hand must be meant for a measure."""
    judged = any(judgement.status in (Status.PASSED, Status.FAILED) for judgement in judgements)
    return not judged and (rule.at_most is not None or rule.stat is not None or rule.per not in (None, "episode"))


def _measure(rule: GateRule, rows: Sequence[Row], confidence: float | None, *, exact: bool) -> Ruling:
    missing = sum(row.status is Status.NOT_JUDGED for row in rows)
    values = []
    for row in rows:
        if isinstance(row.reading, Measure) and row.reading.value is not None:
            values.append(exactly(row.reading.value))
    if rule.per == "turn":
        values = [
            exactly(seconds) for row in rows if row.status is Status.PASSED for seconds in row.result.turn_seconds
        ]
    whole = rule.per != "turn"
    sample = Sample(tuple(values), missing, exact=exact and whole, independent=whole)
    return measure(sample, rule.stat or "mean", limit_of(rule), confidence)


def _agree(rows: Sequence[Row]) -> bool:
    """Whether the played trials of each scenario read the same."""
    first: dict[Hashable, Hashable] = {}
    return all(
        first.setdefault(scenario_of(row.result), gist(row.reading)) == gist(row.reading)
        for row in rows
        if row.result.state == "played"
    )
