"""The episodes of a run beside those of a baseline: the same scenario, trial and condition with either version."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from harness.gates.judging import Row, read
from harness.gates.readings import Reading, Readings, scenario_of
from harness.gates.sparing import needs_every_trial
from harness.model.baseline import Baseline
from harness.model.result import Result
from harness.model.workflow import GateRule


@dataclass(frozen=True, slots=True)
class Pair:
    """An episode and what was read of it, and of its twin in the baseline."""

    row: Row
    old: Reading

    @property
    def scenario(self) -> Hashable:
        """What its trials have in common."""
        return scenario_of(self.row.result)


@dataclass(frozen=True, slots=True)
class Paired:
    """What can be compared, and in words how much can't. `exact`: both versions were seen to be deterministic, and no
    noise between trials is asked for.
    """

    baseline: Baseline
    pairs: tuple[Pair, ...]
    apart: str
    exact: bool


_MOST_NAMED = 8


def pair(
    rule: GateRule, rows: Sequence[Row], baseline: Baseline, gone: Sequence[str] = (), *, deterministic: bool
) -> Paired:
    """Put the rows of a cell beside the baseline's. An episode without a twin, of a scenario or a metric that changed,
    or to which the metric does not apply on either side, is not compared; what was not judged on either side is.
    `gone`: scenarios that only the baseline has.
    """
    twins = {_place(result): result for result in baseline.results}
    old = Readings(baseline.results, deterministic=baseline.deterministic)
    why: Counter[str] = Counter()
    pairs: list[Pair] = []
    changed = None if rule.metric is None else baseline.changed_metrics.get(rule.metric)
    for row in rows:
        twin, item = twins.get(_place(row.result)), row.result.key.item
        if not row.counts:
            continue
        if changed is not None:
            why[f"{rule.metric} is scored otherwise now ({changed})"] += 1
        elif item in baseline.changed_items:
            why[f"changed since ({baseline.changed_items[item]})"] += 1
        elif twin is None:
            why["not in the baseline"] += 1
        elif twin.state == "spared" and needs_every_trial(rule):
            why["not played in the baseline, whose trials agreed"] += 1
        elif (reading := read(rule, [twin], old)[0]).counts:
            pairs.append(Pair(row, reading.reading))
        else:
            why["the metric did not apply in the baseline"] += 1
    exact = deterministic and baseline.deterministic and rule.confidence is None and not rule.generalise
    apart = [f"{count} not compared: {what}" for what, count in sorted(why.items())]
    return Paired(baseline, tuple(pairs), "; ".join([*apart, *_told(gone)]), exact)


def _told(gone: Sequence[str]) -> list[str]:
    if not gone:
        return []
    names = ", ".join(gone[:_MOST_NAMED]) + (" …" if len(gone) > _MOST_NAMED else "")
    are = "scenario of the baseline is" if len(gone) == 1 else "scenarios of the baseline are"
    return [f"{len(gone)} {are} not rated here: {names}"]


def _place(result: Result) -> tuple[str, int, str]:
    return result.key.item, result.key.trial, result.key.condition
