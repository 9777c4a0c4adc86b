"""The `inline` executor: episodes in the calling process, several at a time on one event loop."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from typing import TypeVar

from harness.agents.source import AgentSource
from harness.episodes.task import Task
from harness.model.episode import AgentVersion
from harness.runs.executor import Job, Play, Told
from harness.runs.keeper import Keeper
from harness.runs.player import Player
from harness.runs.together import all_of

T = TypeVar("T")


class Inline:
    """The `inline` executor: for agents that are objects of this process, and for debuggers. Whatever ends the process
    ends the run.
    """

    def __init__(self, source: AgentSource, *, otlp_port: int | None = None, instrumented: bool = False) -> None:
        self._source = source
        self._instrumented = instrumented
        self._otlp_port = otlp_port
        self._player: Player | None = None

    @property
    def notes(self) -> list[str]:
        """What is to be said about the agent."""
        return self._source.notes if self._player is None else self._player.notes

    async def version(self) -> AgentVersion:
        """Which agent it is."""
        return self._source.version

    @asynccontextmanager
    async def opened(self, job: Job) -> AsyncIterator[Play]:
        """Within the `async with` the job's episodes can be played."""

        async def play(tasks: Iterable[Task], told: Told, go_on: Callable[[], bool]) -> None:
            player = self._player = Player(self._source, otlp_port=self._otlp_port, instrumented=self._instrumented)
            keeper = Keeper(job.store, job.materials, told, job.concurrency)

            async def one(task: Task) -> None:
                episode = await player.play(task)
                job.store.late.add(player.late())
                await keeper.keep(episode)

            with player.ready():
                try:
                    await play_all(tasks, one, go_on, concurrency=job.concurrency)
                finally:
                    keeper.flush()

        yield play


async def play_all(
    tasks: Iterable[T], play: Callable[[T], Awaitable[None]], go_on: Callable[[], bool], *, concurrency: int
) -> None:
    """Play every task, at most `concurrency` at a time.

    When `go_on` says no, no further task is begun; those under way are finished. A failure of `play` itself ends the
    others and is raised. Only as many tasks are held as are being played.
    """
    waiting = iter(tasks)

    async def worker() -> None:
        while go_on() and (task := next(waiting, None)) is not None:
            await play(task)

    await all_of(worker() for _ in range(concurrency))
