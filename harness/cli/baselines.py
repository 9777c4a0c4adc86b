"""What the commands of `turngate baseline` do."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from rich import box
from rich.table import Table

from harness.cli.exits import Exit, UserError
from harness.cli.import_runs import absent
from harness.cli.names import find_run
from harness.cli.out import console
from harness.model.baseline import baseline_file
from harness.model.result import Decision
from harness.reports.printable import printable
from harness.reports.traces.words import many
from harness.reports.whole import Whole
from harness.reports.wording import verdict_words
from harness.runs.arriving import import_run
from harness.runs.baselines import KnownBaseline, baselines_for, known_baselines
from harness.runs.decided import decided
from harness.store.baselines import NamedRun
from harness.store.places import open_store
from harness.store.portable_file import SUFFIX, is_run_file
from harness.store.records import RunRecord
from harness.store.store import Store
from tools_sandbox.nearest import hint

B = TypeVar("B", KnownBaseline, NamedRun)

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
        _warn(store, run)
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
    """List them, those of files too, which go before names of the store."""
    with open_store(place, must_exist=True) as store:
        known = known_baselines(store)
    out = console()
    if not known:
        out.print("no baseline is set: turngate baseline set RUN --name prod")
        return Exit.PASSED
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in ("workflow", "name", "run", "agent", "where"):
        table.add_column(column, overflow="fold", no_wrap=column in ("name", "run"))
    for each in known:
        run, agents = ("", "") if each.baseline is None else (each.baseline.run.id, _agents(each.baseline.run))
        where = each.where + ("" if each.used else ": not used, the workflow names a file")
        table.add_row(*map(printable, (each.workflow, each.name, run, agents, where)))
    out.print(Whole(table, bare=("workflow", "agent", "where")))
    return Exit.PASSED


def show_baseline(name: str, workflow: str | None, place: str | None) -> int:
    """Show the one that a gate compares with: of a file, where the workflow names one, else of the store."""
    out = console()
    with open_store(place, must_exist=True) as store:
        found = _chosen([each for each in known_baselines(store) if each.used], name, workflow)
        if found.baseline is None:
            raise UserError(
                f"the file of baseline {name} of {found.workflow} is missing: looked at {found.file}; "
                f"turngate export RUN -o {found.file}"
            )
        run = found.baseline.run
        played = sum(result.state == "played" for result in found.baseline.results)
        out.print(f"{name} of {printable(found.workflow)}: run {run.id}, {_agents(run)}", soft_wrap=True)
        out.print(
            f"begun {run.created:%Y-%m-%d %H:%M}, {many(played, 'episode')}; {printable(found.where)}", soft_wrap=True
        )
        latest = next((each for each in store.runs() if each.workflow == run.workflow and not each.observed), run)
        if latest.id == run.id:
            out.print("no later run of its workflow is stored")
            return Exit.PASSED
        compared = baselines_for(store, latest.id, [found.baseline])[name]
        out.print(f"beside the latest run, {latest.id}:")
        lines = [*_by_reason("scenario", compared.changed_items), *_by_reason("metric", compared.changed_metrics)]
        for line in lines or ["all scenarios that both have, and all metrics, can be compared"]:
            out.print(f"  {line}", soft_wrap=True)
    return Exit.PASSED


def remove_baseline(name: str, workflow: str | None, place: str | None) -> int:
    """Take the name away."""
    with open_store(place, must_exist=True) as store:
        named = _chosen(store.baselines.all(), name, workflow)
        store.baselines.remove(named.workflow, name)
    console().print(f"{name} of {printable(named.workflow)} is no baseline any more; run {named.run} stays")
    return Exit.PASSED


def _warn(store: Store, run: RunRecord) -> None:
    """Say on stderr that a run that did not pass is about to be what others are held against."""
    verdict = decided(store, run).verdict
    if verdict.partial is None and verdict.decision is not Decision.PASSED:
        said = verdict_words(verdict)
        console(stderr=True).print(
            f"warning: run {run.id}: {said.words}{said.why}; what it does wrong, later runs may do as well",
            style="yellow",
            soft_wrap=True,
        )


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


def _chosen(every: Sequence[B], name: str, workflow: str | None) -> B:
    """The one of that name. Raises UserError where there is none, or more than one."""
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
