"""A recording's replay with the conversations that came of it, for as long as another version's is to be held against
it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from harness.model.episode import Episode
from harness.model.replay import Finding, ReplayResult, Verdict

_TELLING = (Verdict.WORSE, Verdict.BETTER)
_WORST_FIRST = (Verdict.WORSE, Verdict.BETTER, Verdict.BENIGN, Verdict.SAME)


@dataclass(frozen=True, slots=True)
class Course:
    """`episodes`: by the turn up to which they are compared, as they are compared."""

    result: ReplayResult
    episodes: Mapping[int, Episode]


def together(findings: Iterable[tuple[int, Finding]]) -> Finding:
    """What the findings of several turns come to: worse if one is, else better if one is, else benign if one is. What
    can't be compared says nothing, unless nothing else can.
    """
    found = list(findings)
    told = {finding.verdict for _, finding in found}
    verdict = next((each for each in _WORST_FIRST if each in told), Verdict.NOT_COMPARABLE)
    # Beside what is better or worse it says nothing that another turn is neither.
    telling = _TELLING if verdict in _TELLING else (verdict,)
    evidence: dict[str, str] = {}
    for turn, finding in found:
        if finding.verdict in telling:
            evidence |= {text: _dated(turn, text) for text in finding.evidence if text not in evidence}
    divergences = [divergence for _, finding in found for divergence in finding.divergences]
    worse_by = dict.fromkeys(reason for _, finding in found for reason in finding.worse_by)
    return Finding(verdict, tuple(evidence.values()), tuple(divergences), tuple(worse_by))


def nothing_of_both() -> Finding:
    """Of two versions that have no turn in which both could be compared."""
    return Finding(Verdict.NOT_COMPARABLE, ("no turn could be compared of both",))


def _dated(turn: int, text: str) -> str:
    return text if text.startswith(f"turn {turn}:") else f"turn {turn}: {text}"
