"""What each rule looks at where trials go on until rules are decided, and of which scenarios it wants more.

Whoever stops when he likes what he sees must use bounds that hold at every look (`harness.gates.sequential`). Shares of
trials with `confidence` have them, and these alone make trials go on. What has no such bound is decided once, on the
trials that were planned, as in any other run. What counts failures sees them all: a leak is one, whenever it came.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.gates.figures import exactly
from harness.gates.judging import Row
from harness.gates.kinds import Kind
from harness.gates.sequential import SequentialTally
from harness.model.result import UntilDecided
from harness.model.status import Judgement, Measure
from harness.model.workflow import GateRule

_COUNTS = (Kind.EVERY_TRIAL, Kind.FAILURES, Kind.NOT_JUDGED, Kind.COVERAGE)


@dataclass(frozen=True, slots=True)
class Look:
    """What a rule takes into account in one cell, and what there is besides. `sequential`: its bounds must hold at
    every look.
    """

    rows: tuple[Row, ...]
    beyond: tuple[Row, ...] = ()
    sequential: bool = False


def holds_at_every_look(rule: GateRule, kind: Kind, *, measured: bool) -> bool:
    """Whether a rule asks with confidence for a share of the trials of these scenarios, of which there is such a bound.
    `measured`: its metric is a measure.
    """
    asks = kind is Kind.LIMIT and rule.confidence is not None and not rule.generalise
    return asks and not measured and rule.at_least is not None and rule.stat is None and rule.per in (None, "episode")


def look(rule: GateRule, kind: Kind, rows: Sequence[Row], until: UntilDecided | None) -> Look:
    """Of all rows of a cell those that the rule takes into account; without `until`, all."""
    if until is None or kind in _COUNTS or not rows:
        return Look(tuple(rows))
    measured = any(isinstance(row.reading, Measure) for row in rows)
    sequential = holds_at_every_look(rule, kind, measured=measured)
    last = _rounds(rows) if sequential else until.planned
    seen = tuple(row for row in rows if row.result.key.trial <= last)
    beyond = tuple(row for row in rows if row.result.key.trial > last)
    return Look(seen, beyond, sequential)


def wanted(rule: GateRule, looked: Look, until: UntilDecided) -> tuple[str, ...]:
    """The scenarios of which more trials may decide the rule: none if no result of what is left could."""
    if not looked.sequential or rule.at_least is None or rule.confidence is None:
        return ()
    tally = SequentialTally.of(row.reading for row in looked.rows if isinstance(row.reading, Judgement))
    scenarios = tuple(dict.fromkeys(row.result.key.item for row in looked.rows))
    left = (until.most - _rounds(looked.rows)) * len(scenarios)
    if left <= 0 or not tally.judged or tally.all + left < (rule.min_n or 1):
        return ()
    limit, confidence = float(exactly(rule.at_least)), float(rule.confidence)
    ends = (tally.grown(passed=left), tally.grown(failed=left))
    return scenarios if any(end.decides(limit, confidence) for end in ends) else ()


def _rounds(rows: Sequence[Row]) -> int:
    """How many trials every scenario has, at least."""
    most: dict[str, int] = {}
    for row in rows:
        key = row.result.key
        most[key.item] = max(key.trial, most.get(key.item, 0))
    return min(most.values())
