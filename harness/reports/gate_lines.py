"""The rows of a gate as every report prints them: the passed cells of one rule share a row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from harness.model.exemption import Waiver
from harness.model.result import Decision, RuleResult
from harness.reports.printable import one_line, printable


@dataclass(frozen=True, slots=True)
class GateLine:
    """One row; all texts are printable. `why`: of a rule that passed, no more than what could not be compared.
    `waived`: it failed, and that fails nothing.
    """

    decision: Decision
    rule: str
    where: str
    figure: str
    bound: str
    n: str
    why: str
    waived: bool = False


def gate_lines(rules: Iterable[RuleResult]) -> list[GateLine]:
    """The rows, in order, what is waived first. Cells that nothing falls into have none."""
    return sorted((_line(cells) for cells in _shared(rules)), key=lambda line: not line.waived)


def _line(cells: Sequence[RuleResult]) -> GateLine:
    first = cells[0]
    passed = first.decision is Decision.PASSED
    return GateLine(
        first.decision,
        printable(first.rule) + (" (always)" if first.implicit else ""),
        _where(cells),
        _figures(cells),
        first.bound,
        _n(cells),
        _apart(cells) if passed else _waived(first.waiver) + printable(first.reason),
        first.waiver is not None,
    )


def _apart(cells: Sequence[RuleResult]) -> str:
    return "; ".join(dict.fromkeys(printable(rule.apart) for rule in cells if rule.apart))


def _waived(waiver: Waiver | None) -> str:
    return f"waived until {waiver.until} by {one_line(waiver.owner, 60)}: " if waiver else ""


def _shared(rules: Iterable[RuleResult]) -> list[list[RuleResult]]:
    rows: list[list[RuleResult]] = []
    for rule in rules:
        if rule.decision is Decision.SKIPPED and not rule.n and rule.cell:
            continue
        last = rows[-1][-1] if rows else None
        if last and rule.decision is Decision.PASSED is last.decision and _same_rule(rule, last):
            rows[-1].append(rule)
        else:
            rows.append([rule])
    return rows


def _same_rule(rule: RuleResult, other: RuleResult) -> bool:
    return (rule.rule, rule.metric, rule.bound) == (other.rule, other.metric, other.bound)


def _n(cells: Sequence[RuleResult]) -> str:
    """`19 +1?`: what it rests on, and what could not be judged."""
    n, not_judged = (sum(count) for count in zip(*((rule.n, rule.not_judged) for rule in cells), strict=True))
    return f"{n or ''}" + (f" +{not_judged}?" if not_judged else "")


def _where(cells: Sequence[RuleResult]) -> str:
    if len(cells) > 1:
        return f"{len(cells)} cells"
    return printable(", ".join(cells[0].cell.values()) or "all")


def _figures(cells: Sequence[RuleResult]) -> str:
    """The figure with its interval; of several cells the range."""
    if len(cells) == 1:
        return cells[0].shown + (_exact(cells) or _interval(cells[0])) + _sequential(cells)
    known = sorted((rule.figure, rule.shown) for rule in cells if rule.figure is not None)
    if not known:
        return ""
    (_, low), (_, high) = known[0], known[-1]
    return (low if low == high else f"{low} … {high}") + _exact(cells) + _sequential(cells)


def _exact(cells: Sequence[RuleResult]) -> str:
    """That the trials agreed, and how many they were."""
    fewest = min(rule.agreed for rule in cells)
    return f" exact ({fewest})" if fewest else ""


def _sequential(cells: Sequence[RuleResult]) -> str:
    """That it was looked at again and again, and its bounds are made for that."""
    return " seq" if any(rule.sequential for rule in cells) else ""


def _interval(rule: RuleResult) -> str:
    if rule.low is None and rule.high is None:
        return ""
    low, high = ("…" if side is None else f"{side:.3g}" for side in (rule.low, rule.high))
    # The figure of such a rule is a count.
    return f"{', rate' if rule.bound.startswith('failures') else ''} [{low}, {high}]"
