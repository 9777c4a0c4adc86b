"""What a run is to play, and how that is written down before the first episode."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal
from types import MappingProxyType

import psutil

from harness import __version__
from harness.episodes.task import Limits, Stage, Task
from harness.model.episode import AgentVersion
from harness.model.limits import excess
from harness.model.scenario import Scenario
from harness.runs.executor import Job
from harness.runs.prepare import files_digest, stages, tasks
from harness.runs.resume import (
    planned_clock,
    planned_limits,
    planned_scenarios,
    planned_trials,
    planned_until,
)
from harness.runs.revision import revision_of
from harness.runs.selection import Selection, TooManyEpisodesError
from harness.runs.until_decided import Budget
from harness.store.records import Planned, RunRecord, new_run_id
from harness.store.store import Store
from harness.workflow.bundle import Bundle
from tools_sandbox.call import Json


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
    max_trials: int | None = None
    """Trials of a scenario that it may take until its rules are decided; None: it does not go on beyond its trials."""
    max_cost: Decimal | None = None
    """US dollars that its episodes may cost before it goes on no more."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The scenarios of a bundle that are played, how often, by which clock and under which limits."""

    bundle: Bundle
    settings: Settings
    chosen: tuple[Scenario, ...]
    trials: int
    clock: datetime
    limits: Limits
    until: Budget | None = None

    @classmethod
    def new(cls, bundle: Bundle, settings: Settings) -> Plan:
        """The plan of a run that begins. Raises NothingSelectedError and TooManyEpisodesError."""
        chosen = tuple(settings.selection.of(bundle.scenarios.values()))
        trials = settings.trials or bundle.workflow.trials
        until = None if settings.max_trials is None else Budget(settings.max_trials, settings.max_cost)
        if too_large := excess(len(chosen), trials if until is None else until.trials):
            raise TooManyEpisodesError(f"{too_large}: play fewer, or a part of the scenarios with --only")
        return cls(bundle, settings, chosen, trials, bundle.clock or datetime.now(UTC), settings.limits, until)

    @classmethod
    def of_items(cls, bundle: Bundle, settings: Settings, items: Iterable[str]) -> Plan:
        """The plan of a run of these scenarios, which somebody else has chosen."""
        return replace(cls.new(bundle, settings), chosen=tuple(bundle.scenarios[item] for item in items))

    @classmethod
    def of_run(cls, bundle: Bundle, settings: Settings, run: RunRecord) -> Plan:
        """The plan that a run was begun with. Raises CantResume if a scenario of it is gone."""
        chosen = tuple(planned_scenarios(run, bundle.scenarios))
        limits = planned_limits(run) or settings.limits
        until = planned_until(run)
        budget = None if until is None else Budget(until.most, settings.max_cost)
        return cls(bundle, settings, chosen, planned_trials(run), planned_clock(run), limits, budget)

    @property
    def all_trials(self) -> range:
        """The numbers of the trials."""
        return range(1, self.trials + 1)

    @property
    def partial(self) -> str | None:
        """Why the gate can't be passed by this run, however well it goes."""
        fewer = self.trials < self.bundle.workflow.trials
        part = len(self.chosen) < len(self.bundle.scenarios)
        some = f"{len(self.chosen)} of {len(self.bundle.scenarios)} scenarios" if part else None
        parts = [
            self.settings.selection.partial or some,
            f"--trials {self.trials}" if fewer else None,
            "--replay-model" if self.settings.replayed else None,
        ]
        return " ".join(part for part in parts if part) or None

    def stages(self) -> dict[str, Stage]:
        """What the trials of each scenario share, by scenario id."""
        return stages(self.bundle, self.chosen, self.clock)

    def record(self, version: AgentVersion, held_against: Mapping[str, str] = MappingProxyType({})) -> RunRecord:
        """A new run of this agent version. `held_against`: the runs that its gate compares it with, by baseline."""
        now = datetime.now(UTC)
        options = {
            "only": list(self.settings.selection.only),
            "slices": [list(pair) for pair in self.settings.selection.slices],
            "partial": self.partial,
            "fail_fast": self.settings.fail_fast,
            **({"baselines": dict(held_against)} if held_against else {}),
            **self._shard(),
            "process": this_process(),
            "revision": revision_of(self.bundle.root),
        }
        return RunRecord(
            id=new_run_id(now),
            workflow=self.bundle.workflow.workflow,
            created=now,
            agents=(version,),
            plan={
                "scenarios": [scenario.id for scenario in self.chosen],
                "trials": self.trials,
                "clock": self.clock.isoformat(),
                "limits": asdict(self.limits),
                **({} if self.until is None else {"until_decided": self.until.trials}),
            },
            options=options,
            harness_version=__version__,
        )

    def _shard(self) -> dict[str, Json]:
        """Of a shard, which it is, and of what: the scenarios of all shards, a digest of all that they depend on, and
        why they are only a part, if so.
        """
        selection = self.settings.selection
        if selection.shard is None:
            return {}
        every = selection.whole(self.bundle.scenarios.values())
        settings = replace(self.settings, selection=replace(selection, shard=None))
        whole = replace(self, settings=settings, chosen=tuple(every))
        names = [scenario.id for scenario in every]
        said = {"scenarios": names, "files": files_digest(self.bundle, names), "partial": whole.partial}
        return {"shard": {**asdict(selection.shard), **said}}

    def job(self, record: RunRecord, store: Store, prepared: Mapping[str, Stage], faulty: Mapping[str, str]) -> Job:
        """What the episodes of a run have in common. `faulty`: why the scenarios are broken that are."""
        materials = {item: replace(self.bundle.material(item), faulty=faulty.get(item)) for item in prepared}
        return Job(
            run=record.id,
            agent=record.agents[0].label,
            clock=self.clock,
            files=files_digest(self.bundle, prepared),
            stages=prepared,
            materials=materials,
            limits=self.limits,
            concurrency=self.settings.concurrency,
            store=store,
            watched=self.settings.fail_fast,
        )

    def tasks(self, job: Job, trials: range) -> Iterator[Task]:
        """Those trials of every scenario, made as they are needed: there may be a great many."""
        return tasks(job.run, job.agent, self.bundle.workflow.workflow, job.stages, trials, job.limits)

    def further(self, job: Job, trials: Mapping[str, range]) -> list[Task]:
        """Trials beyond the plan, by scenario; those of an earlier round come first."""
        name = self.bundle.workflow.workflow
        found = [
            task
            for item, numbers in trials.items()
            for task in tasks(job.run, job.agent, name, {item: job.stages[item]}, numbers, job.limits)
        ]
        return sorted(found, key=lambda task: task.key.trial)

    def planned(self, job: Job, some: Iterable[Task] | None = None) -> Iterator[Planned]:
        """Tasks as the plan is stored, one row an episode; by default all of it that there is from the beginning."""
        for task in self.tasks(job, self.all_trials) if some is None else some:
            scenario = task.stage.scenario
            material = job.materials[scenario.id]
            yield Planned(
                key=task.key,
                family=scenario.family,
                tier=scenario.tier,
                slices=scenario.slices,
                digests=task.stage.digests,
                given=material.given,
                faulty=material.faulty,
            )


def this_process() -> list[float]:
    """The process that plays, so that it can be told whether it still does: its id and when it began."""
    return [os.getpid(), psutil.Process().create_time()]
