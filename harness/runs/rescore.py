"""Scoring stored episodes again, without agent, sandbox or files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from harness.model.episode import EpisodeKey
from harness.model.score import Scored
from harness.scoring.score import score
from harness.store.store import Store


@dataclass(frozen=True, slots=True)
class Rescored:
    """One episode's verdict and primary code before and after: `failed SA2`. `before` is None if it had no scores."""

    key: EpisodeKey
    before: str | None
    after: str


def rescore(store: Store, run: str) -> Iterator[Rescored]:
    """Score every episode of a run again and store the scores beside the old ones, one after another."""
    material = lru_cache(maxsize=64)(lambda item: store.material(run, item))
    for episode in store.episodes(run):
        before = store.scored_episode(episode.key)
        after = score(episode, material(episode.key.item))
        store.replace_scores(episode.key, after)
        yield Rescored(episode.key, _told(before) if before else None, _told(after))


def _told(scored: Scored) -> str:
    code = f" {scored.primary.code}" if scored.primary else ""
    return f"{scored.verdict.status.value}{code}"
