"""Playing, scoring and storing one episode after another, in whatever process."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from harness.agents.source import AgentSource
from harness.episodes.play import Sketched, play
from harness.episodes.stalls import LoopStalls
from harness.episodes.task import Task
from harness.model.episode import Episode
from harness.model.failure import DISTURBANCES
from harness.model.material import Material
from harness.model.score import Scored
from harness.runs.commit import GroupCommit
from harness.runs.executor import Played, Told
from harness.runs.heap import settled_heap
from harness.scoring.score import score
from harness.store.store import Store
from traces.capture import Tracing


class Player:
    """Plays episodes of one agent on the running event loop, any number at a time. `told` hears of each that is stored;
    `most`: how many are played at a time; `sketched`: see `play`.
    """

    def __init__(
        self,
        source: AgentSource,
        materials: Mapping[str, Material],
        store: Store,
        told: Told,
        most: int,
        sketched: Sketched | None = None,
    ) -> None:
        self.stalls = LoopStalls()
        self._source = source
        self._materials = materials
        self._store = store
        self._told = told
        self._sketched = sketched
        self._tracing = Tracing()
        self._commit = GroupCommit(store, self._stored, most)

    @contextmanager
    def ready(self) -> Iterator[None]:
        """Episodes can be played within the `with`; at its end what was played is in the store, however it ends."""
        try:
            with settled_heap(), self.stalls:
                try:
                    yield
                finally:
                    self._commit.flush()
        finally:
            self._tracing.close()

    async def play(self, task: Task) -> None:
        """Play one episode, score it, and come back when it is stored."""
        episode = await play(task, self._source, self._tracing, stalls=self.stalls, sketched=self._sketched)
        await self._commit.add(episode, score(episode, self._materials[task.key.item]))

    def write_down(self, episode: Episode) -> None:
        """Score and store an episode that came to its end in another way. May be called from any thread."""
        scored = score(episode, self._materials[episode.key.item])
        self._store.save(episode, scored)
        self._stored(episode, scored)

    def _stored(self, episode: Episode, scored: Scored) -> None:
        self._told(played(episode, scored))


def played(episode: Episode, scored: Scored) -> Played:
    """What an executor tells of an episode."""
    breached = episode.end.kind == "limit" and episode.end.code == "FL4"
    disturbed = scored.primary is not None and scored.primary.code in DISTURBANCES
    return Played(episode.key, scored.verdict.status, None if disturbed else _course(episode), breached)


def _course(episode: Episode) -> str:
    messages = [(message.role, message.text) for message in episode.messages]
    calls = [(call.turn, call.tool, call.arguments, call.result, call.error is None) for call in episode.calls]
    way = [messages, calls, episode.end.kind]
    return hashlib.sha256(json.dumps(way, default=str, sort_keys=True).encode("utf-8", "replace")).hexdigest()
