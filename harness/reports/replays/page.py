"""A replay in the terminal: counts, gate, and the recordings that somebody should look at."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from harness.model.replay import Level, ReplayResult, ReplaySummary, Verdict
from harness.model.result import Decision
from harness.reports.printable import one_line, printable
from harness.reports.replays.view import ReplayView, divergence_text, first_unfit, opening, reasons, words
from harness.reports.terminal import MARKS, QUIET, gate_table, report_table
from harness.reports.whole import Whole, command
from harness.reports.wording import verdict_words

STYLES = {
    Verdict.SAME: "green",
    Verdict.BENIGN: "green",
    Verdict.BETTER: "bold green",
    Verdict.WORSE: "bold red",
    Verdict.NOT_COMPARABLE: "yellow",
}
_EVIDENCE = 4
_LEVELS = {
    Level.RESCORE: "scored again, nothing ran",
    Level.TURNS: "every recorded turn answered anew",
    Level.FORWARD: "forward for as long as the recorded user fits",
    Level.CONTINUE: "forward, then on with a simulated user: this gates nothing",
}


def replay_page(view: ReplayView) -> Iterator[RenderableType]:
    """The whole report, piece by piece."""
    yield from _heading(view)
    yield _counts(view)
    yield from _figures(view.summary)
    if view.verdict.rules:
        yield gate_table(view.verdict)
    for result in view.told:
        yield from _told(result, view)
    if view.more:
        yield Text("and " + ", ".join(f"{count} more {words(verdict)}" for verdict, count in view.more.items()))
    for note in view.notes:
        yield Text(f"note: {printable(note)}", style="yellow")
    yield _verdict_line(view)


def _heading(view: ReplayView) -> Iterator[RenderableType]:
    record, summary = view.record, view.summary
    yield Rule(style=QUIET)
    against = f" against {printable(record.against.label)}" if record.against is not None else ""
    count = f"{summary.recordings} recording{'s' * (summary.recordings != 1)}"
    yield Text.assemble((printable(record.workflow), "bold"), " · ", (printable(record.agent.label), "bold"), against)
    level = f"level {record.level.value}: {_LEVELS[record.level]}"
    yield Text(f"replay {record.id} · {count} · {level}", style=QUIET)


def _counts(view: ReplayView) -> RenderableType:
    table = report_table("Replays")
    table.add_column("", no_wrap=True)
    for verdict in Verdict:
        table.add_column(words(verdict), justify="right", no_wrap=True)
    table.add_column("turns compared", justify="right", no_wrap=True)
    summary = view.summary
    _count_row(table, "against the record", summary.verdicts, summary.compared, summary.turns)
    if view.old is not None:
        _count_row(table, "the other version", view.old.verdicts, view.old.compared, view.old.turns)
    if summary.paired is not None:
        _count_row(table, "against the other version", summary.paired, summary.paired_turns, summary.turns)
    return Whole(table, bare=("turns compared",))


def _count_row(table: Table, name: str, verdicts: dict[Verdict, int], compared: int, turns: int) -> None:
    counts = (Text(str(verdicts[each]), style=STYLES[each] if verdicts[each] else QUIET) for each in Verdict)
    share = f" ({compared / turns:.0%})" if turns else ""
    table.add_row(name, *counts, f"{compared}/{turns}{share}")


def _figures(summary: ReplaySummary) -> Iterator[RenderableType]:
    if found := reasons(summary):
        told = ", ".join(f"{one_line(why, 80)} {count}" for why, count in found)
        yield Text.assemble(("worse by: ", STYLES[Verdict.WORSE]), told)
    if summary.first:
        kinds = ", ".join(f"{kind.value} {count}" for kind, count in summary.first.items())
        yield Text(f"first divergence: {kinds}")
    if summary.misses or summary.unused:
        yield Text(f"calls that are not on record: {summary.misses} · recorded results not used: {summary.unused}")


def _told(result: ReplayResult, view: ReplayView) -> Iterator[RenderableType]:
    finding = result.decisive
    mark, style = words(finding.verdict), STYLES[finding.verdict]
    compared = f"{result.compared} of {result.recorded_turns} turns compared"
    yield Text.assemble((mark, style), f" {result.recording} · {compared}")
    if said := opening(result):
        yield Text(f"  “{one_line(said, 100)}”", style=QUIET)
    if finding.first is not None:
        yield Text(f"  {one_line(divergence_text(finding.first), 300)}")
    for text in finding.evidence[:_EVIDENCE]:
        yield Text(f"  {one_line(text, 300)}", style=QUIET)
    if (unfit := first_unfit(result)) is not None:
        yield Text(f"  turn {unfit.turn} does not fit: {one_line(unfit.fit.why, 200)}", style="yellow")
        yield Text(f"    “{one_line(unfit.fit.quote, 200)}”", style=QUIET)
    for miss in result.misses[:1]:
        more = f", and {len(result.misses) - 1} more" if len(result.misses) > 1 else ""
        yield Text(
            f"  turn {miss.turn}: {one_line(miss.tool)} is not on record: {one_line(miss.why)}{more}", style="yellow"
        )
    yield command(f"  turngate replay show {view.record.id} {result.recording}", QUIET)


def _verdict_line(view: ReplayView) -> Text:
    verdict = view.verdict
    name = f"{printable(view.record.workflow)} · {printable(view.record.agent.label)}: "
    if view.record.verdict is None:
        why = f" ({view.record.status}; `turngate replay` with --resume {view.record.id} goes on)"
        return Text.assemble((name, "bold"), ("not done", "bold yellow"), why)
    if verdict.decision is Decision.SKIPPED:
        return Text.assemble((name, "bold"), ("no gate", "bold yellow"), f" ({_why_no_gate(view)})")
    said = verdict_words(verdict)
    return Text.assemble((name, "bold"), (said.words, f"bold {MARKS[verdict.decision][1]}"), said.why)


def _why_no_gate(view: ReplayView) -> str:
    if view.record.level in (Level.RESCORE, Level.CONTINUE):
        return f"level {view.record.level.value} gates nothing"
    return "nothing is worse than recorded; a gate needs the version in use, replayed in the same way: --against"
