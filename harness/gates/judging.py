"""One rule in one cell: what it reads of the episodes there, and what that comes to."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from harness.gates.figures import exactly
from harness.gates.kinds import Kind, misfit
from harness.gates.measures import Sample, limit_of, measure
from harness.gates.rates import every_trial, failures, share_not_judged, share_passed, some_trials
from harness.gates.readings import ON_PLAYED, Reading, Readings, gist, scenario_of, status_of
from harness.gates.ruling import Ruling, undecided
from harness.gates.scenario_shares import by_scenario, mean_pass_hat, mean_share
from harness.gates.sequential import SequentialTally
from harness.gates.shares import Share, Tally
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


def judge(
    rule: GateRule,
    kind: Kind,
    rows: Sequence[Row],
    confidence: float | None = None,
    *,
    deterministic: bool = False,
    sequential: bool = False,
) -> Ruling:
    """What a rule of this kind says of the rows of a cell; of those that look at no more than these rows, which
    AGAINST and COVERAGE are not.

    `confidence`: that of its bounds, if they decide. `deterministic`: all played trials of every scenario went the same
    way, so that a figure they agree on is taken as exact; never by a rule that needs every trial, and never as one of
    other scenarios. `sequential`: bounds must hold at every look.
    """
    exact = deterministic and not needs_every_trial(rule) and not rule.generalise and _agree(rows)
    readings = [row.reading for row in rows]
    judgements = [reading for reading in readings if isinstance(reading, Judgement)]
    units = [reading.unit for reading in readings if isinstance(reading, Measure)]
    if units and any(reading.status in (Status.PASSED, Status.FAILED) for reading in judgements):
        return undecided(f"{rule.metric} is a judgement in some episodes and a measure in others")
    if kind is Kind.NOT_JUDGED and rule.at_most is not None:
        return share_not_judged(sum(row.status is Status.NOT_JUDGED for row in rows), len(rows), rule.at_most)
    measured = bool(units) or _asks_for_measure(rule, judgements)
    if kind is Kind.LIMIT and measured and rule.pass_hat is None:
        return _measure(rule, rows, confidence, exact=exact)
    if wrong := misfit(rule, kind, unit=units[0] if units else None):
        return undecided(wrong)
    if kind is Kind.SOME_TRIALS and rule.at_least is not None and rule.of is not None:
        return some_trials(_scenarios(rows), int(rule.at_least), rule.of)
    tally = (SequentialTally if sequential else Tally).of(judgements, exact=exact)
    if kind is Kind.EVERY_TRIAL:
        return every_trial(tally)
    if kind is Kind.FAILURES and rule.failures is not None:
        return failures(tally, rule.failures, confidence, mean_share(_scenarios(rows)) if rule.generalise else None)
    share = _share(rule, rows, tally)
    if share is None:
        return undecided(f"{rule.stat} takes {rule.pass_hat} trials of every scenario")
    return share_passed(share, limit_of(rule).value, confidence)


def _share(rule: GateRule, rows: Sequence[Row], tally: Tally) -> Share | None:
    """What a limit on a share is held against; None if there are too few trials for pass^k."""
    if not tally.judged:
        return tally
    if rule.pass_hat is not None:
        return mean_pass_hat(_scenarios(rows), rule.pass_hat, generalise=rule.generalise)
    return mean_share(_scenarios(rows)) if rule.generalise else tally


def _scenarios(rows: Sequence[Row]) -> list[Tally]:
    return by_scenario((scenario_of(row.result), row.reading) for row in rows if isinstance(row.reading, Judgement))


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
    asks = rule.at_most is not None or rule.stat is not None or rule.per in ("success", "turn")
    return not judged and asks and rule.pass_hat is None


def _measure(rule: GateRule, rows: Sequence[Row], confidence: float | None, *, exact: bool) -> Ruling:
    """Turns of one conversation are not independent, and as a sample of others neither are trials of one scenario."""
    turns = rule.per == "turn"
    missing = sum(_missing(row, turns=turns) for row in rows)
    values = [(row.result, value) for row in rows for value in _values(row, turns=turns)]
    clusters: list[Hashable] | None = None
    if rule.generalise:
        clusters = [scenario_of(result) for result, _ in values]
    elif turns:
        clusters = [result.key for result, _ in values]
    sample = Sample(
        tuple(value for _, value in values),
        missing,
        exact=exact and not turns,
        clusters=None if clusters is None else tuple(clusters),
        unit="scenarios" if rule.generalise else "conversations" if turns else "episodes",
    )
    return measure(sample, rule.stat or "mean", limit_of(rule), confidence)


def _missing(row: Row, *, turns: bool) -> int:
    """How many values a row should have and has not."""
    unknown = row.result.turn_seconds.count(None) if turns and row.result.state == "played" else 0
    return unknown or int(row.status is Status.NOT_JUDGED)


def _values(row: Row, *, turns: bool) -> list[Fraction]:
    if turns:
        known = row.result.turn_seconds if row.status is Status.PASSED else ()
        return [exactly(seconds) for seconds in known if seconds is not None]
    value = row.reading.value if isinstance(row.reading, Measure) else None
    return [] if value is None else [exactly(value)]


def _agree(rows: Sequence[Row]) -> bool:
    """Whether the played trials of each scenario read the same."""
    first: dict[Hashable, Hashable] = {}
    return all(
        first.setdefault(scenario_of(row.result), gist(row.reading)) == gist(row.reading)
        for row in rows
        if row.result.state == "played"
    )
