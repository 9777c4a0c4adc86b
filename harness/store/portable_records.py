"""What a run that travels is made of. Each of these is JSON both ways by `harness.store.codec`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from json.encoder import encode_basestring_ascii
from typing import Any

from sqlalchemy import Row

from harness.model.episode import Episode, EpisodeKey
from harness.model.late import Late
from harness.store.codec import decode, encode
from harness.store.mask import mask_text
from harness.store.records import Planned, RunRecord
from harness.store.rows import Behind, Values, edition_of, episode_row, key_of, key_values

PURGED = b""
"""The document of an episode whose words were purged."""

ScoreRow = tuple[str, str, str, int | float | str | None, str | None, str]
"""Metric, version, status, value (money as text), unit, reason."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text behind a digest."""

    digest: str
    content: str


@dataclass(frozen=True, slots=True)
class Scoring:
    """One scoring of an episode: by which configuration, when (ISO 8601), what came of it, and what is behind it."""

    config: str
    scored: str
    verdict: str
    reason: str
    code: str | None
    scores: tuple[ScoreRow, ...]
    behind: Behind

    @classmethod
    def of(cls, row: Row[Any]) -> Scoring:
        """That of a row."""
        scores = tuple((*score, json.loads(reason)) for *score, reason in row.scores)
        behind = decode(Behind, row.document)
        return cls(row.config, row.scored, row.verdict, row.reason, row.code, scores, behind)

    @property
    def edition(self) -> str:
        """What tells it from other scorings of the episode."""
        return edition_of(tuple((metric, version) for metric, version, *_ in self.scores), self.config)

    def row(self) -> Values:
        """Its row, without its episode."""
        return {
            "edition": self.edition,
            "config": self.config,
            "scored": self.scored,
            "verdict": self.verdict,
            "reason": mask_text(self.reason),
            "code": self.code,
            "scores": [(*score, encode_basestring_ascii(mask_text(reason))) for *score, reason in self.scores],
            "document": encode(self.behind),
        }


@dataclass(frozen=True, slots=True)
class RunLabel:
    """What a person said of an attempt, and when (ISO 8601)."""

    who: str
    labelled: str
    label: str
    note: str

    @classmethod
    def of(cls, row: Row[Any]) -> RunLabel:
        """That of a row."""
        return cls(row.who, row.labelled, row.label, row.note)

    def row(self) -> Values:
        """Its row, without its episode."""
        return {"who": self.who, "labelled": self.labelled, "label": self.label, "note": mask_text(self.note)}


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt at an episode, with all its scorings, the current one last, its labels, and what telemetry came late.
    `episode` is None where its words were purged: the rest is then all there is of it.
    """

    key: EpisodeKey
    attempt: int
    outcome: str
    ended_by: str
    started: float
    ended: float
    turn_seconds: tuple[float | None, ...]
    episode: Episode | None
    scorings: tuple[Scoring, ...] = ()
    labels: tuple[RunLabel, ...] = ()
    late: tuple[Late, ...] = ()

    @classmethod
    def of(cls, row: Row[Any]) -> Attempt:
        """That of a row, without what other tables have of it."""
        episode = None if row.document == PURGED else decode(Episode, row.document)
        figures = (row.attempt, row.outcome, row.ended_by, row.started, row.ended, tuple(row.turn_seconds))
        return cls(key_of(row), *figures, episode)

    def same(self, other: Attempt) -> bool:
        """Whether it is the same conversation, whatever was said of it since."""
        return (self.key, self.attempt, self.episode) == (other.key, other.attempt, other.episode)

    def row(self) -> Values:
        """Its row in the table of episodes."""
        if self.episode is not None:
            return episode_row(self.episode)
        return {
            **key_values(self.key),
            "id": self.key.id,
            "attempt": self.attempt,
            "outcome": self.outcome,
            "ended_by": self.ended_by,
            "started": self.started,
            "ended": self.ended,
            "turn_seconds": list(self.turn_seconds),
            "document": PURGED,
        }


Record = RunRecord | Text | Planned | Attempt
"""In the order in which they travel."""
