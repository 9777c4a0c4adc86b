"""One rule in one of its cells: the episodes there, and what the rule says of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from harness.gates.against import no_worse
from harness.gates.cells import Cell, lies_in
from harness.gates.coverage import RATED, Clauses, covered, exercised
from harness.gates.figures import nearest, shown
from harness.gates.judging import Row, judge, read
from harness.gates.kinds import Kind
from harness.gates.pairing import Paired, pair
from harness.gates.readings import Readings, scenario_of
from harness.gates.ruling import Ruling, percent
from harness.gates.stopping import Look, look, wanted
from harness.model.baseline import Baseline
from harness.model.result import Decision, Result, RuleResult, Tested, UntilDecided
from harness.model.status import Measure, Status
from harness.model.workflow import GateRule, Workflow

_WORST_FIRST = (Status.FAILED, Status.NOT_JUDGED, Status.PASSED, Status.NOT_APPLICABLE)
_UNJUDGED_FIRST = (Status.NOT_JUDGED, Status.FAILED, Status.PASSED, Status.NOT_APPLICABLE)


@dataclass(frozen=True, slots=True)
class Given:
    """What rules are held against: the results of a run, and what they may be compared with; all as `decide` takes
    them.
    """

    workflow: Workflow
    results: Sequence[Result]
    readings: Readings
    partial: str | None = None
    observed: bool = False
    baselines: Mapping[str, Baseline] = field(default_factory=dict)
    clauses: Clauses = field(default_factory=dict)
    until: UntilDecided | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """`look`: the rows of the cell, with what the rule reads of them. `paired`: of a rule against a baseline, those of
    them that can be compared.
    """

    rule: GateRule
    kind: Kind
    names: dict[str, str]
    look: Look
    given: Given
    paired: Paired | None = None

    @classmethod
    def of(cls, rule: GateRule, kind: Kind, cell: Cell[Result], given: Given) -> Case:
        """A rule of that kind in a cell; the baseline that it names is there."""
        looked = look(rule, kind, read(rule, cell.rows, given.readings), given.until)
        paired = None
        if rule.against is not None:
            baseline = given.baselines[rule.against]
            gone = _gone(rule, cell, baseline, given)
            paired = pair(rule, looked.rows, baseline, gone, deterministic=given.readings.deterministic)
        return cls(rule, kind, cell.names, looked, given, paired)

    @property
    def rows(self) -> tuple[Row, ...]:
        """Those that the rule looks at."""
        return self.look.rows

    @property
    def counted(self) -> tuple[Row, ...]:
        """The rows that the rule takes into account."""
        return self.rows if self.paired is None else tuple(each.row for each in self.paired.pairs)

    @property
    def size(self) -> int:
        """Episodes that the rule applies to."""
        return sum(row.counts for row in self.counted)

    @property
    def decides(self) -> bool:
        """Whether there are enough of them. Of coverage, too few are what it is about."""
        return self.size >= (1 if self.kind is Kind.COVERAGE else self.rule.min_n or 1)

    @property
    def confidence(self) -> float | None:
        """The confidence that the rule asks for."""
        return None if self.rule.confidence is None else float(self.rule.confidence)

    def ruling(self, confidence: float | None) -> Ruling:
        """What the rule says, its bounds at that confidence."""
        if self.paired is not None:
            return no_worse(self.rule, self.paired, confidence)
        if self.kind is Kind.COVERAGE and self.rule.at_least is not None:
            found = exercised(self.rule, self.given.workflow, self.given.clauses, self.rows)
            return covered(self.rule, self.rule.at_least, found, sum(row.status in RATED for row in self.rows))
        return judge(
            self.rule,
            self.kind,
            self.rows,
            confidence,
            deterministic=self.given.readings.deterministic,
            sequential=self.look.sequential,
        )

    def row(self, blank: RuleResult, ruling: Ruling, tested: Tested | None) -> RuleResult:
        """As it is told: `blank` filled in with a ruling, whose bounds are at the confidence it was corrected to."""
        rule, rows = self.rule, self.counted
        reason = ruling.reason
        if tested is not None and tested.among > 1:
            reason += f" ({percent(tested.confidence)} over {tested.among} rules and cells together, by Holm)"
        if not self.decides and self.size:
            reason = f"fewer than {rule.min_n} episodes: {reason}"
        behind = self._behind()
        settled = self.decides and ruling.decision is not Decision.UNDECIDED
        bad = (Status.NOT_JUDGED,) if self.kind is Kind.NOT_JUDGED else (Status.FAILED, Status.NOT_JUDGED)
        counted = tuple(row.result.key.id for row in (*behind, *self.look.beyond) if row.status in bad)
        limits = (rule.failures, rule.at_least, rule.at_most, rule.max_drop, rule.max_rise)
        limit = next((value for value in limits if value is not None), None)
        return replace(
            blank,
            decision=ruling.decision if self.decides else Decision.SKIPPED,
            decides=self.decides,
            reason=reason,
            cell=self.names,
            figure=None if ruling.figure is None else nearest(ruling.figure),
            shown=ruling.shown or ("" if ruling.figure is None else shown(ruling.figure, limit)),
            low=ruling.bounds.low,
            high=ruling.bounds.high,
            confidence=ruling.bounds.confidence,
            n=ruling.n,
            not_judged=sum(row.status is Status.NOT_JUDGED for row in rows),
            failed=0 if self.kind is Kind.NOT_JUDGED else sum(row.status is Status.FAILED for row in rows),
            planned=len(self.rows) + len(self.look.beyond),
            episodes=tuple(row.result.key.id for row in behind),
            counted=() if self.kind is Kind.COVERAGE else counted,
            agreed=_fewest_trials(rows) if ruling.exact else 0,
            tested=tested,
            apart=ruling.apart,
            sequential=self.look.sequential,
            wants=() if self.given.until is None or settled else wanted(rule, self.look, self.given.until),
        )

    def _behind(self) -> list[Row]:
        """The episodes that were played, the worst first: those that failed, then those not judged, the other way round
        for a rule on these; of a measure, the worst value first.
        """
        sign = 1 if self.rule.at_least is not None or self.rule.max_drop is not None else -1
        worst_first = _UNJUDGED_FIRST if self.kind is Kind.NOT_JUDGED else _WORST_FIRST

        def badness(row: Row) -> tuple[int, float]:
            value = row.reading.value if isinstance(row.reading, Measure) else None
            return worst_first.index(row.status), 0.0 if value is None else sign * nearest(value)

        return sorted((row for row in self.counted if row.result.state == "played"), key=badness)


def _gone(rule: GateRule, cell: Cell[Result], baseline: Baseline, given: Given) -> tuple[str, ...]:
    """The scenarios of the baseline that have their place in the cell, and are in none here. Of a part, and of what was
    observed, nobody expects them.
    """
    if given.partial is not None or given.observed:
        return ()
    here = {result.key.item for result in given.results}
    there = [each for each in baseline.results if each.key.condition == "clean" and lies_in(each, rule, cell.names)]
    return tuple(dict.fromkeys(each.key.item for each in there if each.key.item not in here))


def _fewest_trials(rows: Sequence[Row]) -> int:
    """How many trials were played of each scenario at least."""
    return min(Counter(scenario_of(row.result) for row in rows if row.result.state == "played").values(), default=0)
