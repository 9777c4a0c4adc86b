"""Playing a run where somebody watches: with a progress bar, and what is said if it ends early."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from harness.agents.loop import run
from harness.cli.out import console
from harness.cli.progress import Bar
from harness.model.episode import AgentVersion
from harness.runs.executors import opened
from harness.runs.inline import Inline
from harness.runs.local.supervisor import Local
from harness.runs.plan import Settings
from harness.runs.rehearse import Finished, rehearse
from harness.store.problem import StoreLost, StoreProblem
from harness.store.records import RunRecord
from harness.store.store import Store
from harness.workflow.bundle import Bundle


def versions_of(executors: Sequence[Inline | Local]) -> list[AgentVersion]:
    """Which agents these are, found out before anything is played. Raises AgentProblem for the first that is none."""

    async def found() -> list[AgentVersion]:
        versions = []
        for executor in executors:
            async with opened(executor):
                versions.append(await executor.version())
        return versions

    return run(found())


def play(
    bundle: Bundle,
    executor: Inline | Local,
    store: Store,
    settings: Settings,
    resumed: RunRecord | None,
    go_on: Sequence[str],
) -> Finished:
    """Play with a progress bar on stderr. Whatever ends the run early leaves what was played in the store, and it is
    said how to look at it, and how to go on: by the command `go_on` with the run's id behind it.
    """
    bar = Bar()

    async def played() -> Finished:
        async with opened(executor):
            return await rehearse(bundle, executor, store, settings, bar, resumed=resumed)

    try:
        with bar.shown:
            return run(played())
    except KeyboardInterrupt:
        console(stderr=True).print(f"interrupted: {_kept(bar, store, go_on)}", soft_wrap=True)
        raise
    except StoreLost:  # nothing is kept, and the error says so
        raise
    except Exception:
        if bar.done:
            console(stderr=True).print(f"turngate: the run could not go on: {_kept(bar, store, go_on)}", soft_wrap=True)
        raise


def _kept(bar: Bar, store: Store, go_on: Sequence[str]) -> str:
    if bar.run is None:
        return "no episode was played yet, so nothing is kept"
    try:  # what a worker stored last it may not have had the time to tell
        kept = sum(result.state == "played" for result in store.results(bar.run))
    except StoreProblem:
        kept = bar.done
    where = go_on[go_on.index("--store") :][:2] if "--store" in go_on else []
    return (
        f"{kept} of {bar.planned} episodes are kept in run {bar.run}\n"
        f"  {shlex.join([*go_on, bar.run])}    go on\n"
        f"  {shlex.join(['turngate', 'gate', bar.run, *where])}    what they say so far\n"
        f"  {shlex.join(['turngate', 'show', bar.run, *where])}    open one"
    )
