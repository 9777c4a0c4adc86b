"""A workflow's runs over time in the terminal: the runs, and a sparkline for each metric of each family."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from harness.model.result import Decision
from harness.reports.changes.page import short_commit
from harness.reports.history.history import History, Point, Row
from harness.reports.history.sparkline import BLOCKS, Letters, level, span
from harness.reports.printable import printable
from harness.reports.terminal import MARKS, QUIET, report_table
from harness.reports.whole import Whole
from harness.reports.wording import missing_text, value_text


def history_page(found: History, letters: Letters) -> Iterator[RenderableType]:
    """All of it, in pieces."""
    yield Text.assemble((printable(found.workflow), "bold"), f": {_many(len(found.points), 'run')}, the oldest first")
    if found.points:
        yield _runs(found.points, letters)
        yield from _cuts(found.points)
        yield _metrics(found, letters)
        cut = any(row.cuts for row in found.rows)
        yield Text(_legend(letters, cut=cut), style=QUIET)
    if found.observed:
        left = f"left out: {_many(found.observed, 'run')} over observed conversations, no two of which have the same"
        yield Text(left, style="yellow")


def _runs(points: Sequence[Point], letters: Letters) -> RenderableType:
    table = report_table("Runs")
    table.add_column("", justify="right", no_wrap=True)
    for name in ("run", "begun", "gate"):
        table.add_column(name, no_wrap=True)
    table.add_column("agent", overflow="fold")
    table.add_column("commit", no_wrap=True)
    before: Point | None = None
    for number, point in enumerate(points, 1):
        run = point.run
        agent = point.agent if before is None or point.agent != before.agent else ""
        commit = run.commit if before is None or run.commit != before.run.commit else None
        table.add_row(
            str(number),
            run.id,
            f"{run.created:%Y-%m-%d %H:%M}",
            _gate(point, letters),
            printable(agent),
            short_commit(commit) if commit else "",
        )
        before = point
    return Whole(table, lead=2, bare=("begun", "gate", "agent"))


def _gate(point: Point, letters: Letters) -> Text:
    mark, style = MARKS[point.verdict.decision]
    decision = f"{mark} {point.verdict.decision.value}" if letters is BLOCKS else point.verdict.decision.value
    if "no gate" in point.marks:
        return Text(", ".join(point.marks), style="yellow")
    return Text(decision, style=style).append("".join(f", {printable(said)}" for said in point.marks), style="yellow")


def _cuts(points: Sequence[Point]) -> Iterator[Text]:
    """Why runs can't be compared with the one before them."""
    for number, point in enumerate(points, 1):
        for name, what in {**point.changed, **point.rescored}.items():
            told = f"run {number} is not comparable with the one before in {name}: {what}"
            yield Text(printable(told), style="yellow")


def _metrics(found: History, letters: Letters) -> RenderableType:
    table = report_table("Metrics")
    table.add_column("family", no_wrap=True)
    table.add_column("metric", no_wrap=True)
    table.add_column(f"runs 1 to {len(found.points)}" if len(found.points) > 1 else "run 1", no_wrap=True)
    for name in ("before", "last"):
        table.add_column(name, no_wrap=True)
    cuts = frozenset[int]().union(*(row.cuts for row in found.rows))
    family = ""
    for row in found.rows:
        last, before = row.cells[-1], row.cells[-2] if len(row.cells) > 1 else None
        table.add_row(
            printable(row.family if row.family != family else ""),
            row.metric,
            sparkline(row, found.points, cuts, letters),
            *("" if cell is None else value_text(cell, row.metric) + missing_text(cell) for cell in (before, last)),
        )
        family = row.family
    return Whole(table, lead=2)


def sparkline(row: Row, points: Sequence[Point], cuts: frozenset[int], letters: Letters) -> Text:
    """A character for each run; before a run at which any row is cut, a place for the cut. Shares stand on a scale from
    0 to 1, a measure on one from its least to its largest value. Partial and undecided runs are dim.
    """
    values = row.values
    low, high = (0.0, 1.0) if row.judged else span(values)
    text = Text()
    for at, (value, point) in enumerate(zip(values, points, strict=True)):
        if at in cuts:
            text.append(letters.cut if at in row.cuts else " ", style="yellow")
        if value is None:
            text.append(letters.hole, style="yellow")
        else:
            text.append(level(value, low, high, letters), style=_style(row, value, point))
    return text


def _style(row: Row, value: float, point: Point) -> str:
    if point.verdict.partial is not None or point.verdict.decision is Decision.UNDECIDED:
        return QUIET
    return ("green" if value == 1 else "red") if row.judged else ""


def _legend(letters: Letters, *, cut: bool) -> str:
    parts = [
        f"what passes: 0 {letters.levels} 1; a measure: from its least to its largest value",
        f"{letters.hole} a hole; grey: partial or undecided",
    ]
    if cut:
        parts.append(f"{letters.cut} what it is made of changed: not comparable with what is before")
    return "; ".join(parts)


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
