"""The main job: play a plan against one agent, score and store every episode, and decide the gate."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime

import psutil

from harness import __version__
from harness.episodes.task import Limits, Stage, Task
from harness.gates.decide import decide
from harness.gates.sparing import may_spare
from harness.model.episode import AgentVersion
from harness.model.limits import excess
from harness.model.result import GateVerdict, Result
from harness.model.scenario import Scenario
from harness.model.status import Status
from harness.runs.agreement import AGREEING, Agreement
from harness.runs.daemon import DaemonThreads
from harness.runs.executor import Executor, Job, Play, Played
from harness.runs.gold import broken_scenarios
from harness.runs.heap import settled_heap
from harness.runs.keeper import played
from harness.runs.prepare import files_digest, stages, tasks
from harness.runs.resume import (
    CantResume,
    left,
    partial_of,
    planned_clock,
    planned_limits,
    planned_scenarios,
    planned_trials,
    same_agent,
    same_files,
)
from harness.runs.selection import Selection, TooManyEpisodesError
from harness.store.records import Planned, RunRecord, new_run_id
from harness.store.store import Store
from harness.workflow.bundle import Bundle
from traces.capture import Tracing


@dataclass(frozen=True, slots=True)
class Settings:
    """How a run is made. `trials`: of each scenario; None takes the workflow's own number. `replayed`: models' answers
    are recorded ones, which are no new trials.
    """

    selection: Selection = Selection()
    trials: int | None = None
    concurrency: int = 8
    fail_fast: bool = False
    limits: Limits = Limits()
    replayed: bool = False


@dataclass(frozen=True, slots=True)
class Finished:
    """A run that came to its end. `faulty`: scenarios whose gold path does not pass, and why; `notes`: what is to be
    said about the agent and the run.
    """

    run: RunRecord
    # When it ends, asyncio writes out a task with its result, be it only for a message that nobody gets to see.
    verdict: GateVerdict = field(repr=False)
    results: tuple[Result, ...] = field(repr=False)
    faulty: dict[str, str]
    notes: tuple[str, ...]


class Progress:
    """Told how a run goes on; does nothing by itself."""

    def begins(self, run: str, planned: int) -> None:
        """The plan is written; so many episodes are to be played."""

    def played(self, episode: Played) -> None:
        """An episode is stored."""

    def spared(self, count: int) -> None:
        """So many episodes are not played, since the agent is deterministic."""


async def rehearse(
    bundle: Bundle,
    executor: Executor,
    store: Store,
    settings: Settings,
    progress: Progress | None = None,
    *,
    resumed: RunRecord | None = None,
) -> Finished:
    """Play, score, store, decide; or go on with a run that was interrupted, whose plan then holds. Cancelled, it leaves
    every episode that was played in the store.

    Raises NothingSelectedError, TooManyEpisodesError, StoreProblem, CantResume, and AgentProblem for an agent that must
    not be rehearsed.
    """
    rehearsal = _Rehearsal(bundle, executor, store, settings, progress or Progress(), resumed)
    with settled_heap():
        return await rehearsal.run()


class _Rehearsal:
    def __init__(
        self,
        bundle: Bundle,
        executor: Executor,
        store: Store,
        settings: Settings,
        progress: Progress,
        resumed: RunRecord | None,
    ) -> None:
        self._bundle = bundle
        self._executor = executor
        self._store = store
        self._settings = settings
        self._progress = progress
        self._resumed = resumed
        if resumed is None:
            self._chosen = settings.selection.of(bundle.scenarios.values())
            self._trials = settings.trials or bundle.workflow.trials
            if too_large := excess(len(self._chosen), self._trials):
                raise TooManyEpisodesError(f"{too_large}: play fewer, or a part of the scenarios with --only")
            self._clock = bundle.clock or datetime.now(UTC)
            self._limits = settings.limits
        else:
            self._chosen = planned_scenarios(resumed, bundle.scenarios)
            self._trials = planned_trials(resumed)
            self._clock = planned_clock(resumed)
            self._limits = planned_limits(resumed) or settings.limits
        self._agreement = Agreement()
        self._deterministic = False
        self._stopped = False
        self._new = 0

    async def run(self) -> Finished:
        asyncio.get_running_loop().set_default_executor(DaemonThreads())
        prepared = stages(self._bundle, self._chosen, self._clock)
        faulty = await self._faulty(prepared)
        version = await self._executor.version()
        record = self._resumed or self._record(version)
        job = self._job(record, prepared, faulty)
        self._begin(record, version, job)
        try:
            async with self._executor.opened(job) as play:
                await self._play(record, job, play)
        except BaseException:
            self._store.finish(record.id, "interrupted")
            raise
        self._store.finish(record.id, "done", deterministic=self._deterministic)
        results = tuple(self._store.results(record.id))
        verdict = decide(self._bundle.workflow, results, partial_of(record), deterministic=self._deterministic)
        return Finished(record, verdict, results, faulty, (*self._executor.notes, *self._said()))

    def _said(self) -> list[str]:
        idle = self._resumed is not None and not self._new
        return ["nothing of the run was missing: nothing was played"] if idle else []

    async def _faulty(self, prepared: dict[str, Stage]) -> dict[str, str]:
        tracing = Tracing()
        try:
            return await broken_scenarios(self._bundle, prepared, tracing)
        finally:
            tracing.close()

    def _record(self, version: AgentVersion) -> RunRecord:
        now = datetime.now(UTC)
        options = {
            "only": list(self._settings.selection.only),
            "slices": [list(pair) for pair in self._settings.selection.slices],
            "partial": self._partial(),
            "fail_fast": self._settings.fail_fast,
            "process": _this_process(),
        }
        return RunRecord(
            id=new_run_id(now),
            workflow=self._bundle.workflow.workflow,
            created=now,
            agents=(version,),
            plan={
                "scenarios": [scenario.id for scenario in self._chosen],
                "trials": self._trials,
                "clock": self._clock.isoformat(),
                "limits": asdict(self._limits),
            },
            options=options,
            harness_version=__version__,
        )

    def _partial(self) -> str | None:
        """Why the gate can't be passed by this run, however well it goes."""
        fewer = self._trials < self._bundle.workflow.trials
        parts = [
            self._settings.selection.partial,
            f"--trials {self._trials}" if fewer else None,
            "--replay-model" if self._settings.replayed else None,
        ]
        return " ".join(part for part in parts if part) or None

    def _job(self, record: RunRecord, prepared: dict[str, Stage], faulty: dict[str, str]) -> Job:
        materials = {item: replace(self._bundle.material(item), faulty=faulty.get(item)) for item in prepared}
        return Job(
            run=record.id,
            agent=record.agents[0].label,
            clock=self._clock,
            files=files_digest(self._bundle, prepared),
            stages=prepared,
            materials=materials,
            limits=self._limits,
            concurrency=self._settings.concurrency,
            store=self._store,
            watched=self._settings.fail_fast,
        )

    def _begin(self, record: RunRecord, version: AgentVersion, job: Job) -> None:
        """Write down that the run begins, or see that it can be gone on with."""
        if self._resumed is not None:
            same_agent(record, version)
            same_files(self._store, record, job.stages)
            if not self._store.take_over(record, {**record.options, "process": _this_process()}):
                raise CantResume(f"run {record.id} can't be gone on with: somebody else has just begun to")
        else:
            self._store.put_texts(self._bundle.sources())
            self._store.create_run(record)
        if not self._store.digests(record.id):  # it may have been interrupted before it had a plan
            self._store.plan(self._planned(task, job) for task in self._every(job, self._all_trials))

    async def _play(self, record: RunRecord, job: Job, play: Play) -> None:
        self._progress.begins(record.id, len(self._all_trials) * len(job.stages))
        missing = None if self._resumed is None else self._left(record, job)

        def of(trials: range) -> Iterator[Task]:
            """What is to be played of some trials: made as it is needed, for there may be a great many."""
            if missing is None:
                return self._every(job, trials)
            return (task for task in missing if task.key.trial in trials)

        sparable = {scenario.id for scenario in self._chosen if may_spare(self._bundle.workflow, scenario)}
        later = self._all_trials[AGREEING:]
        await self._play_all(play, of(self._all_trials[:AGREEING]))
        # What must be played in any case comes first: where it differs, nothing is spared.
        await self._play_all(play, (task for task in of(later) if task.key.item not in sparable))
        self._deterministic = self._agrees()
        rest = (task for task in of(later) if task.key.item in sparable)
        if self._deterministic and (spared := [task.key for task in rest]):
            self._store.spare(spared)
            self._progress.spared(len(spared))
        else:
            await self._play_all(play, rest)
            self._deterministic = self._agrees()

    @property
    def _all_trials(self) -> range:
        return range(1, self._trials + 1)

    def _every(self, job: Job, trials: range) -> Iterator[Task]:
        return tasks(job.run, job.agent, self._bundle.workflow.workflow, job.stages, trials, job.limits)

    def _left(self, record: RunRecord, job: Job) -> list[Task]:
        """What of the plan is still to be played; what was played before counts as played now."""
        missing = list(left(self._store, record, self._every(job, self._all_trials)))
        again = {task.key for task in missing}
        for episode in self._store.episodes(record.id):
            if episode.key not in again and (scored := self._store.scored_episode(episode.key)) is not None:
                self._count(played(episode, scored))
        return missing

    async def _play_all(self, play: Play, some: Iterable[Task]) -> None:
        if not self._stopped:
            await play(some, self._told, lambda: not self._stopped)

    def _told(self, episode: Played) -> None:
        self._count(episode)
        self._new += 1
        if self._settings.fail_fast and episode.status is Status.FAILED:
            self._stopped = True

    def _count(self, episode: Played) -> None:
        if self._trials >= AGREEING:
            self._agreement.add(episode)
        self._progress.played(episode)

    def _agrees(self) -> bool:
        """Whether all trials of every scenario that were played went the same way; no, where there is but one."""
        return not self._stopped and self._agreement.of(scenario.id for scenario in self._chosen)

    def _planned(self, task: Task, job: Job) -> Planned:
        scenario: Scenario = task.stage.scenario
        material = job.materials[scenario.id]
        return Planned(
            key=task.key,
            family=scenario.family,
            tier=scenario.tier,
            slices=scenario.slices,
            digests=task.stage.digests,
            given=material.given,
            faulty=material.faulty,
        )


def _this_process() -> list[float]:
    return [os.getpid(), psutil.Process().create_time()]
