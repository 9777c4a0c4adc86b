"""From a bundle to what episodes are played on."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

from harness.agents.instrument import instrument
from harness.agents.openai_agent import Briefing, ModelKind, instructions
from harness.agents.problem import AgentProblem
from harness.agents.resolve import resolve
from harness.agents.source import AgentSource, Remote
from harness.episodes.task import Limits, Stage, Task, staging
from harness.gates.coverage import clauses_of
from harness.gates.plan import Plan, refusals
from harness.llm.access import ModelAccess
from harness.llm.client import ModelClient
from harness.model.episode import EpisodeKey
from harness.model.material import Document
from harness.model.remote import HttpAgent
from harness.model.result import UntilDecided
from harness.model.scenario import Scenario
from harness.model.source import Where
from harness.model.workflow import Workflow
from harness.runs.seeds import seed_of
from harness.scoring.efficiency import price_of
from harness.scoring.registry import NotJudged
from harness.scoring.score import metric_units
from harness.store.mask import mask
from harness.workflow.bundle import Bundle, load
from harness.workflow.problems import Problem, Problems
from harness.workflow.remote import read_http_agent
from traces.genai import Usage


def load_bundle(path: Path, trials: int | None = None, most: int | None = None, *, played: bool = True) -> Bundle:
    """The bundle of a path, its metrics and its gate held against what is planned: the workflow's own trials, or more;
    rules for which trials may go on until they are decided, against `most` of a scenario. Not `played`, it may be
    without a scenario, as one that only scores traces: then nothing is planned.

    Raises Problems: also for gate rules that the plan can't satisfy even if every trial passes.
    """

    def gate(workflow: Workflow, scenarios: Sequence[Scenario], knowledge: Sequence[Document]) -> Iterator[Problem]:
        planned = max(trials or 0, workflow.trials)
        until = None if most is None else UntilDecided(planned, most)
        plan = replace(_plan(workflow, scenarios, knowledge, planned), until=until)
        refused = refusals(plan) if plan.scenarios else []
        return (Problem(refusal.at or Where(str(path), 1), refusal.text) for refusal in refused)

    return load(path, metric_units, gate, played=played)


def gate_plan(bundle: Bundle) -> Plan:
    """What a gate is held against before anything is played: the workflow's own scenarios and trials."""
    workflow = bundle.workflow
    return _plan(workflow, list(bundle.scenarios.values()), bundle.knowledge, workflow.trials)


def _plan(workflow: Workflow, scenarios: Sequence[Scenario], knowledge: Sequence[Document], trials: int) -> Plan:
    """Scenarios in quarantine count in no rule."""
    today = datetime.now(UTC).date()
    apart = {entry.scenario for entry in workflow.quarantine if not entry.expired(today)}
    counted = [scenario for scenario in scenarios if scenario.id not in apart]
    return Plan(workflow, counted, metric_units(workflow), trials, clauses_of(knowledge, counted))


def stages(bundle: Bundle, scenarios: Iterable[Scenario], clock: datetime | None = None) -> dict[str, Stage]:
    """What the trials of each scenario share, by scenario id. `clock`: the run's; without one the workflow's, and if it
    has none, the time it is.
    """
    stage = stage_maker(bundle, clock)
    return {scenario.id: stage(scenario) for scenario in scenarios}


def stage_maker(bundle: Bundle, clock: datetime | None = None) -> Callable[[Scenario], Stage]:
    """Makes what the trials of one scenario share; `clock` as for `stages`."""
    clock = clock or bundle.clock or datetime.now(UTC)
    free, let_through = tuple(bundle.workflow.may_change), frozenset(bundle.workflow.passthrough)
    stage = staging(bundle.start, bundle.schema, clock, let_through, free, bundle.workflow.tools)
    return lambda scenario: stage(scenario, bundle.digests(scenario))


def tasks(
    run: str, agent: str, workflow: str, prepared: Mapping[str, Stage], trials: range, limits: Limits
) -> Iterator[Task]:
    """One task a scenario and trial; first trials of all scenarios come first."""
    for trial in trials:
        for item, stage in prepared.items():
            key = EpisodeKey(run, agent, item, trial)
            yield Task(key, stage, seed_of(workflow, item, trial, key.condition), limits=limits)


def files_digest(bundle: Bundle, items: Iterable[str]) -> str:
    """A digest of everything that the episodes of these scenarios depend on."""
    digests = [repr(bundle.digests(bundle.scenarios[item])) for item in items if item in bundle.scenarios]
    return hashlib.sha256("\n".join(digests).encode()).hexdigest()


def agent_of(
    bundle: Bundle,
    spec: str | object | None,
    access: ModelAccess = ModelAccess(),
    instrumented: Sequence[str] = (),
    answered: Iterable[str] = (),
) -> AgentSource:
    """The agent that a spec names from the current folder, be it a YAML file that describes a service, or the agent
    itself, as an object; without one, the workflow's own. `access`: how models are asked that play without any code;
    `instrumented`: the libraries whose calls are to be traced, in all of this process. `answered`: tools that something
    else than the sandbox answers.

    Raises AgentProblem: also for an agent with a tool that neither has.
    """
    if spec is None and bundle.workflow.agent is None:
        raise AgentProblem("which agent? The workflow names none under `agent:`; give --agent file.py:name")
    instrument(instrumented)
    briefing = _briefing(bundle, access)
    if spec is None:
        source = resolve(bundle.workflow.agent, bundle.root, briefing)
    elif isinstance(spec, str) and spec.endswith((".yaml", ".yml")):
        source = resolve(_described(Path(spec)), Path.cwd())
    else:
        source = resolve(spec, Path.cwd(), briefing)
    if access.options and not isinstance(source.kind, ModelKind):
        raise AgentProblem(
            f"{' and '.join(access.options)} can't be kept for {source.version.name}: what code of its own asks of a "
            "model is not seen here, only what `openai:MODEL` does"
        )
    if instrumented and isinstance(source.kind, Remote):
        raise AgentProblem(
            f"--instrument is for agents in this process: instrument {source.version.name} where it runs, and let it "
            "send its spans (--otlp-port)"
        )
    source.check([*(tool.name for tool in bundle.start.tools), *answered], bundle.workflow.passthrough)
    return source


def _described(file: Path) -> HttpAgent:
    try:
        return read_http_agent(file)
    except Problems as error:
        raise AgentProblem(str(error)) from None


def _briefing(bundle: Bundle, access: ModelAccess) -> Briefing:
    today = datetime.now(UTC).date()

    def price(model: str, usage: Usage) -> Decimal | None:
        try:
            return price_of(model, today, bundle.prices).of(usage)
        except NotJudged:
            return None

    return Briefing(lambda: ModelClient(access, mask, price), instructions(bundle.workflow.about, bundle.knowledge))
