"""A version against a baseline: no worse than by a margin."""

from __future__ import annotations

from dataclasses import replace

from harness.gates.drops import dropped
from harness.gates.kinds import Kind, misfit
from harness.gates.pairing import Paired
from harness.gates.rises import rose
from harness.gates.ruling import Ruling, undecided
from harness.model.status import Measure
from harness.model.workflow import GateRule


def no_worse(rule: GateRule, found: Paired, confidence: float | None) -> Ruling:
    """Whether the drop, or the rise, keeps the margin. With `confidence` its upper bound must (non-inferiority); where
    even the lower one does not, it failed.
    """
    if not found.pairs:
        return undecided(found.apart or "it applies to no episode")
    units = {each.unit for pair in found.pairs for each in (pair.row.reading, pair.old) if isinstance(each, Measure)}
    if wrong := misfit(rule, Kind.AGAINST, unit=min(units, default=None)):
        return undecided(wrong)
    ruling = rose(rule, found, confidence) if units else dropped(rule, found, confidence)
    return replace(ruling, reason=f"{ruling.reason}; {found.apart}", apart=found.apart) if found.apart else ruling
