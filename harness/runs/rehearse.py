"""The main job: play a plan against one agent, score and store every episode, and decide the gate."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from harness.episodes.task import Stage, Task
from harness.gates.decide import decide
from harness.gates.sparing import may_spare
from harness.model.baseline import Baseline
from harness.model.episode import AgentVersion
from harness.model.result import GateVerdict, Result
from harness.model.status import Status
from harness.runs.agreement import AGREEING, Agreement
from harness.runs.baselines import NamedBaseline, baselines_for, read_baselines
from harness.runs.clauses import clauses_in
from harness.runs.daemon import DaemonThreads
from harness.runs.executor import Executor, Job, Play, Played
from harness.runs.gold import broken_scenarios
from harness.runs.heap import settled_heap
from harness.runs.keeper import played
from harness.runs.plan import Plan, Settings, this_process
from harness.runs.resume import CantResume, left, partial_of, planned_until, same_agent, same_files
from harness.runs.until_decided import Budget, next_batch
from harness.store.records import RunRecord
from harness.store.store import Store
from harness.workflow.bundle import Bundle
from traces.capture import Tracing


@dataclass(frozen=True, slots=True)
class Finished:
    """A run that came to its end. `faulty`: scenarios whose gold path does not pass, and why; `notes`: what is to be
    said about the agent and the run; `baselines`: those that its gate compared with.
    """

    run: RunRecord
    # When it ends, asyncio writes out a task with its result, be it only for a message that nobody gets to see.
    verdict: GateVerdict = field(repr=False)
    results: tuple[Result, ...] = field(repr=False)
    faulty: dict[str, str]
    notes: tuple[str, ...]
    baselines: Mapping[str, Baseline] = field(repr=False)

    @property
    def said(self) -> list[str]:
        """What has to be said beside the figures: what could not be redirected, and scenarios that are broken."""
        return [*self.notes, *faults(self.faulty)]


def faults(faulty: Mapping[str, str]) -> list[str]:
    """What is said of scenarios that are broken, by why they are."""
    return [f"{item} fails its own gold path: {why}; nobody is blamed for it (X3)" for item, why in faulty.items()]


class Progress:
    """Told how a run goes on; does nothing by itself."""

    def begins(self, run: str, planned: int) -> None:
        """The plan is written; so many episodes are to be played."""

    def played(self, episode: Played) -> None:
        """An episode is stored."""

    def grows(self, count: int, open_: int) -> None:
        """So many trials more are planned, since so many checks of the gate are still open."""

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
        self._plan = Plan.new(bundle, settings) if resumed is None else Plan.of_run(bundle, settings, resumed)
        self._agreement = Agreement()
        self._deterministic = False
        self._unseen = False
        self._stopped = False
        self._new = 0
        self._ended = ""
        self._baselines: list[NamedBaseline] = []

    async def run(self) -> Finished:
        asyncio.get_running_loop().set_default_executor(DaemonThreads())
        # Read before anything is played: a file that can't be read is told at once.
        self._baselines = read_baselines(self._store, self._bundle.workflow, self._bundle.root)
        prepared = self._plan.stages()
        faulty = await self._faulty(prepared)
        version = await self._executor.version()
        held_against = {each.name: each.run.id for each in self._baselines}
        record = self._resumed or self._plan.record(version, held_against)
        job = self._plan.job(record, self._store, prepared, faulty)
        self._begin(record, version, job)
        try:
            async with self._executor.opened(job) as play:
                await self._play(record, job, play)
        except BaseException:
            self._store.finish(record.id, "interrupted")
            raise
        self._store.finish(record.id, "done", deterministic=self._deterministic)
        results = tuple(self._store.results(record.id))
        baselines = baselines_for(self._store, record.id, self._baselines)
        verdict = self._verdict(record, results, baselines)
        return Finished(record, verdict, results, faulty, (*self._executor.notes, *self._said()), baselines)

    def _verdict(self, record: RunRecord, results: Sequence[Result], baselines: Mapping[str, Baseline]) -> GateVerdict:
        return decide(
            self._bundle.workflow,
            results,
            partial_of(record),
            deterministic=self._deterministic,
            day=record.day,
            baselines=baselines,
            clauses=clauses_in(self._store, self._bundle.workflow, results),
            until=planned_until(record),
        )

    def _said(self) -> list[str]:
        idle = self._resumed is not None and not self._new
        said = ["nothing of the run was missing: nothing was played"] if idle else []
        return [*said, f"until decided: {self._ended}"] if self._ended else said

    async def _faulty(self, prepared: dict[str, Stage]) -> dict[str, str]:
        tracing = Tracing()
        try:
            return await broken_scenarios(self._bundle, prepared, tracing)
        finally:
            tracing.close()

    def _begin(self, record: RunRecord, version: AgentVersion, job: Job) -> None:
        """Write down that the run begins, or see that it can be gone on with."""
        if self._resumed is not None:
            same_agent(record, version)
            same_files(self._store, record, job.stages)
            if not self._store.take_over(record, {**record.options, "process": this_process()}):
                raise CantResume(f"run {record.id} can't be gone on with: somebody else has just begun to")
        else:
            self._store.create_run(record)
        # It may have been interrupted before it had a plan, or its texts may have been purged with what was played.
        begun = self._store.digests(record.id)
        self._store.plan(() if begun else self._plan.planned(job), self._bundle.sources())

    async def _play(self, record: RunRecord, job: Job, play: Play) -> None:
        self._progress.begins(record.id, len(self._plan.all_trials) * len(job.stages))
        missing = None if self._resumed is None else self._left(record, job)

        def of(trials: range) -> Iterator[Task]:
            """What is to be played of some trials: made as it is needed, for there may be a great many."""
            if missing is None:
                return self._plan.tasks(job, trials)
            return (task for task in missing if task.key.trial in trials)

        # What one shard has seen says nothing of the others, so none of them spares anything. Of a scenario in
        # quarantine the flip rate is what it is there for.
        some = () if record.options.get("shard") else self._plan.chosen
        shaky = {entry.scenario for entry in self._bundle.workflow.quarantine}
        sparable = {each.id for each in some if each.id not in shaky and may_spare(self._bundle.workflow, each)}
        later = self._plan.all_trials[AGREEING:]
        await self._play_all(play, of(self._plan.all_trials[:AGREEING]))
        # What must be played in any case comes first: where it differs, nothing is spared.
        await self._play_all(play, (task for task in of(later) if task.key.item not in sparable))
        if self._plan.until is not None:
            await self._until_decided(record, job, play, self._plan.until, missing or ())
        self._deterministic = self._agrees()
        rest = (task for task in of(later) if task.key.item in sparable)
        if self._deterministic and (spared := [task.key for task in rest]):
            self._store.spare(spared)
            self._progress.spared(len(spared))
        else:
            await self._play_all(play, rest)
            self._deterministic = self._agrees()

    async def _until_decided(
        self, record: RunRecord, job: Job, play: Play, budget: Budget, missing: Iterable[Task]
    ) -> None:
        """Trials beyond the plan, those first that an interrupted run has left. Each batch is in the plan before any of
        it is played.
        """
        await self._play_all(play, (task for task in missing if task.key.trial > self._plan.trials))
        while not self._stopped:
            results = tuple(self._store.results(record.id))
            baselines = baselines_for(self._store, record.id, self._baselines)
            batch = next_batch(self._verdict(record, results, baselines), results, budget, self._settings.concurrency)
            if batch.why:
                self._ended = batch.why
                return
            further = self._plan.further(job, batch.trials)
            self._store.plan(self._plan.planned(job, further))
            self._progress.grows(len(further), batch.open)
            await self._play_all(play, further)

    def _left(self, record: RunRecord, job: Job) -> list[Task]:
        """What of the plan is still to be played; what was played before counts as played now."""
        every = chain(self._plan.tasks(job, self._plan.all_trials), self._grown(record, job))
        missing = list(left(self._store, record, every))
        again = {task.key for task in missing}
        self._unseen = self._store.retention.purged()[record.id] > 0
        for episode in self._store.episodes(record.id):
            if episode.key not in again and (scored := self._store.scored_episode(episode.key)) is not None:
                self._count(played(episode, scored))
        return missing

    def _grown(self, record: RunRecord, job: Job) -> list[Task]:
        """What was planned until rules were decided."""
        last = {result.key.item: result.key.trial for result in self._store.results(record.id)}
        return self._plan.further(job, {item: range(self._plan.trials + 1, end + 1) for item, end in last.items()})

    async def _play_all(self, play: Play, some: Iterable[Task]) -> None:
        if not self._stopped:
            await play(some, self._told, lambda: not self._stopped)

    def _told(self, episode: Played) -> None:
        self._count(episode)
        self._new += 1
        if self._settings.fail_fast and episode.status is Status.FAILED:
            self._stopped = True

    def _count(self, episode: Played) -> None:
        if self._plan.trials >= AGREEING:
            self._agreement.add(episode)
        self._progress.played(episode)

    def _agrees(self) -> bool:
        """Whether all trials of every scenario that were played went the same way; no, where there is but one, or where
        the words of one were purged, so that nobody knows.
        """
        return (
            not self._stopped and not self._unseen and self._agreement.of(scenario.id for scenario in self._plan.chosen)
        )
