"""Playing a run where somebody watches: in which processes, with a progress bar, and what is said if it ends early."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from harness.agents.loop import run
from harness.cli.out import console
from harness.cli.progress import Bar
from harness.runs.inline import Inline
from harness.runs.local.orders import Load
from harness.runs.local.supervisor import Local
from harness.runs.prepare import agent_of
from harness.runs.rehearse import Finished, Settings, rehearse
from harness.store.records import RunRecord
from harness.store.store import Store
from harness.workflow.bundle import Bundle


def executor_for(bundle: Bundle, workflow: Path, agent: str | None, workers: int) -> Inline | Local:
    """What plays with that many worker processes; with none, the calling process does.

    Raises AgentProblem for an agent that can't be found, if it is this process that has to find it.
    """
    if workers == 0:
        return Inline(agent_of(bundle, agent))
    return Local(Load(str(workflow.absolute()), agent), workers)


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
        async with executor if isinstance(executor, Local) else nullcontext():
            return await rehearse(bundle, executor, store, settings, bar, resumed=resumed)

    try:
        with bar.shown:
            return run(played())
    except KeyboardInterrupt:
        console(stderr=True).print(f"interrupted: {_kept(bar, go_on)}")
        raise
    except Exception:
        if bar.done:
            console(stderr=True).print(f"turngate: the run could not go on: {_kept(bar, go_on)}")
        raise


def _kept(bar: Bar, go_on: Sequence[str]) -> str:
    if bar.run is None:
        return "no episode was played yet, so nothing is kept"
    return (
        f"{bar.done} of {bar.planned} episodes are kept in run {bar.run}\n"
        f"  {shlex.join([*go_on, bar.run])}    go on\n"
        f"  turngate gate {bar.run}    what they say so far\n"
        f"  turngate show {bar.run}    open one"
    )
