"""`turngate traces list`: which traces there are."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import islice

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from harness.cli.exits import Exit
from harness.cli.out import console
from harness.cli.traces_names import none_fits
from harness.reports.printable import one_line, short
from harness.reports.traces.page import STATUS_STYLES
from harness.reports.traces.search import Filters, find
from harness.reports.traces.trace import Trace
from harness.reports.traces.words import duration, lasted, moment
from harness.reports.whole import Whole
from harness.store.places import open_store


def list_traces(filters: Filters, limit: int, as_json: bool, place: str | None) -> int:
    """Print them, the latest first; `limit` 0 is all."""
    out = console()
    with open_store(place, must_exist=True) as store:
        found = find(store, filters)
        shown = islice(found, limit) if limit else found
        if as_json:
            _as_json(out, shown)
            return Exit.PASSED
        traces = list(shown)
        if not traces:
            out.print(none_fits(store, filters))
            return Exit.PASSED
        out.print(_table(traces))
        if next(found, None) is not None:
            out.print(f"the latest {limit}; --limit 0 shows all", style="bright_black")
    return Exit.PASSED


def _as_json(out: Console, traces: Iterable[Trace]) -> None:
    between = "["
    for trace in traces:
        out.out(f"{between}{json.dumps(trace.figures, ensure_ascii=True)}")
        between = ","
    out.out("]" if between == "," else "[]")


def _table(traces: Iterable[Trace]) -> Whole:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("trace", no_wrap=True)
    for column in ("begun (UTC)", "status", "turns", "calls", "failed", "took", "agent", "about"):
        right = column in ("turns", "calls", "failed", "took")
        folds = column in ("agent", "about")
        table.add_column(column, overflow="fold", justify="right" if right else "left", no_wrap=not folds)
    for trace in traces:
        table.add_row(
            Text(trace.id if trace.episode is None else short(trace.id)),
            moment(trace.started)[:16],
            _status(trace),
            str(trace.turns),
            str(trace.tool_calls),
            Text(str(trace.errors), style="red") if trace.errors else "",
            duration(lasted(round(trace.started * 1e9), round(trace.ended * 1e9))),
            one_line(", ".join(trace.agents), 40),
            one_line(trace.name or ", ".join(trace.tools) or ", ".join(trace.files), 40),
        )
    return Whole(table, bare=("begun (UTC)", "status", "took", "agent", "about"))


def _status(trace: Trace) -> Text:
    shown = Text(trace.status, style=STATUS_STYLES[trace.status])
    if trace.verdict:
        shown = Text(trace.verdict.replace("_", " "), style=STATUS_STYLES.get(trace.verdict, "")).append(
            f" ({trace.status})" if trace.status != "ok" else "", style=STATUS_STYLES[trace.status]
        )
    return shown
