"""What came of replayed recordings on its way into the store: a few at a time, none of it kept."""

from __future__ import annotations

from harness.model.replay import ReplayResult
from harness.store.replays import ReplayRecord
from harness.store.store import Store

_AT_A_TIME = 50
"""Recordings that are stored in one transaction."""


class Keeper:
    """Stores the results of one replay. `done` are the recordings that are replayed, stored or about to be; those of a
    replay that was interrupted are among them.
    """

    def __init__(self, store: Store, record: ReplayRecord) -> None:
        self.done = store.replays.done(record.id, record.agent.label)
        self._store = store
        self._replay = record.id
        self._waiting: list[ReplayResult] = []

    def keep(self, result: ReplayResult, other: ReplayResult | None = None) -> None:
        """One more recording: what came of it, and of the other version's replay of it if there is one. Raises
        StoreProblem.
        """
        self.done.add(result.recording)
        self._waiting += [each for each in (result, other) if each is not None]
        if len(self._waiting) >= _AT_A_TIME:
            self.flush()

    def flush(self) -> None:
        """Store what waits. Raises StoreProblem."""
        waiting, self._waiting = self._waiting, []
        if waiting:
            self._store.replays.save(self._replay, waiting)
