"""Whether the trials of every scenario go the same way, as far as they were played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from harness.runs.executor import Played

AGREEING = 2
"""Trials of each scenario that must go the same way before any is spared."""


class Agreement:
    """Told of every episode of a run; holds a digest a scenario."""

    def __init__(self) -> None:
        self._first: dict[str, str] = {}
        self._played: Counter[str] = Counter()
        self._differ = False

    def add(self, episode: Played) -> None:
        """An episode was played."""
        item, course = episode.key.item, episode.course
        self._played[item] += 1
        self._differ = self._differ or course is None or self._first.setdefault(item, course) != course

    def of(self, items: Iterable[str]) -> bool:
        """Whether enough trials of each scenario were played, and no two of one scenario differ."""
        return not self._differ and all(self._played[item] >= AGREEING for item in items)
