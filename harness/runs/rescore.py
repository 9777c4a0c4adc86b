"""Scoring stored episodes again, without agent, sandbox or files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from harness.model.episode import EpisodeKey
from harness.model.score import Score, Scored
from harness.model.status import Judgement
from harness.scoring.score import score
from harness.store.store import Store


@dataclass(frozen=True, slots=True)
class Flip:
    """One metric of one episode that comes out otherwise: as `before`, by that version of the scorer, and as `after`.
    None: it was not scored, or is not any more.
    """

    metric: str
    before: str | None
    after: str | None
    version_before: str | None
    version_after: str | None


@dataclass(frozen=True, slots=True)
class Rescored:
    """One episode's verdict and primary code before and after: `failed SA2`. `before` is None if it had no scores;
    `flips`: its metrics that come out otherwise.
    """

    key: EpisodeKey
    before: str | None
    after: str
    flips: tuple[Flip, ...] = ()


def rescore(store: Store, run: str) -> Iterator[Rescored]:
    """Score every episode of a run again, but those whose words were purged, and store the scores beside the old ones,
    one after another.
    """
    material = lru_cache(maxsize=64)(lambda item: store.material(run, item))
    for episode in store.episodes(run):
        before = store.scored_episode(episode.key)
        after = score(episode, material(episode.key.item))
        store.replace_scores(episode.key, after)
        flips = tuple(_flips(before, after)) if before else ()
        yield Rescored(episode.key, _told(before) if before else None, _told(after), flips)


def _told(scored: Scored) -> str:
    code = f" {scored.primary.code}" if scored.primary else ""
    return f"{scored.verdict.status.value}{code}"


def _flips(before: Scored, after: Scored) -> Iterator[Flip]:
    for metric in dict.fromkeys((*before.scores, *after.scores)):
        then, now = before.scores.get(metric), after.scores.get(metric)
        if _value(then) != _value(now):
            versions = [None if score is None else score.version for score in (then, now)]
            yield Flip(metric, _value(then), _value(now), *versions)


def _value(score: Score | None) -> str | None:
    """The status of a judgement, the value of a measure; not the reason, which may be worded otherwise."""
    if score is None:
        return None
    if isinstance(score.value, Judgement):
        return score.value.status.value
    measure = score.value
    return measure.missing.value if measure.missing is not None else f"{measure.value} {measure.unit}"
