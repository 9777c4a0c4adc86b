"""Whether the trials of every scenario go the same way, as far as they were played."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable

from harness.model.episode import Episode

AGREEING = 2
"""Trials of each scenario that must go the same way before any is spared."""


class Agreement:
    """Told of every episode of a run; holds a digest a scenario."""

    def __init__(self) -> None:
        self._first: dict[str, str] = {}
        self._played: Counter[str] = Counter()
        self._differ = False

    def add(self, episode: Episode) -> None:
        """An episode was played."""
        if not self._differ:
            item, course = episode.key.item, _course(episode)
            self._played[item] += 1
            self._differ = self._first.setdefault(item, course) != course

    def of(self, items: Iterable[str]) -> bool:
        """Whether enough trials of each scenario were played, and no two of one scenario differ."""
        return not self._differ and all(self._played[item] >= AGREEING for item in items)


def _course(episode: Episode) -> str:
    """A digest of messages and calls: equal exactly if two episodes went the same way."""
    messages = [(message.role, message.text) for message in episode.messages]
    calls = [(call.turn, call.tool, call.arguments, call.result, call.error is None) for call in episode.calls]
    course = [messages, calls, episode.end.kind]
    return hashlib.sha256(json.dumps(course, default=str, sort_keys=True).encode("utf-8", "replace")).hexdigest()
