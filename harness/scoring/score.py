"""Scoring one episode: every scorer on its own, then the verdict."""

from __future__ import annotations

from collections.abc import Iterable

from harness.model.episode import Episode
from harness.model.material import Material
from harness.model.score import Score, Scored
from harness.model.workflow import Workflow
from harness.scoring.builtin import SCORERS
from harness.scoring.observed import held_to_telemetry
from harness.scoring.reading import Reading
from harness.scoring.registry import Scorer
from harness.scoring.verdict import settle


def score(episode: Episode, material: Material, scorers: Iterable[Scorer] = SCORERS) -> Scored:
    """Score an episode. The order of the scorers means nothing, and one that raises leaves only its own metrics not
    judged.

    Raises ValueError if two scorers give the same metric.
    """
    reading = Reading(episode, material)
    scores: dict[str, Score] = {}
    for scorer in scorers:
        for metric, given in scorer.of(reading).items():
            if metric in scores:
                raise ValueError(f"two scorers give `{metric}`, the second is `{scorer.name}`: rename one of them")
            scores[metric] = given
    return settle(reading, scores if episode.observed is None else held_to_telemetry(reading, scores))


def metric_units(workflow: Workflow, scorers: Iterable[Scorer] = SCORERS) -> dict[str, str | None]:
    """The metrics that episodes of a workflow are scored by, which its gate and `measures` may name, each with its
    unit: None for one that passes or fails.
    """
    return {name: scorer.unit for scorer in scorers for name in scorer.metrics(workflow)}
