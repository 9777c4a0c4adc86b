"""Several agent versions in the terminal: which passes where, at what cost, how fast. No ranking, no total."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich.console import Console, RenderableType
from rich.rule import Rule
from rich.text import Text

from harness.gates.compare import COST, LATENCY, Figure, Standing
from harness.gates.figures import nearest
from harness.model.result import Decision
from harness.reports.printable import one_line, printable
from harness.reports.run_view import RunView
from harness.reports.terminal import MARKS, QUIET, report_table, verdict_line
from harness.reports.whole import Whole
from harness.reports.wording import HOLE, figure_text

_LEGEND = (
    f"cost: mean of an episode · p95: of an episode's time with the agent · {HOLE} a hole · n? not known in n",
    "dominated: the other is at least as good in gate, cost and p95, and better in one. Figures are as measured; what "
    "is undecided or not known neither dominates nor is dominated",
)


def show_comparison(console: Console, views: Sequence[RunView], families: Mapping[str, Sequence[Standing]]) -> None:
    """Print it, below the reports of the runs that `views` show."""
    console.print(Rule(style=QUIET))
    console.print(_table(families))
    console.print(*(Text(line, style=QUIET) for line in _LEGEND), sep="\n")
    console.print(*map(verdict_line, views), sep="\n")


def _table(families: Mapping[str, Sequence[Standing]]) -> RenderableType:
    table = report_table("Which version, for which family")
    for name in ("family", "version", "gate", "n", "cost", "p95"):
        table.add_column(name, no_wrap=True, justify="right" if name in ("n", "cost", "p95") else "left")
    table.add_column("", overflow="fold")
    for family, standings in families.items():
        for number, standing in enumerate(standings):
            table.add_row(
                printable(family) if number == 0 else "",
                printable(standing.agent),
                _gate(standing),
                f"{standing.played}" + (f" +{standing.spared}" if standing.spared else ""),
                _figure(standing.cost, COST),
                _figure(standing.latency, LATENCY),
                Text("; ".join(_remarks(standing)), style=QUIET),
                end_section=number == len(standings) - 1,
            )
    return Whole(table, lead=2, bare=("gate",))


def _gate(standing: Standing) -> Text:
    if standing.decision is None:
        return Text(HOLE, style="yellow")
    mark, style = MARKS[standing.decision]
    return Text(f"{mark} {standing.decision.value}", style=style)


def _figure(figure: Figure, metric: str) -> Text:
    text = Text(HOLE if figure.value is None and not figure.missing else "", style="yellow")
    if figure.value is not None:
        text = Text(figure_text(nearest(figure.value), metric))
    return text.append(f" {figure.missing}?", style="yellow") if figure.missing else text


def _remarks(standing: Standing) -> Iterator[str]:
    if standing.reason:
        failed = "failed: " if standing.decision is Decision.FAILED else ""
        yield failed + one_line(standing.reason, 200)
    if standing.dominated_by:
        yield f"dominated by {_listed(standing.dominated_by)}"


def _listed(names: Iterable[str]) -> str:
    return " and ".join(printable(name) for name in names)
