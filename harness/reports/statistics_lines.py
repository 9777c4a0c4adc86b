"""What is to be known of a gate's statistics as a whole: how claims are corrected, and what the suite can't see."""

from __future__ import annotations

from collections.abc import Iterable

from harness.model.result import GateVerdict, NoiseFloor
from harness.reports.printable import printable


def interval_text(verdict: GateVerdict) -> str:
    """What stands in brackets beside a figure; empty where nothing does."""
    if all(rule.low is None and rule.high is None for rule in verdict.rules):
        return ""
    return (
        "in brackets: where chance leaves the true figure (of failures, their rate), 95 % of the time; of a rule with "
        "confidence, its bounds"
    )


def correction_text(verdict: GateVerdict) -> str:
    """That bounds are corrected for their number; empty where no more than one decides."""
    among = max((rule.tested.among for rule in verdict.rules if rule.tested is not None), default=0)
    if among < 2:
        return ""
    return (
        f"{among} rules and cells are decided by bounds, which are corrected for their number (Holm): that any of them "
        "is called passed, or failed, by chance is as unlikely as each asks for"
    )


def noise_text(floors: Iterable[NoiseFloor]) -> str:
    """What the suite can't see, family by family, on one printable line; empty for none."""
    each = [
        f"{printable(floor.family)} {_points(floor.fixed)} (of scenarios like these {_points(floor.general)})"
        for floor in floors
    ]
    if not each:
        return ""
    return (
        "noise floor, the smallest drop of task_success that a comparison of two versions would show (95 % confidence, "
        f"80 % power): {', '.join(each)}"
    )


def _points(drop: float) -> str:
    return f"{drop * 100:.0f} points" if drop < 1 else "none at all"
