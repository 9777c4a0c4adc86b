"""What plays a plan. Executors are only ways to call `play`: the rehearsal doesn't know in which process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from harness.episodes.task import Limits, Stage, Task
from harness.model.episode import AgentVersion, EpisodeKey
from harness.model.material import Material
from harness.model.status import Status
from harness.store.store import Store


@dataclass(frozen=True, slots=True)
class Played:
    """An episode that is stored. `course` is a digest of messages and calls: equal exactly if two went the same way;
    None where a disturbance kept it from showing the agent's way.
    """

    key: EpisodeKey
    status: Status
    course: str | None


@dataclass(frozen=True, slots=True)
class Job:
    """What the episodes of a run have in common: stages and materials by scenario id, `files`, a digest of all they
    depend on, the run's clock, limits, and where they are stored. `concurrency`: episodes at a time, in all processes.
    `watched`: what becomes of one may be a reason to begin no other, so each is told of at once.
    """

    run: str
    agent: str
    clock: datetime
    files: str
    stages: Mapping[str, Stage]
    materials: Mapping[str, Material]
    limits: Limits
    concurrency: int
    store: Store
    watched: bool = False


Told = Callable[[Played], None]
"""Hears of each episode as soon as it is stored."""


class Play(Protocol):
    """Plays tasks until there are none left, or `go_on` says no: then those under way are finished."""

    async def __call__(self, tasks: Iterable[Task], told: Told, go_on: Callable[[], bool]) -> None:
        """Raises StoreProblem, and AgentProblem for an agent that must not be rehearsed."""
        ...


class Executor(Protocol):
    """Plays the episodes of one agent version. `notes`: what is to be said about the agent, so far as it is known."""

    @property
    def notes(self) -> list[str]:
        """What is to be said about the agent."""
        ...

    async def version(self) -> AgentVersion:
        """Which agent it is. Raises AgentProblem if there is none."""
        ...

    def opened(self, job: Job) -> AbstractAsyncContextManager[Play]:
        """Within the `async with` the job's episodes can be played."""
        ...
