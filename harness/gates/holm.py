"""Correction for many claims: of all that a gate calls passed, or failed, with confidence, none may be so by chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.gates.ruling import PValues
from harness.model.result import Tested


@dataclass(frozen=True, slots=True)
class Asked:
    """What one rule has in one cell: its p-values, and the confidence that it asks for."""

    p: PValues
    confidence: float


@dataclass(frozen=True, slots=True)
class _Step:
    """Where a claim stands in the order of all: its corrected p-value, and how many it is held against."""

    adjusted: float
    against: int


def corrected(asked: Sequence[Asked]) -> list[Tested]:
    """The claim of each that is nearer to being made, and how it is corrected for the number of all.

    The step-down procedure of Holm 1979 (Scandinavian Journal of Statistics 6, 65-70), once over the claims that a
    limit is kept and once over those that one is broken: the chance of one wrong claim among all of a side is at most
    1 - confidence, whatever they have in common. Where rules ask for different confidences, p-values are ordered by
    their share of what each allows, and the chance is that of the least confident.
    """
    kept = _steps([each.p.kept / (1 - each.confidence) for each in asked])
    broken = _steps([each.p.broken / (1 - each.confidence) for each in asked])
    return [_tested(each, k, b, len(asked)) for each, k, b in zip(asked, kept, broken, strict=True)]


def _steps(shares: Sequence[float]) -> list[_Step]:
    """`shares`: p-values as shares of what each allows. Once one is too large, none after it is held against fewer."""
    steps: dict[int, _Step] = {}
    adjusted, against = 0.0, len(shares)
    for rank, index in enumerate(sorted(range(len(shares)), key=shares.__getitem__)):
        if adjusted <= 1:
            against = len(shares) - rank
        adjusted = max(adjusted, shares[index] * (len(shares) - rank))
        steps[index] = _Step(adjusted, against)
    return [steps[index] for index in range(len(shares))]


def _tested(asked: Asked, kept: _Step, broken: _Step, among: int) -> Tested:
    keeps = asked.p.kept <= asked.p.broken
    step, p = (kept, asked.p.kept) if keeps else (broken, asked.p.broken)
    allowed = 1 - asked.confidence
    return Tested(
        claim="kept" if keeps else "broken",
        p=p,
        p_adjusted=min(step.adjusted * allowed, 1.0),
        confidence=asked.confidence,
        adjusted=1 - allowed / step.against if among > 1 else asked.confidence,
        among=among,
    )
