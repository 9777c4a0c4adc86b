"""Two runs compared, as Markdown for a comment on a pull request: what broke first, the tables folded.

Every text that is not turngate's own stands in code, so that it can neither link, mention, format nor break a table.
"""

from __future__ import annotations

from collections.abc import Iterator

from harness.gates.changes import Change, Tally
from harness.reports.changes.page import short_commit
from harness.reports.changes.view import (
    SHOWN,
    TOLD,
    ChangesView,
    gain_text,
    groups,
    moved_metrics,
    place,
    rise_text,
    shift_texts,
)
from harness.reports.markdown_text import cell, code, row, table_head
from harness.store.records import RunRecord

_LISTED = 30
_HEADS = [change.value for change in Change]


def changes_markdown(view: ChangesView) -> str:
    """The document."""
    return "\n".join([*_head(view), *_listed(view), *_tables(view)]) + "\n"


def _head(view: ChangesView) -> Iterator[str]:
    found = view.changes.twins
    counts = [(change, sum(each.change is change for each in found)) for change in Change]
    told = ", ".join(f"{count} {change.value}" for change, count in counts if count) or "nothing to compare"
    yield f"### {code(view.second.workflow, 80)}: {told}"
    yield ""
    yield f"- before: {_run(view.first)}"
    yield f"- now: {_run(view.second)}"
    for why, items in view.changes.apart.items():
        yield f"- not compared: {code(', '.join(items))}, {code(why)}"
    for metric, what in view.changes.rescored.items():
        yield f"- not compared: {code(metric)}, scored otherwise now: {code(what)}"


def _run(run: RunRecord) -> str:
    agents = ", ".join(agent.label for agent in run.agents)
    return f"{code(run.id)} · {code(agents)}" + (f" · commit {code(short_commit(run.commit))}" if run.commit else "")


def _listed(view: ChangesView) -> Iterator[str]:
    for change in TOLD:
        found = groups(view, change)
        if not found:
            continue
        yield from ("", f"**{change.value}**", "")
        for group in found[:_LISTED]:
            yield f"- {code(group.item)} · {group.trials}" + (f": {code(group.why)}" if group.why else "")
        if len(found) > _LISTED:
            yield f"- and {len(found) - _LISTED} more"


def _tables(view: ChangesView) -> Iterator[str]:
    whole = [each for each in view.changes.cells if not place(each)[1]]
    families = [
        row([*map(cell, place(each)), *_counts(each.verdict), cell(gain_text(each.verdict))])
        for each in view.changes.cells
    ]
    metrics = [
        row([cell(place(each)[0]), cell(metric), *_counts(tally), cell(gain_text(tally))])
        for each in whole
        for metric, tally in moved_metrics(each)
    ]
    measures = [
        row(
            [
                cell(place(each)[0]),
                cell(metric),
                str(shift.n),
                *map(cell, shift_texts(metric, shift)),
                cell(rise_text(shift)),
            ]
        )
        for each in whole
        for metric in SHOWN
        if (shift := each.moved.get(metric)) is not None
    ]
    yield from _folded("Families and slices", ["family", "slice", *_HEADS, "effect (95 %)"], families)
    yield from _folded("Metrics that changed", ["family", "metric", *_HEADS, "effect (95 %)"], metrics)
    heads = ["family", "measure", "n", "p50", "p95", "mean", "change of the mean (95 %)"]
    yield from _folded("Efficiency", heads, measures)


def _folded(title: str, heads: list[str], rows: list[str]) -> Iterator[str]:
    if rows:
        yield from ("", f"<details><summary>{title}</summary>", "", *table_head(heads), *rows, "", "</details>")


def _counts(tally: Tally) -> list[str]:
    return [str(tally.counts[change] or "") for change in Change]
