"""Words that several reports use. What comes from agents, tools and files is made printable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from harness.gates.exemptions import marks
from harness.model.failure import Finding
from harness.model.result import Decision, GateVerdict
from harness.reports.printable import one_line, printable, short
from harness.reports.scenario_map import Cell, JudgedCell, ScenarioMap
from tools_sandbox.call import CallError

HOLE = "·"
EXACT = (
    "exact (n): all trials that were played agreed, at least n of each scenario; that more would is not proved: "
    "`confidence` asks for it"
)
MEDIAN = ("turns", "tool_calls")
"""Measures whose cell shows the median; the others show the 95th percentile."""

PASTE = "to paste into the scenario, under user:"
"""What stands above the line that makes a scenario answer an ask."""

_OPENED = 3
"""Episodes with open asks that are named, at most."""
_WORDS = {
    Decision.PASSED: "gate passed",
    Decision.FAILED: "gate failed",
    Decision.UNDECIDED: "gate undecided",
    Decision.SKIPPED: "no gate",
}


def until_text(verdict: GateVerdict) -> str:
    """How rules were decided in a run that went on until they were; empty for any other."""
    if verdict.until is None:
        return ""
    return (
        f"seq: trials went on until it was decided, {verdict.until.most} of a scenario at most; its bounds (Robbins' "
        "mixture) hold at whatever trial one stops. Every other limit was held against the "
        f"{verdict.until.planned} planned trials of each scenario; failures are counted in all"
    )


class Said(NamedTuple):
    """What a gate says: in two words, why, and what it says nothing of; the last two may be empty."""

    words: str
    why: str
    uncounted: str


def verdict_words(verdict: GateVerdict) -> Said:
    """What the gate says. Part of a workflow can fail it and never passes it."""
    uncounted, marked = _uncounted(len(verdict.uncounted)), marks(verdict)
    if verdict.partial and verdict.decision is not Decision.FAILED:
        said = "; ".join(filter(None, (printable(verdict.partial), marked)))
        return Said("partial: no gate", f" ({said})", uncounted)
    deciding = [rule for rule in verdict.rules if rule.decides]
    count = sum(rule.decision is verdict.decision for rule in deciding)
    why = {
        Decision.FAILED: f" · {count} of {len(deciding)} checks failed"
        + (f", of a part ({printable(verdict.partial)})" if verdict.partial else ""),
        Decision.UNDECIDED: f" · {count} of {len(deciding)} checks undecided: not enough evidence to ship on",
    }
    return Said(" ".join(filter(None, (_WORDS[verdict.decision], marked))), why.get(verdict.decision, ""), uncounted)


def _uncounted(number: int) -> str:
    return f" · {number} that did not pass count{'' if number > 1 else 's'} in no rule" if number else ""


def error_type(error: CallError) -> str | None:
    """What kind of error a call came to; None for that of a real tool, whose text tells its own."""
    return None if error.kind == "passthrough" else error.kind


def unscripted_text(episodes: Sequence[str]) -> str:
    """That so many episodes passed in spite of open asks, and how to open some: the first one of a scenario each."""
    first: dict[str, str] = {}
    for episode in episodes:
        first.setdefault(episode.rsplit("/", 2)[0], episode)
    some = [f"turngate show {short(episode)}" for episode in [*first.values()][:_OPENED]]
    have = "episodes have" if len(episodes) > 1 else "episode has"
    return f"{len(episodes)} passed {have} asks that no fact answers: {' · '.join(some)}"


def legend(found: ScenarioMap) -> str:
    """How to read the cells and counts of a map: what occurs in it, and no more."""
    places = [found.cells.get((family, metric)) for family in found.families for metric in found.metrics]
    parts = ["passed/judged"]
    if None in places:
        parts.append(f"{HOLE} a hole: nothing there says anything about it")
    if any(cell is not None and missing_text(cell) for cell in places):
        parts.append("n? not judged")
    if any(found.spared.values()):
        parts.append("+n spared: the trials that were played agreed, and the gate counts these in")
    return " · ".join(parts)


def count_text(found: ScenarioMap, family: str) -> str:
    """`12 of 16 +4`: episodes that were played, of those planned where some are missing, and those spared."""
    played, spared, planned = found.played[family], found.spared[family], found.planned[family]
    missing = f" of {planned}" if played + spared < planned else ""
    return f"{played}{missing}" + (f" +{spared}" if spared else "")


def value_text(cell: Cell, metric: str) -> str:
    """`3/4` of a judgement, the median or 95th percentile of a measure; empty where nothing is known."""
    if isinstance(cell, JudgedCell):
        return f"{cell.passed}/{cell.n}" if cell.n else ""
    value = cell.quantile(0.5 if metric in MEDIAN else 0.95)
    return "" if value is None else figure_text(value, metric)


def missing_text(cell: Cell) -> str:
    """` 2?`: how many were not judged; empty for none."""
    missing = cell.not_judged if isinstance(cell, JudgedCell) else cell.missing
    return f" {missing}?" if missing else ""


def figure_text(value: float, metric: str) -> str:
    """The value of a measure with its unit, as far as anybody reads it."""
    if metric.endswith("_seconds"):
        return f"{value * 1000:.0f} ms" if value < 1 else f"{value:.1f} s"
    return f"${value:.4g}" if metric.endswith("_usd") else f"{value:g}"


def sides(finding: Finding) -> str:
    """`expected … · got …`, on one line; empty where the finding compares nothing."""
    if finding.expected is None and finding.actual is None:
        return ""
    expected, actual = (one_line(side or "nothing", 80) for side in (finding.expected, finding.actual))
    return f"expected {expected} · got {actual}"
