"""The cells that a rule is held against: by family, and by the slices that it names. Never a mean over families."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Generic, Protocol, TypeVar

from harness.gates.effective import EffectiveRule
from harness.gates.kinds import UnclearRule
from harness.model.scenario import Tier
from harness.model.workflow import GateRule

NO_VALUE = "(none)"
"""The slice of scenarios that don't say a value: they are somewhere, so that none escapes a rule."""


class Placed(Protocol):
    """Something with a place on the scenario map: a result, or a scenario."""

    @property
    def family(self) -> str:
        """The row of the map."""
        ...

    @property
    def tier(self) -> Tier:
        """critical, core or explore."""
        ...

    @property
    def slices(self) -> Mapping[str, str]:
        """Attributes and their values."""
        ...


P = TypeVar("P", bound=Placed)


@dataclass(frozen=True, slots=True)
class Cell(Generic[P]):
    """Family and slice values, and what lies in it: nothing, where a combination is untested."""

    names: dict[str, str]
    rows: tuple[P, ...]


def cells(effective: EffectiveRule, rows: Sequence[P]) -> list[Cell[P]]:
    """The cells of a rule, in order of their names: the whole cross product of the values seen, holes too.

    A rule on a metric is held family by family even where `each` does not say so. Raises UnclearRule where `each`
    names what no scenario has, and for coverage, or replays, that are asked of one family.
    """
    rule = effective.rule
    if rule.coverage is not None and effective.family is not None:
        raise UnclearRule("coverage is of the whole workflow: write it under the workflow's `gate`")
    if rule.level is not None and effective.family is not None:
        raise UnclearRule("replays are of the whole workflow: write it under the workflow's `gate`")
    within = [row for row in rows if reaches(effective, row)]
    by = [name for name in rule.each if name != "family"]
    by_family = rule.metric is not None or rule.of is not None
    if "family" in rule.each or effective.family is not None or by_family:
        by.insert(0, "family")
    known = {name for row in within for name in row.slices}
    for name in by:
        if within and name != "family" and name not in known:
            names = ", ".join(sorted({"family"} | known))
            raise UnclearRule(f"no scenario has a slice `{name}`, so there is nothing to hold it for; known: {names}")
    grouped: dict[tuple[str, ...], list[P]] = {}
    for row in within:
        grouped.setdefault(tuple(_value(row, name) for name in by), []).append(row)
    values = [sorted({place[index] for place in grouped}) for index in range(len(by))]
    return [Cell(dict(zip(by, place, strict=True)), tuple(grouped.get(place, ()))) for place in product(*values)]


def reaches(effective: EffectiveRule, row: Placed) -> bool:
    """Whether a rule is about what lies there, by tier and family. Scenarios of tier explore are in no rule's reach."""
    return row.tier != "explore" and effective.rule.tier in (None, row.tier) and effective.family in (None, row.family)


def lies_in(row: Placed, rule: GateRule, names: Mapping[str, str]) -> bool:
    """Whether something has its place in the cell of that name."""
    within = row.tier != "explore" and rule.tier in (None, row.tier)
    return within and all(_value(row, name) == value for name, value in names.items())


def _value(row: Placed, name: str) -> str:
    return row.family if name == "family" else row.slices.get(name, NO_VALUE)
