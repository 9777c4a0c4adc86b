"""Playing one episode after another, in whatever process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from harness.agents.source import AgentSource
from harness.episodes.play import Sketched, play
from harness.episodes.stalls import LoopStalls
from harness.episodes.task import Task
from harness.model.episode import Episode
from harness.runs.heap import settled_heap
from traces.capture import Tracing


class Player:
    """Plays episodes of one agent on the running event loop, any number at a time. `sketched`: see `play`."""

    def __init__(self, source: AgentSource, sketched: Sketched | None = None) -> None:
        self.stalls = LoopStalls()
        self._source = source
        self._sketched = sketched
        self._tracing = Tracing()

    @contextmanager
    def ready(self) -> Iterator[None]:
        """Episodes can be played within the `with`."""
        try:
            with settled_heap(), self.stalls:
                yield
        finally:
            self._tracing.close()

    async def play(self, task: Task) -> Episode:
        """Play one episode, whatever its agent does. Raises AgentProblem for one that must not be rehearsed."""
        return await play(task, self._source, self._tracing, stalls=self.stalls, sketched=self._sketched)
