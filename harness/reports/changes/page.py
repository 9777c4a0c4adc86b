"""Two runs in the terminal: what broke and what was fixed, family by family, and how far the measures moved."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from harness.gates.changes import Change, Tally
from harness.reports.changes.view import (
    SHOWN,
    TOLD,
    ChangesView,
    Group,
    gain_text,
    groups,
    moved_metrics,
    place,
    rise_text,
    shift_texts,
)
from harness.reports.printable import one_line, printable
from harness.reports.terminal import QUIET, report_table
from harness.reports.whole import Whole, command
from harness.store.records import RunRecord

STYLES = {
    Change.BROKEN: ("✖", "red"),
    Change.FIXED: ("✔", "green"),
    Change.STILL_FAILING: ("✖", QUIET),
    Change.STILL_PASSING: ("✔", QUIET),
    Change.NOT_JUDGED: ("?", "yellow"),
}
_LISTED = 20
"""Scenarios of one kind that are listed."""
_ITEMS = 8
"""Scenarios that are named where they are not compared."""


def changes_page(view: ChangesView) -> Iterator[RenderableType]:
    """All of it, in pieces."""
    yield Text.assemble((view.second.workflow, "bold"), f" · {_sum(view)}")
    yield run_line("- ", "red", view.first, view.first.id)
    yield run_line("+ ", "green", view.second, view.second.id)
    yield from _apart(view)
    if view.changes.cells:
        yield _families(view)
        yield from _metrics(view)
        yield from _measures(view)
        yield Text(_legend(view), style=QUIET)
    for change in TOLD:
        yield from _listed(view, change)


def _sum(view: ChangesView) -> str:
    found = view.changes.twins
    counts = {change: sum(each.change is change for each in found) for change in Change}
    told = ", ".join(f"{count} {change.value}" for change, count in counts.items() if count)
    return f"{len(found)} pairs of episodes" + (f": {told}" if told else "")


def run_line(mark: str, style: str, run: RunRecord, name: str) -> Text:
    """A side of a comparison: what it is named, the agent, when, the commit."""
    agents = ", ".join(agent.label for agent in run.agents)
    commit = f" · commit {short_commit(run.commit)}" if run.commit else ""
    return Text.assemble((mark, style), printable(f"{name} · {agents} · {run.created:%Y-%m-%d %H:%M}{commit}"))


def short_commit(commit: str) -> str:
    """The first letters of a commit, with its `+`."""
    return commit[:10] + commit[40:] if len(commit) > 40 else commit[:10]


def _apart(view: ChangesView) -> Iterator[Text]:
    for why, items in view.changes.apart.items():
        some = ", ".join(items[:_ITEMS]) + (" …" if len(items) > _ITEMS else "")
        many = "scenario" if len(items) == 1 else "scenarios"
        yield Text(printable(f"not compared: {len(items)} {many}, {why} ({some})"), style="yellow")
    for metric, what in view.changes.rescored.items():
        yield Text(printable(f"not compared: {metric}, scored otherwise now ({what})"), style="yellow")


def _families(view: ChangesView) -> RenderableType:
    table = report_table("Changes")
    table.add_column("family", no_wrap=True)
    table.add_column("slice", no_wrap=True)
    for change in Change:
        table.add_column(change.value, justify="right", no_wrap=True)
    table.add_column("effect", no_wrap=True)
    before = ""
    for cell in view.changes.cells:
        family, of = place(cell)
        named = "" if family == before else family
        table.add_row(printable(named), printable(of), *_counts(cell.verdict), gain_text(cell.verdict))
        before = family
    return Whole(table, lead=2, bare=("slice",))


def _counts(tally: Tally) -> Iterator[Text]:
    for change in Change:
        count = tally.counts[change]
        yield Text(str(count) if count else "", style=STYLES[change][1])


def _metrics(view: ChangesView) -> Iterator[RenderableType]:
    """The metrics that changed, family by family: slices are in the JSON."""
    table = report_table("By metric")
    for name in ("family", "metric"):
        table.add_column(name, no_wrap=True)
    for change in Change:
        table.add_column(change.value, justify="right", no_wrap=True)
    table.add_column("effect", no_wrap=True)
    for cell in view.changes.cells:
        family, of = place(cell)
        for metric, tally in [] if of else moved_metrics(cell):
            table.add_row(printable(family), printable(metric), *_counts(tally), gain_text(tally))
    if table.row_count:
        yield Whole(table, lead=2)


def _measures(view: ChangesView) -> Iterator[RenderableType]:
    table = report_table("Efficiency")
    for name in ("family", "measure", "n", "p50", "p95", "mean", "change of the mean"):
        table.add_column(name, no_wrap=True, justify="right" if name == "n" else "left")
    for cell in view.changes.cells:
        family, of = place(cell)
        for metric in SHOWN if not of else ():
            if (shift := cell.moved.get(metric)) is None:
                continue
            n = Text(str(shift.n)).append(f" {shift.missing}?" if shift.missing else "", style="yellow")
            table.add_row(printable(family), metric, n, *shift_texts(metric, shift), rise_text(shift))
    if table.row_count:
        yield Whole(table, lead=2)


def _legend(view: ChangesView) -> str:
    parts = ["effect: what passes, in percentage points, with its 95 % interval over these scenarios"]
    if any(shift.missing for cell in view.changes.cells for shift in cell.moved.values()):
        parts.append("n? not known in n")
    parts.append("change of the mean: paired, with its 95 % interval")
    if any(cell.verdict.exact for cell in view.changes.cells):
        parts.append("exact: all trials that were played agreed, with either version")
    return " · ".join(parts)


def _listed(view: ChangesView, change: Change) -> Iterator[RenderableType]:
    found = groups(view, change)
    mark, style = STYLES[change]
    if found:
        yield Text(change.value, style="bold")
    for group in found[:_LISTED]:
        yield Text.assemble((f"{mark} ", style), (printable(group.item), "bold"), (f" · {group.trials}", QUIET))
        if why := group.why:
            yield Text(f"  {one_line(why, 240)}")
        if change in (Change.BROKEN, Change.FIXED):
            yield command(f"  {_opening(view, group)}", "cyan")
    if len(found) > _LISTED:
        yield Text(f"and {len(found) - _LISTED} more: -o changes.json has all", style=QUIET)


def _opening(view: ChangesView, group: Group) -> str:
    return f"turngate compare {view.first.id} {view.second.id} --episode {printable(group.episode)}"
