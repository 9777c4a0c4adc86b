"""A run whose scenarios are played one by one, as somebody asks for them, be it in several processes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Self

from harness.episodes.task import Task
from harness.model.episode import AgentVersion, EpisodeKey
from harness.runs.daemon import DaemonThreads
from harness.runs.executor import Executor, Job, Played
from harness.runs.gold import broken_scenarios
from harness.runs.plan import Plan, Settings
from harness.runs.resume import same_agent, same_files
from harness.store.records import RunRecord
from harness.store.store import Store
from harness.workflow.bundle import Bundle
from traces.capture import Tracing


class SharedRun:
    """The part of one process in it. All processes name the run by the same id; the first one writes its plan down."""

    def __init__(self, plan: Plan, record: RunRecord, job: Job) -> None:
        self.record = record
        self._job = job
        self._plan = plan

    @classmethod
    async def begun(
        cls, bundle: Bundle, store: Store, settings: Settings, items: Sequence[str], run: str, version: AgentVersion
    ) -> Self:
        """The run of that id over these scenarios, which every process must name alike; with those that are broken
        found out.

        Raises CantResume where another process has begun it with another agent, or other files; TooManyEpisodesError
        and StoreProblem.
        """
        asyncio.get_running_loop().set_default_executor(DaemonThreads())
        plan = Plan.of_items(bundle, settings, items)
        prepared = plan.stages()
        tracing = Tracing()
        try:
            faulty = await broken_scenarios(bundle, prepared, tracing)
        finally:
            tracing.close()
        record = replace(plan.record(version), id=run)
        job = plan.job(record, store, prepared, faulty)
        if not store.begin_run(record, plan.planned(job), bundle.sources()):
            record = store.run(run)
            plan = Plan.of_run(bundle, settings, record)
            prepared = plan.stages()
            same_agent(record, version)
            same_files(store, record, prepared)
            job = plan.job(record, store, prepared, faulty)
        return cls(plan, record, job)

    def keys(self, item: str) -> list[EpisodeKey]:
        """The episodes of a scenario."""
        return [task.key for task in self._tasks(item)]

    async def play(self, item: str, executor: Executor) -> None:
        """Play the trials of a scenario that are not stored yet, by whatever process, and store them.

        Raises StoreProblem, and AgentProblem for an agent that must not be rehearsed.
        """
        left = [task for task in self._tasks(item) if self._job.store.scored_episode(task.key) is None]
        if left:
            async with executor.opened(self._job) as play:
                await play(left, _unheard, lambda: True)

    def _tasks(self, item: str) -> list[Task]:
        return [task for task in self._plan.tasks(self._job, self._plan.all_trials) if task.key.item == item]


def _unheard(episode: Played) -> None:
    """Whoever asked for the scenario reads the store."""
