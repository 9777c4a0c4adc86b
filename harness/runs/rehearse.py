"""The main job: play a plan against one agent, score and store every episode, and decide the gate."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from harness import __version__
from harness.agents.source import AgentSource
from harness.episodes.play import play
from harness.episodes.stalls import LoopStalls
from harness.episodes.task import Limits, Stage, Task
from harness.gates.decide import decide
from harness.gates.sparing import may_spare
from harness.model.episode import Episode
from harness.model.material import Material
from harness.model.result import GateVerdict, Result
from harness.model.scenario import Scenario
from harness.model.score import Scored
from harness.model.status import Status
from harness.runs.agreement import AGREEING, Agreement
from harness.runs.commit import GroupCommit
from harness.runs.daemon import DaemonThreads
from harness.runs.gold import broken_scenarios
from harness.runs.heap import settled_heap
from harness.runs.inline import play_all
from harness.runs.prepare import stages, tasks
from harness.runs.selection import Selection
from harness.scoring.score import score
from harness.store.records import Planned, RunRecord, new_run_id
from harness.store.store import Store
from harness.workflow.bundle import Bundle
from traces.capture import Tracing


@dataclass(frozen=True, slots=True)
class Settings:
    """How a run is made. `trials`: of each scenario; None takes the workflow's own number."""

    selection: Selection = Selection()
    trials: int | None = None
    concurrency: int = 8
    fail_fast: bool = False
    limits: Limits = Limits()


@dataclass(frozen=True, slots=True)
class Finished:
    """A run that came to its end. `faulty`: scenarios whose gold path does not pass, and why."""

    run: RunRecord
    # When it ends, asyncio writes out a task with its result, be it only for a message that nobody gets to see.
    verdict: GateVerdict = field(repr=False)
    results: tuple[Result, ...] = field(repr=False)
    faulty: dict[str, str]


class Progress:
    """Told how a run goes on; does nothing by itself."""

    def begins(self, run: str, planned: int) -> None:
        """The plan is written; so many episodes are to be played."""

    def played(self, episode: Episode, scored: Scored) -> None:
        """An episode is stored."""

    def spared(self, count: int) -> None:
        """So many episodes are not played, since the agent is deterministic."""


async def rehearse(
    bundle: Bundle, source: AgentSource, store: Store, settings: Settings, progress: Progress | None = None
) -> Finished:
    """Play, score, store, decide. Cancelled, it leaves every episode that was played in the store.

    Raises NothingSelectedError, StoreProblem, and AgentProblem for an agent that must not be rehearsed.
    """
    rehearsal = _Rehearsal(bundle, source, store, settings, progress or Progress())
    return await rehearsal.run()


class _Rehearsal:
    def __init__(
        self, bundle: Bundle, source: AgentSource, store: Store, settings: Settings, progress: Progress
    ) -> None:
        self._bundle = bundle
        self._source = source
        self._store = store
        self._settings = settings
        self._progress = progress
        self._chosen = settings.selection.of(bundle.scenarios.values())
        self._trials = settings.trials or bundle.workflow.trials
        self._tracing = Tracing()
        self._stalls = LoopStalls()
        self._clock = bundle.clock or datetime.now(UTC)
        self._commit = GroupCommit(store, self._stored, settings.concurrency)
        self._materials: dict[str, Material] = {}
        self._agreement = Agreement()
        self._deterministic = False
        self._stopped = False

    async def run(self) -> Finished:
        try:
            with settled_heap():
                return await self._run()
        finally:
            self._tracing.close()

    async def _run(self) -> Finished:
        asyncio.get_running_loop().set_default_executor(DaemonThreads())
        prepared = stages(self._bundle, self._chosen, self._clock)
        faulty = await broken_scenarios(self._bundle, prepared, self._tracing)
        self._materials = {item: replace(self._bundle.material(item), faulty=faulty.get(item)) for item in prepared}
        record = self._record()
        self._store.put_texts(self._bundle.sources())
        self._store.create_run(record)
        try:
            with self._stalls:
                await self._play(record, prepared, faulty)
        except BaseException:
            self._store.finish(record.id, "interrupted")
            raise
        self._store.finish(record.id, "done", deterministic=self._deterministic)
        results = tuple(self._store.results(record.id))
        verdict = decide(self._bundle.workflow, results, self._partial(), deterministic=self._deterministic)
        return Finished(record, verdict, results, faulty)

    def _record(self) -> RunRecord:
        now = datetime.now(UTC)
        options = {
            "only": list(self._settings.selection.only),
            "slices": [list(pair) for pair in self._settings.selection.slices],
            "partial": self._partial(),
            "fail_fast": self._settings.fail_fast,
        }
        return RunRecord(
            id=new_run_id(now),
            workflow=self._bundle.workflow.workflow,
            created=now,
            agents=(self._source.version,),
            plan={
                "scenarios": [scenario.id for scenario in self._chosen],
                "trials": self._trials,
                "clock": self._clock.isoformat(),
            },
            options=options,
            harness_version=__version__,
        )

    def _partial(self) -> str | None:
        """Why the gate can't be passed by this run, however well it goes."""
        fewer = self._trials < self._bundle.workflow.trials
        parts = [self._settings.selection.partial, f"--trials {self._trials}" if fewer else None]
        return " ".join(part for part in parts if part) or None

    async def _play(self, record: RunRecord, prepared: dict[str, Stage], faulty: dict[str, str]) -> None:
        label = self._source.version.label
        every = list(
            tasks(record.id, label, record.workflow, prepared, range(1, self._trials + 1), self._settings.limits)
        )
        self._store.plan([self._planned(task, faulty) for task in every])
        self._progress.begins(record.id, len(every))
        split = AGREEING * len(prepared)
        sparable = {scenario.id for scenario in self._chosen if may_spare(self._bundle.workflow, scenario)}
        rest = [task for task in every[split:] if task.key.item in sparable]
        await self._play_all(every[:split])
        # What must be played in any case comes first: where it differs, nothing is spared.
        await self._play_all([task for task in every[split:] if task.key.item not in sparable])
        self._deterministic = self._agrees()
        if self._deterministic and rest:
            self._store.spare(task.key for task in rest)
            self._progress.spared(len(rest))
        else:
            await self._play_all(rest)
            self._deterministic = self._agrees()

    async def _play_all(self, some: list[Task]) -> None:
        if self._stopped:
            return
        try:
            await play_all(some, self._play_one, self._go_on, concurrency=self._settings.concurrency)
        finally:
            self._commit.flush()

    async def _play_one(self, task: Task) -> None:
        episode = await play(task, self._source, self._tracing, stalls=self._stalls)
        await self._commit.add(episode, score(episode, self._materials[task.key.item]))

    def _stored(self, episode: Episode, scored: Scored) -> None:
        if self._trials >= AGREEING:
            self._agreement.add(episode)
        self._progress.played(episode, scored)
        if self._settings.fail_fast and scored.verdict.status is Status.FAILED:
            self._stopped = True

    def _go_on(self, *_: object) -> bool:
        return not self._stopped

    def _agrees(self) -> bool:
        """Whether all trials of every scenario that were played went the same way; no, where there is but one."""
        return not self._stopped and self._agreement.of(scenario.id for scenario in self._chosen)

    def _planned(self, task: Task, faulty: dict[str, str]) -> Planned:
        scenario: Scenario = task.stage.scenario
        return Planned(
            key=task.key,
            family=scenario.family,
            tier=scenario.tier,
            slices=scenario.slices,
            digests=task.stage.digests,
            given=self._bundle.given_rows(scenario.id),
            faulty=faulty.get(scenario.id),
        )
