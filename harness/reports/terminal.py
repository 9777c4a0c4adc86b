"""A run in the terminal: the map, the gate rule by rule, the failures and how to open them."""

from __future__ import annotations

from collections.abc import Iterable

from rich import box
from rich.console import Console, Group, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from harness.model.failure import CODES
from harness.model.result import Decision, GateVerdict, RuleResult
from harness.model.status import Status
from harness.reports.printable import one_line, printable, short
from harness.reports.run_view import Failure, RunView
from harness.reports.scenario_map import Cell, JudgedCell, ScenarioMap

HOLE = "·"
_MARKS = {
    Decision.PASSED: ("✔", "green"),
    Decision.FAILED: ("✖", "red"),
    Decision.UNDECIDED: ("?", "yellow"),
    Decision.SKIPPED: ("-", "bright_black"),
}
_DIMENSIONS = {"context_retention": "context", "safety": "safety", "task_success": "task"}


def show_run(console: Console, view: RunView, dimensions: dict[str, str]) -> None:
    """Print all of it. `dimensions`: metric to dimension, in the order that the columns stand in."""
    console.print(_heading(view))
    console.print(_map(view.map, dimensions))
    console.print(*_gate(view.verdict), sep="\n")
    if view.failures:
        console.print(*_failures(view), sep="\n")
    for note in view.notes:
        console.print(Text(f"note: {printable(note)}", style="yellow"))
    console.print(verdict_line(view))


def verdict_line(view: RunView) -> Text:
    """The one line that matters: what the gate says."""
    verdict = view.verdict
    if verdict.partial and verdict.decision is not Decision.FAILED:
        return Text(f"{view.workflow}: partial: no gate ({printable(verdict.partial)})", style="bold yellow")
    counted = [rule for rule in verdict.rules if rule.decides]
    of = f"{sum(rule.decision is verdict.decision for rule in counted)} of {len(counted)} rules"
    words = {
        Decision.PASSED: ("gate passed", "bold green", ""),
        Decision.FAILED: ("gate failed", "bold red", f" · {of} failed"),
        Decision.UNDECIDED: ("undecided", "bold yellow", f" · {of} undecided: not enough evidence to ship on"),
        Decision.SKIPPED: ("no gate", "bold yellow", ""),
    }
    text, style, rest = words[verdict.decision]
    return Text.assemble((f"{view.workflow} · {printable(view.agent)}: ", "bold"), (text, style), rest)


def _heading(view: RunView) -> RenderableType:
    trials = f"{view.scenarios} scenarios x {view.trials} trial{'s' if view.trials > 1 else ''}"
    title = Text.assemble(
        (view.workflow, "bold"), " · ", (printable(view.agent), "bold"), f" · {trials}"
    )
    return Group(
        Rule(style="bright_black"),
        title,
        Text(f"run {view.run} · {view.agent_seconds:.1f} s with the agent", style="bright_black"),
    )


def _map(found: ScenarioMap, dimensions: dict[str, str]) -> RenderableType:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title="Scenario map", title_justify="left", title_style="bold")
    table.add_column("family", no_wrap=True)
    table.add_column("n", justify="right")
    for metric in found.metrics:
        dimension = dimensions.get(metric, "")
        head = _DIMENSIONS.get(dimension, dimension)
        name = metric.removeprefix(f"{dimension}.")
        table.add_column(Text(f"{head}\n{name}", justify="right"), justify="right")
    for family in found.families:
        played, planned = found.played[family], found.planned[family]
        count = str(played) if played == planned else f"{played}/{planned}"
        table.add_row(family, count, *(_cell(found.cells.get((family, metric)), metric) for metric in found.metrics))
    empty = [name for name in _all_dimensions() if name not in dimensions.values()]
    legend = f"n: episodes played/planned · {HOLE} hole: nothing says anything about it · ? not judged"
    lines: list[RenderableType] = [table, Text(legend, style="bright_black")]
    if empty:
        lines.append(Text(f"not measured at all: {', '.join(empty)}", style="bright_black"))
    return Group(*lines)


def _all_dimensions() -> Iterable[str]:
    from typing import get_args

    from harness.model.score import Dimension

    return get_args(Dimension)


def _cell(cell: Cell | None, metric: str) -> Text:
    if cell is None:
        return Text(HOLE, style="yellow")
    if isinstance(cell, JudgedCell):
        style = "red" if cell.failed else "yellow" if cell.not_judged or not cell.n else "green"
        text = Text(f"{cell.passed}/{cell.n}", style=style)
        return text.append(f" {cell.not_judged}?", style="yellow") if cell.not_judged else text
    share = 0.5 if metric in ("turns", "tool_calls") else 0.95
    value = cell.quantile(share)
    text = Text(HOLE, style="yellow") if value is None else Text(_figure(value, cell.unit))
    return text.append(f" {cell.missing}?", style="yellow") if cell.missing else text


def _figure(value: float, unit: str) -> str:
    if unit == "s":
        return f"{value * 1000:.0f} ms" if value < 1 else f"{value:.1f} s"
    if unit == "USD":
        return f"${value:.4f}".rstrip("0").rstrip(".")
    return f"{value:g}"


def _gate(verdict: GateVerdict) -> list[RenderableType]:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title="Gate", title_justify="left", title_style="bold")
    for name in ("", "rule", "where"):
        table.add_column(name, no_wrap=True)
    table.add_column("figure", justify="right", no_wrap=True)
    table.add_column("limit", no_wrap=True)
    table.add_column("n", justify="right")
    table.add_column("why", overflow="fold")
    for rule in verdict.rules:
        mark, style = _MARKS[rule.decision]
        where = ", ".join(f"{value}" for value in rule.cell.values()) or "all"
        figure = rule.shown + (" exact" if rule.exact else _interval(rule))
        name = rule.rule + (" (always)" if rule.implicit else "")
        table.add_row(
            Text(mark, style=style),
            printable(name),
            where,
            figure,
            rule.bound,
            str(rule.n or ""),
            printable(rule.reason),
        )
    return [table]


def _interval(rule: RuleResult) -> str:
    if rule.low is None and rule.high is None:
        return ""
    low, high = ("…" if side is None else f"{side:.3g}" for side in (rule.low, rule.high))
    return f" [{low}, {high}]"


def _failures(view: RunView) -> list[RenderableType]:
    lines: list[RenderableType] = [Text("Failures", style="bold")]
    for failure in view.failures:
        lines += [*_failure(failure), Text()]
    if view.fixes:
        lines.append(Text("fix in: " + ", ".join(f"{place} {count}" for place, count in view.fixes.items())))
    return lines


def _failure(failure: Failure) -> list[RenderableType]:
    failed = failure.status is Status.FAILED
    severity = CODES[failure.code].severity if failure.code in CODES else "medium"
    head = Text.assemble(
        ("✖ " if failed else "? ", "red" if failed else "yellow"),
        (failure.item, "bold"),
        f"  {failure.code} {failure.title}" + (f" · {severity}" if failed else " · not judged"),
        (f" · {len(failure.episodes)} of {failure.trials} trials", "bright_black"),
    )
    lines: list[RenderableType] = [head]
    if failure.finding is None:
        lines.append(Text(f"  {one_line(failure.reason, 200)}"))
    else:
        turn = f"turn {failure.turn}: " if failure.turn else ""
        lines.append(Text(f"  {turn}{one_line(failure.finding.text, 200)}"))
        if failure.finding.expected is not None or failure.finding.actual is not None:
            expected, actual = (
                one_line(side or "nothing", 80) for side in (failure.finding.expected, failure.finding.actual)
            )
            lines.append(Text(f"  expected {expected} · got {actual}"))
        if failure.finding.evidence.quote:
            lines.append(Text(f"  “{one_line(failure.finding.evidence.quote, 160)}”", style="italic"))
        if failure.finding.evidence.where:
            lines.append(Text(f"  {printable(failure.finding.evidence.where)}", style="bright_black"))
    if failure.secondary:
        lines.append(Text(f"  then {', '.join(failure.secondary)}", style="bright_black"))
    if failure.paste:
        lines.append(Text("  to paste into the scenario:"))
        lines += [Text(f"    {printable(line)}", style="cyan") for line in failure.paste.splitlines()]
    turn = f" --turn {failure.turn}" if failure.turn else ""
    lines.append(Text(f"  turngate show {short(failure.episodes[0])}{turn}", style="cyan"))
    return lines
