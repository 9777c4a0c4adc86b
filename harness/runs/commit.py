"""Group commit: episodes that end at about the same time are written to the store in one transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from harness.model.episode import Episode
from harness.model.score import Scored
from harness.store.store import Store

_PATIENCE = 0.005
"""Seconds that an episode waits for others at most: far less than one takes against a real model."""


class GroupCommit:
    """Writes episodes with their scores. Whoever hands one over goes on when it is stored; `stored` is told of each.

    A group is written as soon as `most` episodes wait (as many as are played at a time: no other can come then), or
    when the first has waited 5 ms.
    """

    def __init__(self, store: Store, stored: Callable[[Episode, Scored], None], most: int) -> None:
        self._store = store
        self._stored = stored
        self._most = most
        self._waiting: list[tuple[Episode, Scored]] = []
        self._written: list[asyncio.Future[None]] = []
        self._timer: asyncio.TimerHandle | None = None

    async def add(self, episode: Episode, scored: Scored) -> None:
        """Store an episode. Raises StoreProblem. Cancelled, it leaves the episode to `flush`."""
        loop = asyncio.get_running_loop()
        written = loop.create_future()
        self._waiting.append((episode, scored))
        self._written.append(written)
        if len(self._waiting) >= self._most:
            self._write()
        elif self._timer is None:
            self._timer = loop.call_later(_PATIENCE, self._write)
        await written

    def flush(self) -> None:
        """Store what waits, for nobody will: the run was interrupted. Raises StoreProblem."""
        group, self._waiting = self._waiting, []
        self._written.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if group:
            self._store.save_many(group)
            for episode, scored in group:
                self._stored(episode, scored)

    def _write(self) -> None:
        everyone = [written for written in self._written if not written.done()]
        try:
            self.flush()
        except Exception as error:  # noqa: BLE001  it is handed on to those who wait
            for written in everyone:
                written.set_exception(error)
        else:
            for written in everyone:
                written.set_result(None)
