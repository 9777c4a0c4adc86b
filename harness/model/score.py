"""What a scorer gives back for one episode."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from harness.model.failure import Finding
from harness.model.status import Judgement, Measure

Dimension = Literal[
    "task_success", "faithfulness", "context_retention", "safety", "efficiency",
    "robustness", "fairness", "bias", "calibration", "communication",
]  # fmt: skip


@dataclass(slots=True)  # as frozen ones, the many scores of an episode would take four times as long to make
class Score:
    """One metric of one episode: a judgement or a measure, with every finding behind it. Not to be changed.

    `details` are further figures by name (share of milestones …), JSON values only.
    """

    metric: str
    version: str
    value: Judgement | Measure
    findings: tuple[Finding, ...] = ()
    details: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scored:
    """All that scoring says of one episode. `verdict`: passed when task_success, every rule and every applicable metric
    of the family's measures passed; one failed: failed; else one not judged: not judged. `primary` is the finding
    that a failed (or X) episode goes under; `secondary` are the later ones; `slips` are recovered.
    """

    scores: dict[str, Score]
    verdict: Judgement
    primary: Finding | None = None
    secondary: tuple[Finding, ...] = ()
    slips: tuple[Finding, ...] = ()
    paste: str | None = None
    """A YAML line to add to the scenario, where an unscripted ask stood in the way (X3), the agent went on
    asking (FL1), or an episode passed in spite of one.
    """
