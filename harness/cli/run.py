"""`turngate run`: the main job."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from harness.agents.source import AgentSource
from harness.cli.exits import Exit, UserError
from harness.cli.out import console
from harness.cli.places import open_store
from harness.episodes.task import Limits
from harness.model.episode import Episode
from harness.model.result import Decision, GateVerdict, Result
from harness.model.score import Scored
from harness.model.status import Status
from harness.reports.gather import dimensions, gather
from harness.reports.result_json import write_json
from harness.reports.terminal import show_run
from harness.runs.prepare import agent_of, load_bundle
from harness.runs.rehearse import Finished, Settings, rehearse
from harness.runs.rehearse import Progress as RunProgress
from harness.runs.selection import Selection, parse_slices
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
    source = agent_of(bundle, options.agent)
    settings = Settings(
        selection, options.trials, options.concurrency, options.fail_fast, Limits(turn_seconds=options.turn_limit)
    )
    with open_store(options.store) as store:
        finished = play(bundle, source, store, settings)
        view = gather(
            store, finished.run.id, bundle.workflow, finished.verdict, finished.results, notes(source, finished)
        )
        show_run(console(), view, dimensions())
        for output in options.outputs:
            try:
                write_json(output, view)
            except OSError as error:
                raise UserError(f"-o {output}: can't be written: {error.strerror}; the run is stored") from None
    return exit_code(finished.verdict, finished.results)


def play(bundle: Bundle, source: AgentSource, store: Store, settings: Settings) -> Finished:
    """Play with a progress bar on stderr. Whatever ends the run early leaves what was played in the store, and it is
    said how to look at it.
    """
    bar = _Bar()
    try:
        with bar.shown:
            return asyncio.run(rehearse(bundle, source, store, settings, bar))
    except KeyboardInterrupt:
        console(stderr=True).print(f"interrupted: {_kept(bar)}")
        raise
    except Exception:
        if bar.done:
            console(stderr=True).print(f"turngate: the run could not go on: {_kept(bar)}")
        raise


def _kept(bar: _Bar) -> str:
    if bar.run is None:
        return "no episode was played yet, so nothing is kept"
    told = f"{bar.done} of {bar.planned} episodes are kept in run {bar.run}"
    return f"{told}\n  turngate gate {bar.run}    what they say so far\n  turngate show {bar.run}    open one"


def notes(source: AgentSource, finished: Finished) -> list[str]:
    """What has to be said beside the figures: what could not be redirected, and scenarios that are broken."""
    return [
        *source.notes,
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


class _Bar(RunProgress):
    """The progress bar: episodes, rate, failures so far."""

    def __init__(self) -> None:
        self.run: str | None = None
        self.planned = self.done = 0
        self._failed = self._not_judged = 0
        place = console(stderr=True)
        self.shown = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeElapsedColumn(),
            TextColumn("{task.fields[failures]}"),
            console=place,
            transient=True,
            disable=not place.is_terminal,
        )
        self._task = self.shown.add_task("gold paths", total=None, rate="", failures="")

    def begins(self, run: str, planned: int) -> None:
        self.run, self.planned = run, planned
        self.shown.reset(self._task, total=planned, description="episodes")

    def played(self, episode: Episode, scored: Scored) -> None:
        self.done += 1
        self._failed += scored.verdict.status is Status.FAILED
        self._not_judged += scored.verdict.status is Status.NOT_JUDGED
        elapsed = self.shown.tasks[0].elapsed or 0
        failures = f"{self._failed} failed" + (f", {self._not_judged} not judged" if self._not_judged else "")
        rate = f"{self.done / elapsed:.0f}/s" if elapsed else ""
        self.shown.update(self._task, completed=self.done, rate=rate, failures=failures)

    def spared(self, count: int) -> None:
        self.shown.update(self._task, completed=self.done + count)
