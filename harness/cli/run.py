"""`turngate run`: the main job."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from harness.cli.exits import Exit, UserError
from harness.cli.out import console
from harness.cli.places import open_store
from harness.cli.playing import executor_for, play
from harness.episodes.task import Limits
from harness.model.result import Decision, GateVerdict, Result
from harness.reports.gather import dimensions, gather
from harness.reports.result_json import write_json
from harness.reports.terminal import show_run
from harness.runs.prepare import load_bundle
from harness.runs.rehearse import Finished, Settings
from harness.runs.selection import Selection, parse_slices
from harness.store.records import RunRecord
from harness.store.store import Store
from harness.workflow.bundle import Bundle


@dataclass(frozen=True, slots=True)
class RunOptions:
    """The options of the command, as typed."""

    agent: str | None = None
    trials: int | None = None
    only: tuple[str, ...] = ()
    slices: tuple[str, ...] = ()
    concurrency: int = 8
    fail_fast: bool = False
    turn_limit: float = 120.0
    outputs: tuple[Path, ...] = ()
    store: str | None = None
    workers: int = 1
    resume: str | None = None


def run(workflow: Path | None, options: RunOptions) -> int:
    """Play a workflow against an agent and print what came of it; gives the exit code."""
    for output in options.outputs:
        if output.suffix != ".json":
            raise UserError(f"-o {output}: only .json can be written so far")
        if not os.access(output.parent, os.W_OK):
            raise UserError(f"-o {output}: there is no folder {output.parent} that can be written to")
    try:
        selection = Selection(options.only, parse_slices(options.slices))
    except ValueError as error:
        raise UserError(str(error)) from None
    bundle = load_bundle(workflow or Path(), options.trials)
    settings = Settings(
        selection, options.trials, options.concurrency, options.fail_fast, Limits(turn_seconds=options.turn_limit)
    )
    with open_store(options.store) as store:
        resumed = resumable(store, options, bundle) if options.resume is not None else None
        executor = executor_for(bundle, workflow or Path(), options.agent, options.workers)
        finished = play(bundle, executor, store, settings, resumed, how_to_go_on(workflow, options))
        view = gather(store, finished.run.id, bundle.workflow, finished.verdict, finished.results, notes(finished))
        show_run(console(), view, dimensions())
        for output in options.outputs:
            try:
                write_json(output, view)
            except OSError as error:
                raise UserError(f"-o {output}: can't be written: {error.strerror}; the run is stored") from None
    return exit_code(finished.verdict, finished.results)


def resumable(store: Store, options: RunOptions, bundle: Bundle) -> RunRecord:
    """The run to go on with. Raises UserError where it is none of this workflow's, or something is asked for that its
    plan has settled.
    """
    settled = {"--trials": options.trials, "--only": options.only, "--slice": options.slices}
    if given := [name for name, value in settled.items() if value]:
        raise UserError(f"--resume goes on with the plan of the run: leave {' and '.join(given)} out")
    record = store.latest() if options.resume == "latest" else store.run(options.resume or "")
    if record is None:
        raise UserError("--resume latest: there is no run yet")
    if record.workflow != bundle.workflow.workflow:
        raise UserError(f"--resume {record.id}: it is a run of the workflow {record.workflow}")
    return record


def how_to_go_on(workflow: Path | None, options: RunOptions) -> list[str]:
    """The command that goes on with a run, but for its id."""
    given = {"--agent": options.agent, "--store": options.store}
    named = [part for name, value in given.items() if value for part in (name, value)]
    return ["turngate", "run", *([str(workflow)] if workflow else []), *named, "--resume"]


def notes(finished: Finished) -> list[str]:
    """What has to be said beside the figures: what could not be redirected, and scenarios that are broken."""
    return [
        *finished.notes,
        *(
            f"{item} fails its own gold path: {why}; nobody is blamed for it (X3)"
            for item, why in finished.faulty.items()
        ),
    ]


def exit_code(verdict: GateVerdict, results: Iterable[Result]) -> Exit:
    """What a run comes to. Missing episodes outrank an undecided gate, a failed rule outranks both."""
    if verdict.decision is Decision.FAILED:
        return Exit.FAILED
    if any(result.state == "missing" for result in results):
        return Exit.MISSING
    if verdict.partial is not None or verdict.decision is Decision.PASSED:
        return Exit.PASSED
    return Exit.UNDECIDED
