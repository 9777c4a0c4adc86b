"""What the commands of `turngate baseline` do."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from rich import box
from rich.table import Table

from harness.cli.exits import Exit, UserError
from harness.cli.import_runs import absent
from harness.cli.names import find_run
from harness.cli.out import console
from harness.cli.places import open_store
from harness.reports.printable import printable
from harness.reports.traces.words import many
from harness.reports.whole import Whole
from harness.runs.arriving import import_run
from harness.runs.baselines import baseline_file, baselines_for, stored_baseline
from harness.store.baselines import NamedRun
from harness.store.portable_file import SUFFIX, is_run_file
from harness.store.records import RunRecord
from harness.store.store import Store
from tools_sandbox.nearest import hint

_NAME = re.compile(r"\w[\w.-]{0,99}", re.ASCII)
_SHOWN = 10
"""Scenarios that are named."""


def set_baseline(named: str, name: str, place: str | None) -> int:
    """Name a run, which is imported first if it is a file."""
    if not _NAME.fullmatch(name):
        raise UserError(f"--name {name}: letters, digits, `.`, `_` and `-` make a name, as in `against: prod`")
    file = Path(named)
    if named.endswith(SUFFIX) or is_run_file(file):
        absent([file])
    with open_store(place, must_exist=not is_run_file(file)) as store:
        run = store.run(import_run(store, file).run) if is_run_file(file) else find_run(store, named)
        _fit(store, run, name)
        before = store.baselines.put(run.workflow, name, run.id)
    out = console()
    instead = f" instead of {before.run}" if before is not None and before.run != run.id else ""
    out.print(f"{name} of {printable(run.workflow)} is run {run.id}, {_agents(run)}{instead}", soft_wrap=True)
    if partial := run.options.get("partial"):
        out.print(
            f"it is only a part of the workflow ({printable(str(partial))}): the rest has nothing to compare with"
        )
    return Exit.PASSED


def list_baselines(place: str | None) -> int:
    """List them."""
    with open_store(place, must_exist=True) as store:
        named = store.baselines.all()
        runs = {each.run: store.run(each.run) for each in named}
    out = console()
    if not named:
        out.print("no baseline is set: turngate baseline set RUN --name prod")
        return Exit.PASSED
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in ("workflow", "name", "run", "agent", "set"):
        table.add_column(column, overflow="fold", no_wrap=column in ("name", "run", "set"))
    for each in named:
        cells = (printable(each.workflow), each.name, each.run, _agents(runs[each.run]), each.since[:10])
        table.add_row(*cells)
    out.print(Whole(table, bare=("workflow", "agent", "set")))
    return Exit.PASSED


def show_baseline(name: str, workflow: str | None, place: str | None) -> int:
    """Show it."""
    out = console()
    with open_store(place, must_exist=True) as store:
        named = _find(store, name, workflow)
        run = store.run(named.run)
        played = sum(result.state == "played" for result in store.results(run.id))
        out.print(f"{name} of {printable(named.workflow)}: run {run.id}, {_agents(run)}", soft_wrap=True)
        out.print(f"begun {run.created:%Y-%m-%d %H:%M}, {many(played, 'episode')}; set {named.since[:10]}")
        latest = next((each for each in store.runs() if each.workflow == run.workflow and not each.observed), run)
        if latest.id == run.id:
            out.print("no later run of its workflow is stored")
            return Exit.PASSED
        compared = baselines_for(store, latest.id, [stored_baseline(store, name, run)])[name]
        out.print(f"beside the latest run, {latest.id}:")
        lines = [*_by_reason("scenario", compared.changed_items), *_by_reason("metric", compared.changed_metrics)]
        for line in lines or ["all scenarios that both have, and all metrics, can be compared"]:
            out.print(f"  {line}", soft_wrap=True)
    return Exit.PASSED


def remove_baseline(name: str, workflow: str | None, place: str | None) -> int:
    """Take the name away."""
    with open_store(place, must_exist=True) as store:
        named = _find(store, name, workflow)
        store.baselines.remove(named.workflow, name)
    console().print(f"{name} of {printable(named.workflow)} is no baseline any more; run {named.run} stays")
    return Exit.PASSED


def _fit(store: Store, run: RunRecord, name: str) -> None:
    """Raise UserError for a run that nothing can be compared with."""
    if run.observed:
        raise UserError(f"run {run.id}: its conversations were observed, not played: no other run has the same ones")
    states = [result.state for result in store.results(run.id)]
    if missing := states.count("missing"):
        raise UserError(
            f"run {run.id} can't be a baseline: {many(missing, 'planned episode')} of {len(states)} are missing; "
            f"turngate run --resume {run.id}"
        )
    if not states:
        raise UserError(f"run {run.id} can't be a baseline: nothing of it was played")
    workflow = store.workflow(run.id)
    if file := baseline_file(workflow, name):
        raise UserError(
            f"the workflow names a file for the baseline {name}: turngate export {run.id} -o {file}, and commit it"
        )


def _find(store: Store, name: str, workflow: str | None) -> NamedRun:
    every = store.baselines.all()
    found = [each for each in every if each.name == name and workflow in (None, each.workflow)]
    if len(found) == 1:
        return found[0]
    if found:
        raise UserError(f"{name} is a baseline of {' and of '.join(each.workflow for each in found)}: say --workflow")
    if not every:
        raise UserError("no baseline is set: turngate baseline set RUN --name prod")
    of_it = "" if workflow is None else f" of {workflow}"
    raise UserError(f"there is no baseline {name}{of_it}; {hint(name, {each.name for each in every})}")


def _agents(run: RunRecord) -> str:
    return printable(", ".join(agent.label for agent in run.agents))


def _by_reason(what: str, changed: Mapping[str, str]) -> Iterator[str]:
    """`3 scenarios can't be compared, the policy (refunds.md) changed: a, b, c`."""
    grouped: defaultdict[str, list[str]] = defaultdict(list)
    for name, reason in changed.items():
        grouped[reason].append(name)
    for reason, names in grouped.items():
        some = ", ".join(names[:_SHOWN]) + (" …" if len(names) > _SHOWN else "")
        yield f"{many(len(names), what)} not compared, {printable(reason)}: {printable(some)}"
