"""What came of replayed recordings on its way into the store: counted, a few at a time, none of it kept."""

from __future__ import annotations

from harness.model.replay import ReplayResult
from harness.replay.summary import Tally
from harness.store.store import Store

_AT_A_TIME = 50
"""Recordings that are stored in one transaction."""


class Keeper:
    """Stores the results of one replay. `new` and `old` count those of each version; `done` are the recordings that are
    replayed, stored or about to be.
    """

    def __init__(self, store: Store, replay: str, new: Tally, old: Tally | None = None) -> None:
        self.new = new
        self.old = old
        self.done: set[str] = set()
        self._store = store
        self._replay = replay
        self._waiting: list[ReplayResult] = []

    def go_on(self) -> None:
        """Count what is stored already of a replay that was interrupted."""
        for tally in filter(None, (self.new, self.old)):
            for result in self._store.replays.results(self._replay, tally.agent.label):
                tally.add(result)
                self.done.add(result.recording)

    def keep(self, result: ReplayResult, other: ReplayResult | None = None) -> None:
        """One more recording: what came of it, and of the other version's replay of it if there is one."""
        self.done.add(result.recording)
        self.new.add(result)
        self._waiting.append(result)
        if self.old is not None and other is not None:
            self.old.add(other)
            self._waiting.append(other)
        if len(self._waiting) >= _AT_A_TIME:
            self.flush()

    def flush(self) -> None:
        """Store what waits. Raises StoreProblem."""
        waiting, self._waiting = self._waiting, []
        if waiting:
            self._store.replays.save(self._replay, waiting)
