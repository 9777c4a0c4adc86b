"""A run in the terminal: the map, the gate rule by rule, the failures and how to open them."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import get_args

from rich import box
from rich.console import Console, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from harness.gates.exemptions import marks
from harness.model.failure import CODES
from harness.model.result import Decision, GateVerdict, Trials
from harness.model.score import Dimension
from harness.model.status import Status
from harness.reports.exemption_lines import HEADS, ExemptionLine, exemption_lines, flaky, trials_text
from harness.reports.gate_lines import gate_lines
from harness.reports.printable import one_line, printable, short
from harness.reports.run_view import Against, Failure, RunView
from harness.reports.scenario_map import Cell, JudgedCell, RuleLine, ScenarioMap
from harness.reports.statistics_lines import correction_text, interval_text, noise_text
from harness.reports.whole import Whole, command
from harness.reports.wording import (
    EXACT,
    HOLE,
    MEDIAN,
    PASTE,
    count_text,
    legend,
    missing_text,
    sides,
    unscripted_text,
    until_text,
    value_text,
    verdict_words,
)

MARKS = {
    Decision.PASSED: ("✔", "green"),
    Decision.FAILED: ("✖", "red"),
    Decision.UNDECIDED: ("?", "yellow"),
    Decision.SKIPPED: ("-", "bright_black"),
}
QUIET = "bright_black"
_BROKEN = 8
"""Scenarios that broke that are named."""


def show_run(console: Console, view: RunView, dimensions: dict[str, str]) -> None:
    """Print all of it. `dimensions`: metric to dimension, in the order that the columns stand in."""
    console.print(*_heading(view), sep="\n")
    if lines := exemption_lines(view.verdict):
        console.print(_exemptions(lines))
    console.print(*_map(view.map, dimensions), sep="\n")
    if view.rules:
        console.print(_rules(view.rules))
    if reliability := _reliability(view):
        console.print(reliability)
    console.print(gate_table(view.verdict))
    verdict = view.verdict
    for line in (until_text(verdict), interval_text(verdict), correction_text(verdict), noise_text(verdict.noise)):
        if line:
            console.print(Text(line, style=QUIET))
    if shaky := flaky(view.verdict):
        console.print(_flaky(shaky))
    if any(rule.exact for rule in view.verdict.rules):
        console.print(Text(EXACT, style=QUIET))
    if view.failures:
        console.print(*_failures(view), sep="\n")
    for against in view.against:
        console.print(*_against(view, against), sep="\n")
    if view.unscripted:
        console.print(command(printable(unscripted_text(view.unscripted)), "yellow"))
    for note in view.notes:
        said, *pasted = printable(note).split("\n")
        console.print(Text(f"note: {said}", style="yellow"))
        console.print(*(command(line, "yellow") for line in pasted), sep="\n", end="\n" if pasted else "")
    console.print(verdict_line(view))


def verdict_line(view: RunView) -> Text:
    """The one line that matters: what the gate says."""
    verdict, said = view.verdict, verdict_words(view.verdict)
    partial = verdict.partial and verdict.decision is not Decision.FAILED
    marked = verdict.decision is Decision.PASSED and marks(verdict)
    style = "bold yellow" if partial or marked else f"bold {MARKS[verdict.decision][1]}"
    name = f"{view.workflow} · {printable(view.agent)}: "
    return Text.assemble((name, "bold"), (said.words, style), said.why, (said.uncounted, "bold yellow"))


def _heading(view: RunView) -> Iterator[RenderableType]:
    yield Rule(style=QUIET)
    yield Text.assemble((view.workflow, "bold"), " · ", (printable(view.agent), "bold"), f" · {_extent(view)}")
    yield Text(f"run {view.run} · {view.agent_seconds:.1f} s with the agent, all episodes added up", style=QUIET)


def _extent(view: RunView) -> str:
    if view.observed:
        return f"{_counted(view.scenarios, 'conversation')} observed"
    fewest = min(Counter(result.key.item for result in view.results).values(), default=view.trials)
    trials = f"{fewest} to {view.trials} trials" if fewest < view.trials else _counted(view.trials, "trial")
    return f"{_counted(view.scenarios, 'scenario')} x {trials}"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def report_table(title: str) -> Table:
    """An empty table, as all in a report look."""
    return Table(box=box.SIMPLE_HEAD, pad_edge=False, title=title, title_justify="left", title_style="bold")


def _map(found: ScenarioMap, dimensions: dict[str, str]) -> Iterator[RenderableType]:
    table = report_table("Scenario map")
    table.add_column("family", no_wrap=True)
    table.add_column("n", justify="right", no_wrap=True)
    before = ""
    for metric in found.metrics:
        table.add_column(_column(metric, dimensions[metric], before), justify="right", no_wrap=True)
        before = dimensions[metric]
    for family in found.families:
        cells = (_cell(found.cells.get((family, metric)), metric) for metric in found.metrics)
        table.add_row(family, count_text(found, family), *cells)
    yield Whole(table)
    unmeasured = [name for name in get_args(Dimension) if name not in dimensions.values()]
    if "safety" not in unmeasured:
        unmeasured.append("harmful or rude language (SA4)")  # the part of safety that no detector finds
    yield Text(legend(found), style=QUIET)
    if unmeasured:
        yield Text(f"not measured at all: {', '.join(unmeasured)}", style=QUIET)


def _rules(lines: Iterable[RuleLine]) -> RenderableType:
    """A line a rule: its clause, passed of judged, and how many failed."""
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    for _ in range(4):
        table.add_column(no_wrap=True)
    for line in lines:
        failed = Text(f"{line.cell.failed} failed" if line.cell.failed else "", style="red")
        count = _cell(line.cell if line.cell.n or line.cell.not_judged else None, line.rule)
        table.add_row(f"rule {printable(line.rule)}", Text(printable(line.clause or ""), style=QUIET), count, failed)
    return Whole(table)


def _reliability(view: RunView) -> Text | None:
    """How the share of scenarios that pass falls when every one of k trials must pass."""
    most = max(map(len, view.pass_hats.values()), default=0)
    if most < 2:
        return None
    shown = (f"{family} {hats[0]:.3g} … {hats[-1]:.3g}" for family, hats in view.pass_hats.items() if hats)
    return Text(f"task success, pass^1 … pass^{most}: {' · '.join(shown)}")


def _column(metric: str, dimension: str, before: str) -> Text:
    """Dimension above, unless it is that of the column before; metric below."""
    lower = metric.removeprefix(f"{dimension}.").removesuffix("_seconds").removesuffix("_usd").replace("_", " ")
    if metric == dimension:
        upper, _, lower = metric.replace("_", " ").rpartition(" ")
    else:
        upper = dimension if dimension != before else ""
        lower += " p50" if metric in MEDIAN else " p95" if dimension == "efficiency" else ""
    return Text(f"{upper}\n{lower}", justify="right")


def _cell(cell: Cell | None, metric: str) -> Text:
    if cell is None:
        return Text(HOLE, style="yellow")
    style = ""
    if isinstance(cell, JudgedCell):
        style = "red" if cell.failed else "green" if cell.n else "yellow"
    return Text.assemble((value_text(cell, metric), style), (missing_text(cell), "yellow"))


def gate_table(verdict: GateVerdict) -> RenderableType:
    """The rules of a gate, row by row."""
    table = report_table("Gate")
    for name in ("", "rule", "where", "figure", "limit", "n"):
        table.add_column(name, no_wrap=True, justify="right" if name in ("figure", "n") else "left")
    table.add_column("why", overflow="fold")
    for line in gate_lines(verdict.rules):
        mark, style = MARKS[line.decision]
        style = "yellow" if line.waived else style
        why = Text(line.why, style=QUIET)
        table.add_row(Text(mark, style=style), line.rule, line.where, line.figure, line.bound, line.n, why)
    return Whole(table, lead=2, bare=("where", "figure", "limit", "why"))


def _exemptions(lines: Iterable[ExemptionLine]) -> RenderableType:
    table = report_table("Waived and quarantined")
    for head in HEADS[:-1]:
        table.add_column(head, no_wrap=True)
    table.add_column(HEADS[-1], overflow="fold")
    for line in lines:
        style = "red" if line.expired else "yellow"
        table.add_row(Text(line.kind, style=style), *line.texts[1:4], Text(line.until, style=style), line.why)
    return Whole(table, lead=2, bare=("came to", "why"))


def _flaky(shaky: Iterable[Trials]) -> RenderableType:
    table = report_table("Flaky")
    for head in ("scenario", "family", "came to"):
        table.add_column(head, no_wrap=True)
    for each in shaky:
        table.add_row(printable(each.item), printable(each.family), Text(trials_text(each), style="yellow"))
    return Whole(table, bare=("family", "came to"))


def _against(view: RunView, against: Against) -> Iterator[Text]:
    """What broke against a baseline, and the command that shows it episode by episode."""
    broke = sum(against.broken.values())
    some = [one_line(item) for item in against.broken][:_BROKEN] + (["…"] if len(against.broken) > _BROKEN else [])
    named = f": {', '.join(some)}" if some else ""
    yield Text(
        f"against {one_line(against.name)}: of {_counted(against.compared, 'episode')} in both, {broke} broke and "
        f"{against.fixed} {'was' if against.fixed == 1 else 'were'} fixed{named}",
        style="red" if broke else QUIET,
    )
    yield command(f"  {shlex.join(['turngate', 'compare', one_line(against.name), view.run])}", "cyan")


def _failures(view: RunView) -> Iterator[RenderableType]:
    yield Text("Failures", style="bold")
    for failure in view.failures:
        yield from _failure(failure, observed=view.observed)
        yield Text()
    if view.fixes:
        yield Text("fix in: " + ", ".join(f"{place} {count}" for place, count in view.fixes.items()))


def _failure(failure: Failure, *, observed: bool) -> Iterator[RenderableType]:
    failed = failure.status is Status.FAILED
    severity = CODES[failure.code].severity if failure.code in CODES else "medium"
    yield Text.assemble(
        ("✖ " if failed else "? ", "red" if failed else "yellow"),
        (failure.item, "bold"),
        f"  {failure.code} {failure.title} · {severity if failed else 'not judged'}",
        ("" if observed else f" · {len(failure.episodes)} of {failure.trials} trials", QUIET),
    )
    finding = failure.finding
    turn = f"turn {failure.turn}: " if failure.turn else ""
    yield Text(f"  {turn}{one_line(finding.text if finding else failure.reason, 240)}")
    if finding is not None:
        if compared := sides(finding):
            yield Text(f"  {compared}")
        if finding.evidence.quote:
            yield Text(f"  “{one_line(finding.evidence.quote, 160)}”", style="italic")
        if finding.evidence.where:
            yield Text(f"  {printable(finding.evidence.where)}", style=QUIET)
    if failure.secondary:
        yield Text(f"  then {', '.join(failure.secondary)}", style=QUIET)
    if failure.paste:
        yield Text(f"  {PASTE}")
        yield from (command(f"    {printable(line)}", "cyan") for line in failure.paste.splitlines())
    opening = f"  turngate show {short(failure.episodes[0])}"
    yield command(opening + (f" --turn {failure.turn}" if failure.turn else ""), "cyan")
