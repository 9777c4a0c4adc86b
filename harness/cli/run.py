"""`turngate run`: the main job."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from harness.cli.exits import Exit, UserError
from harness.cli.models import model_access
from harness.cli.out import console
from harness.cli.outputs import outputs_to, write_all
from harness.cli.places import elsewhere
from harness.cli.playing import play, versions_of
from harness.episodes.task import Limits
from harness.gates.compare import Version, compare
from harness.model.baseline import Baseline
from harness.model.episode import AgentVersion
from harness.model.failure import DISTURBANCES
from harness.model.limits import MAX_TRIALS
from harness.model.result import Decision, GateVerdict, Result
from harness.model.workflow import Workflow
from harness.reports.comparison import show_comparison
from harness.reports.comparison_json import comparison_json
from harness.reports.gather import dimensions, gather
from harness.reports.result_json import result_json
from harness.reports.run_view import RunView
from harness.reports.terminal import show_run
from harness.runs.executors import executor_for
from harness.runs.plan import Settings
from harness.runs.prepare import load_bundle
from harness.runs.resume import planned_until, still_played
from harness.runs.selection import Selection, parse_shard, parse_slices
from harness.store.places import open_store
from harness.store.records import RunRecord
from harness.store.store import Store
from harness.workflow.bundle import Bundle


@dataclass(frozen=True, slots=True)
class RunOptions:
    """The options of the command, as typed."""

    agents: tuple[str, ...] = ()
    trials: int | None = None
    only: tuple[str, ...] = ()
    slices: tuple[str, ...] = ()
    concurrency: int = 8
    fail_fast: bool = False
    turn_limit: float | None = None
    outputs: tuple[Path, ...] = ()
    store: str | None = None
    workers: int = 1
    resume: str | None = None
    record_model: Path | None = None
    replay_model: Path | None = None
    max_cost: float | None = None
    otlp_port: int | None = None
    instrument: tuple[str, ...] = ()
    shard: str | None = None
    until_decided: bool = False
    max_trials: int | None = None
    annotations: str | None = None


def run(workflow: Path | None, options: RunOptions) -> int:
    """Play a workflow against an agent, or against several one after the other, and print what came of it and how they
    compare; gives the exit code, of several the worst.
    """
    outputs = outputs_to(options.outputs, options.annotations)
    try:
        shard = None if options.shard is None else parse_shard(options.shard)
        selection = Selection(options.only, parse_slices(options.slices), shard)
    except ValueError as error:
        raise UserError(str(error)) from None
    if options.otlp_port and options.workers > 1:
        raise UserError(
            f"--otlp-port {options.otlp_port}: only one process can listen there; leave --workers out, or give 0, with "
            "which each worker takes a port that is free and tells the agent"
        )
    check_until_decided(options)
    # What a run to go on with may take is in its plan, which was held against the gate when it was begun.
    most = options.max_trials if options.resume is None else MAX_TRIALS
    bundle = load_bundle(workflow or Path(), options.trials, most)
    planned = options.trials or bundle.workflow.trials
    if options.max_trials is not None and options.max_trials < planned:
        raise UserError(f"--max-trials {options.max_trials}: {planned} trials of each scenario are planned already")
    settings = Settings(
        selection,
        options.trials,
        options.concurrency,
        options.fail_fast,
        Limits() if options.turn_limit is None else Limits(turn_seconds=options.turn_limit),
        replayed=options.replay_model is not None,
        max_trials=options.max_trials,
        max_cost=None if options.max_cost is None else Decimal(str(options.max_cost)),
    )
    asked = model_access(options.record_model, options.replay_model, options.max_cost)
    with open_store(options.store) as store, asked as shared:
        resumed = resumable(store, options, bundle) if options.resume is not None else None
        until = options.until_decided or (resumed is not None and planned_until(resumed) is not None)
        access = replace(shared, measured=until)
        agents: tuple[str | None, ...] = options.agents or (None,)
        executors = [
            executor_for(
                bundle, workflow or Path(), agent, options.workers, access, options.otlp_port, options.instrument
            )
            for agent in agents
        ]
        if len(executors) > 1:
            hold_apart(options.agents, versions_of(executors))
        played: list[tuple[RunView, Version]] = []
        try:
            for agent, executor in zip(agents, executors, strict=True):
                go_on = how_to_go_on(workflow, options, agent)
                with naming_the_rest(options.agents[len(played) + 1 :]):
                    finished = play(bundle, executor, store, settings, resumed, go_on)
                said = [*finished.said, *elsewhere(options.store)]
                view = gather(store, finished.run.id, bundle.workflow, finished.verdict, finished.results, said)
                show_run(console(), view, dimensions())
                played.append((view, version_of(view, store.run(view.run), finished.baselines)))
        finally:  # an interruption of one version loses nothing of those before it
            if played:
                write_all(outputs, [view for view, _ in played], compared(bundle.workflow, played))
    return worst(exit_code(view.verdict, view.results) for view, _ in played)


@contextmanager
def naming_the_rest(agents: Sequence[str]) -> Iterator[None]:
    """Says of these agents that they were not begun, where Ctrl-C ends what is played before them."""
    try:
        yield
    except KeyboardInterrupt:
        if agents:
            named = shlex.join(part for agent in agents for part in ("--agent", agent))
            console(stderr=True).print(f"not begun: {named}", soft_wrap=True)
        raise


def check_until_decided(options: RunOptions) -> None:
    """Raise UserError for options on going on until rules are decided that can't be meant."""
    if options.max_trials is not None and not options.until_decided and options.resume is None:
        raise UserError("--max-trials goes with --until-decided; for a fixed number of trials, --trials")
    if not options.until_decided or options.resume is not None:
        return
    if options.max_trials is None:
        raise UserError("--until-decided needs --max-trials: how many trials of a scenario it may take at most")
    if options.replay_model is not None:
        raise UserError("--until-decided plays further trials, and recorded answers (--replay-model) are no new ones")
    if options.shard is not None:
        raise UserError("--until-decided looks at all results of a run: leave --shard out, or play --trials")


def version_of(view: RunView, run: RunRecord, baselines: Mapping[str, Baseline]) -> Version:
    """What is compared of a run."""
    return Version(
        view.agent,
        run.id,
        view.results,
        view.verdict,
        deterministic=run.deterministic,
        day=run.day,
        baselines=baselines,
    )


def compared(workflow: Workflow, played: Sequence[tuple[RunView, Version]]) -> dict[str, Any]:
    """The result as JSON; of several versions, how they compare, which is printed too."""
    views = [view for view, _ in played]
    if len(views) == 1:
        return result_json(views[0])
    families = compare(workflow, [version for _, version in played])
    show_comparison(console(), views, families)
    return comparison_json(views, families)


def hold_apart(agents: Sequence[str], versions: Sequence[AgentVersion]) -> None:
    """Raise UserError where two agents are one: nothing could tell their episodes apart."""
    first: dict[str, str] = {}
    for agent, version in zip(agents, versions, strict=True):
        if version.label in first:
            raise UserError(
                f"--agent {first[version.label]} and --agent {agent} are the same version: {version.label}; name "
                "different ones, or give one a `__version__` (a service: `version:`)"
            )
        first[version.label] = agent


def resumable(store: Store, options: RunOptions, bundle: Bundle) -> RunRecord:
    """The run to go on with. Raises UserError where it is none of this workflow's, or something is asked for that its
    plan has settled.
    """
    settled = {
        "--trials": options.trials,
        "--only": options.only,
        "--slice": options.slices,
        "--shard": options.shard,
        "--until-decided": options.until_decided,
        "--max-trials": options.max_trials,
        "--turn-limit": options.turn_limit,
    }
    if given := [name for name, value in settled.items() if value]:
        raise UserError(f"--resume goes on with the plan of the run: leave {' and '.join(given)} out")
    if len(options.agents) > 1:
        raise UserError("--resume goes on with one run: name the one --agent that it is of")
    record = store.latest() if options.resume == "latest" else store.run(options.resume or "")
    if record is None:
        raise UserError("--resume latest: there is no run yet")
    if record.observed:
        raise UserError(
            f"--resume {record.id}: its conversations were observed, not played: `turngate score` them again"
        )
    if record.workflow != bundle.workflow.workflow:
        raise UserError(f"--resume {record.id}: it is a run of the workflow {record.workflow}")
    if still_played(record):
        raise UserError(f"--resume {record.id}: it is still being played")
    return record


def how_to_go_on(workflow: Path | None, options: RunOptions, agent: str | None) -> list[str]:
    """The command that goes on with an agent's run, but for its id."""
    usual = RunOptions()
    given: dict[str, object] = {
        "--agent": agent,
        "--workers": options.workers if options.workers != usual.workers else None,
        "--concurrency": options.concurrency if options.concurrency != usual.concurrency else None,
        "--store": options.store,
        "--record-model": options.record_model,
        "--replay-model": options.replay_model,
        "--max-cost": options.max_cost,
        "--otlp-port": options.otlp_port,
        "--instrument": ",".join(options.instrument) or None,
    }
    named = [part for name, value in given.items() if value is not None for part in (name, str(value))]
    named += [part for output in options.outputs for part in ("--output", str(output))]
    return ["turngate", "run", *([str(workflow)] if workflow else []), *named, "--resume"]


def exit_code(verdict: GateVerdict, results: Sequence[Result]) -> Exit:
    """What a run comes to. Missing episodes outrank an undecided gate, a failed rule outranks both. A part of a
    workflow is no gate, so there is nothing to be undecided about, but for what an outage or a fault of turngate's own
    (X2, X5) kept from being judged.
    """
    if verdict.decision is Decision.FAILED:
        return Exit.FAILED
    if any(result.state == "missing" for result in results):
        return Exit.MISSING
    if verdict.decision is Decision.PASSED:
        return Exit.PASSED
    disturbed = any(result.code in DISTURBANCES for result in results)
    return Exit.PASSED if verdict.partial is not None and not disturbed else Exit.UNDECIDED


_WORST_FIRST = (Exit.FAILED, Exit.MISSING, Exit.UNDECIDED, Exit.PASSED)


def worst(codes: Iterable[Exit]) -> Exit:
    """What several runs come to."""
    return min(codes, key=_WORST_FIRST.index)
