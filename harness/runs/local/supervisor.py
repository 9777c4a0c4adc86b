"""Hands episodes to worker processes, and finds out whose fault it is when one of them ends."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Self

from harness.episodes.task import Task
from harness.model.episode import AgentVersion, End, Episode, EpisodeKey
from harness.model.late import Late
from harness.runs.executor import Job, Play, Told
from harness.runs.keeper import Keeper
from harness.runs.local.blame import end_of_process, ended, is_record_of, unbegun
from harness.runs.local.memory import fair_share
from harness.runs.local.orders import Begin, Load, order_of
from harness.runs.local.pool import Pool
from harness.runs.local.process import NONSENSE, Process
from harness.runs.local.wire import Message
from harness.runs.together import all_of
from harness.store.codec import decode

UnderWay = dict[EpisodeKey, Task]

_BUSY = 0.03
"""Seconds for which the supervisor may have no time for a process: it scores and stores for all."""
_MOST_ATTEMPTS = 3
"""Of an episode whose neighbours were to blame each time: then it is looked at alone."""
_GROUP = 16
"""Episodes that are stored at once where they come fast: nobody waits for that."""
_PATIENCE = 0.02
"""Seconds that one waits for others."""


@dataclass(slots=True)
class _Loss:
    """What is known of an episode whose process has died: how it last stood, if it had begun, and how it ended, if the
    process could tell.
    """

    process: Process
    sketch: Episode | None = None
    stuck: End | None = None

    @property
    def doubtful(self) -> bool:
        """Whether others than the agent may well have ended it."""
        return (self.sketch is None and not self.forged) or self.process.killed_by_others

    @property
    def forged(self) -> bool:
        """Whether the process said what turngate would not."""
        return self.process.fate == NONSENSE


class _Pace:
    """How fast episodes come from a process, for whom its supervisor may have no time for so many seconds."""

    def __init__(self, busy: float) -> None:
        self._busy = busy
        self._began = time.monotonic()
        self._heard = 0

    def count(self) -> None:
        """One has come."""
        self._heard += 1

    @property
    def ahead(self) -> int:
        """How many are played while the supervisor is busy with others; at least one if it may be."""
        seconds = max(time.monotonic() - self._began, 1e-6)
        return max(self._busy > 0, round(self._heard / seconds * self._busy))


class Local:
    """The `local` executor: `workers` processes, each with many episodes at once; the calling process never runs the
    agent's code. To be used within `async with`.

    A worker that dies or has to be ended takes its episodes with it. If one of them is known to be the cause, that one
    is blamed and the others are played again, with an attempt more. Else each that was under way is played in a process
    of its own: the one that dies again is the cause. A death that may be somebody else's doing is tried once more.
    """

    def __init__(self, load: Load, workers: int = 1, memory: int | None = None) -> None:
        self._workers = workers
        self._pool = Pool(load, memory or fair_share(workers))

    async def __aenter__(self) -> Self:
        await self._pool.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._pool.__aexit__(kind, error, trace)

    @property
    def notes(self) -> list[str]:
        """What is to be said about the agent."""
        return self._pool.notes

    async def version(self) -> AgentVersion:
        """Which agent it is. Raises AgentProblem if there is none."""
        return await self._pool.version()

    @asynccontextmanager
    async def opened(self, job: Job) -> AsyncIterator[Play]:
        """Within the `async with` the job's episodes can be played."""
        yield _Run(self._pool, self._workers, job).play


class _Run:
    """The episodes of one run."""

    def __init__(self, pool: Pool, workers: int, job: Job) -> None:
        self._pool = pool
        self._job = job
        workers = min(workers, job.concurrency)
        self._rooms = [job.concurrency // workers + (each < job.concurrency % workers) for each in range(workers)]
        """Episodes at a time in each process."""
        self._tasks: Iterator[Task] = iter(())
        self._again: deque[Task] = deque()
        self._suspects: deque[Task] = deque()

    async def play(self, tasks: Iterable[Task], told: Told, go_on: Callable[[], bool]) -> None:
        """Play the tasks in as many processes as there may be."""
        self._tasks, self._go_on = iter(tasks), go_on
        most = 1 if self._job.watched else max(self._job.concurrency, _GROUP)
        self._keeper = Keeper(self._job.store, self._job.materials, told, most, _PATIENCE)
        try:
            await all_of(self._keep_playing(room) for room in self._rooms)
        finally:
            self._keeper.flush()

    async def _keep_playing(self, room: int) -> None:
        """Make one process, or one after another, play until there is nothing to play."""
        while True:
            if self._suspects:
                await self._play_alone(self._suspects.popleft())
            elif (task := self._next()) is not None:
                await self._play_many(task, room)
            else:
                return

    def _next(self) -> Task | None:
        if self._again:
            return self._again.popleft()
        return next(self._tasks, None) if self._go_on() else None

    def _some(self, most: int) -> Iterator[Task]:
        while most and (task := self._next()) is not None:
            most -= 1
            yield task

    async def _play_many(self, task: Task, room: int) -> None:
        """Have a process play one task and all that it can get, `room` at a time, until it dies or none are left."""
        begin = self._begin(room)
        process = await self._pool.take(begin)
        under_way = {task.key: task}
        process.say(play=[order_of(task)])
        kept: deque[asyncio.Future[None]] = deque()
        pace = _Pace(0 if self._job.watched else _BUSY)
        spent = kept_one = named = False
        while under_way:
            # Some more than can be played wait in the worker, so that it need not wait for us; they go out by the half.
            ahead = pace.ahead
            if not (spent or self._suspects) and len(under_way) < room + ahead / 2:
                more = {task.key: task for task in self._some(room + ahead - len(under_way))}
                under_way |= more
                if more:
                    process.say(play=[order_of(task) for task in more.values()])
            message = await self._hear(process, under_way)
            if message is None:
                self._lost(under_way, room, named=named)
                break
            named = "blamed" in message and kept_one
            if kept_one := "episode" in message:
                episode: Episode = message["record"]
                pace.count()
                del under_way[episode.key]
                kept.append(self._keeper.keep(episode, message["text"]))
                spent = spent or _breached(episode)
            while kept and kept[0].done():
                kept.popleft().result()
        self._keeper.write()
        await asyncio.gather(*kept)
        if process.alive and not spent:
            self._pool.put_back(process, begin)
        else:
            await self._pool.end(process)

    async def _hear(self, process: Process, under_way: UnderWay) -> Message | None:
        """What it says next, with the `record` as an Episode and, as it came, in `text`, and with `stuck` as an End;
        None when it is dead, as one is that tells no episode, or none that it was given.
        """
        try:
            while (message := await self._pool.hear(process)) is not None and "late" in message:
                self._job.store.late.add([decode(Late, message["record"])])
            if message is None:
                return None
            if "episode" in message or "sketch" in message:
                message["text"] = message["record"]
                message["record"] = episode = decode(Episode, message["text"])
                if not is_record_of(under_way[episode.key], episode, await self._pool.version()):
                    raise ValueError("a record of something else")
            if "stuck" in message:
                message["stuck"] = End(**message["stuck"])
        except (KeyError, TypeError, ValueError):
            await process.kill(NONSENSE)
            return None
        return message

    def _lost(self, under_way: UnderWay, room: int, *, named: bool) -> None:
        """A process has died. What it had begun is played again, and what it was only told of is played."""
        missing = list(under_way.values())
        begun = [replace(task, attempt=task.attempt + 1) for task in missing[:room]]
        self._again += missing[room:]
        for task in begun:
            innocent = named and task.attempt <= _MOST_ATTEMPTS
            (self._again if innocent else self._suspects).append(task)

    async def _play_alone(self, task: Task) -> None:
        """Play a suspect in a process of its own: if that dies too, there is nobody else to blame. A death that tells
        nothing about the agent, since others may have caused it, is not believed until it is repeated.
        """
        loss = await self._lost_alone(task)
        if loss is not None and loss.doubtful:
            task = replace(task, attempt=task.attempt + 1)
            loss = await self._lost_alone(task)
        if loss is None:
            return
        how, printed = loss.process.how_it_ended, loss.process.printed
        if loss.sketch is None:
            version = await self._pool.version()
            await self._keeper.keep(unbegun(task, version, how, printed, forged=loss.forged))
        else:
            await self._keeper.keep(ended(loss.sketch, loss.stuck or end_of_process(how, printed), printed))

    async def _lost_alone(self, task: Task) -> _Loss | None:
        """Play it in a fresh process; None if it is stored."""
        process = await self._pool.fresh(self._begin(1, sketches=True))
        process.say(play=[order_of(task)])
        loss, done = _Loss(process), False
        while not done and (message := await self._hear(process, {task.key: task})) is not None:
            if "sketch" in message:
                loss.sketch = message["record"]
            elif "stuck" in message:
                loss.stuck = message["stuck"]
            elif "episode" in message:
                await self._keeper.keep(message["record"], message["text"])
                done = True
        await self._pool.end(process)
        return None if done else loss

    def _begin(self, concurrency: int, *, sketches: bool = False) -> Begin:
        job = self._job
        return Begin(
            run=job.run,
            agent=job.agent,
            items=list(job.stages),
            clock=job.clock.isoformat(),
            limits=job.limits,
            files=job.files,
            concurrency=concurrency,
            sketches=sketches,
        )


def _breached(episode: Episode) -> bool:
    """Whether it was ended by a time limit: what it left behind may still be running."""
    return episode.end.kind == "limit" and episode.end.code == "FL4"
