"""The figures of many traces in the terminal: a table of tools, a table of models."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from harness.reports.printable import one_line
from harness.reports.traces.figures import Figures, ModelFigures, ToolFigures, quantiles
from harness.reports.traces.words import duration, many
from harness.reports.whole import Whole

_TIMES = ("p50", "p95", "p99")


def figures_page(figures: Figures) -> Group:
    """Both tables, what is called most first."""
    parts: list[RenderableType] = [Text(many(figures.traces, "trace"))]
    if figures.tools:
        tools = _table("tool", "calls", "errors", *_TIMES, "redundant")
        for name, tool in sorted(figures.tools.items(), key=lambda item: (-item[1].calls, item[0])):
            tools.add_row(one_line(name, 60), str(tool.calls), _errors(tool), *_times(tool), _redundant(tool))
        parts.append(Whole(tools))
        if any(tool.at_most for tool in figures.tools.values()):
            parts.append(Text("≤: of some calls in between it is not known whether they wrote", style="bright_black"))
    if figures.models:
        models = _table("model", "calls", "errors", *_TIMES, "tokens in", "cached", "tokens out", "reasoning")
        for name, model in sorted(figures.models.items(), key=lambda item: (-item[1].calls, item[0])):
            models.add_row(one_line(name, 60), str(model.calls), _errors(model), *_times(model), *_tokens(model))
        parts.append(Whole(models))
        uncounted = sum(model.calls - model.counted for model in figures.models.values())
        if uncounted:
            parts.append(Text(f"{many(uncounted, 'model call')} give no token counts: not in the sums", style="yellow"))
    return Group(*parts)


def _table(name: str, *columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(name, no_wrap=True)
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def _errors(figures: ToolFigures | ModelFigures) -> Text:
    return Text(str(figures.errors), style="red" if figures.errors else "")


def _times(figures: ToolFigures | ModelFigures) -> Sequence[str]:
    return ["" if took is None else duration(took) for took in quantiles(figures.took).values()]


def _redundant(tool: ToolFigures) -> str:
    return f"{'≤' if tool.at_most else ''}{tool.redundant}"


def _tokens(model: ModelFigures) -> Sequence[str]:
    if not model.counted:
        return ["?", "?", "?", "?"]
    return [f"{count:,}" for count in (model.input, model.cached, model.output, model.reasoning)]
