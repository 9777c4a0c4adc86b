"""Tables and commands that no terminal cuts: where the columns have no room, each row has lines of its own."""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Column, Table
from rich.text import Text

_FOLDED = 16
"""Cells that a column of texts keeps at least, if it needs as many: the others keep all that they need."""
_ENDLESS = 100_000
_GAP = "   "
_INDENT = 4


def command(text: str, style: str = "") -> Text:
    """A line to be pasted: however narrow the terminal, there is no line break in it."""
    return Text(text, style=style, no_wrap=True, overflow="ignore")


@dataclass(frozen=True, slots=True)
class Whole:
    """A table of which only columns that may wrap are folded. What it does with less and less room: it folds them; it
    breaks its heads at spaces; it gives each row lines of its own, the first `lead` cells first, the others with their
    heads. `bare`: heads that say nothing there.
    """

    table: Table
    lead: int = 1
    bare: Collection[str] = ()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for form in (_firm(self.table), _tight(self.table)):
            if Measurement.get(console, options.update(max_width=_ENDLESS), form).minimum <= options.max_width:
                yield form
                return
        yield from self._rows(options.max_width)

    def _rows(self, width: int) -> Iterator[RenderableType]:
        columns = self.table.columns
        if self.table.title:
            yield Text(str(self.table.title), style=self.table.title_style or "")
        for row in zip(*(map(_text, column.cells) for column in columns), strict=True):
            first = Text(" ").join(cell for cell in row[: self.lead] if cell.plain)
            rest = zip(columns[self.lead :], row[self.lead :], strict=True)
            yield from _packed(first, [self._named(column, cell) for column, cell in rest if cell.plain], width)

    def _named(self, column: Column, cell: Text) -> Text:
        head = " ".join(_text(column.header).plain.split())
        named = Text() if not head or head in self.bare else Text(f"{head} ", style="bright_black")
        named.append_text(cell)
        named.no_wrap = column.no_wrap
        return named


def _packed(first: Text, cells: Sequence[Text], width: int) -> Iterator[RenderableType]:
    """A row on one line if it fits, else its cells below its beginning, as many on a line as there is room for."""
    gap = Text(_GAP)
    line = gap.join([first, *cells])
    if line.cell_len <= width:
        yield line
        return
    yield _unbroken(first)
    line = Text()
    for cell in cells:
        longer = gap.join([line, cell]) if line.plain else cell
        if line.plain and longer.cell_len > width - _INDENT:
            yield _indented(line, width)
            longer = cell
        line = longer
    if line.plain:
        yield _indented(line, width)


def _indented(line: Text, width: int) -> RenderableType:
    if line.no_wrap or line.cell_len <= width - _INDENT:
        return _unbroken(Text(" " * _INDENT).append_text(line))
    return Padding(line, (0, 0, 0, _INDENT))


def _unbroken(line: Text) -> Text:
    line.no_wrap, line.overflow = True, "ignore"
    return line


def _firm(table: Table) -> Table:
    """The same, with columns that know how much room they need."""
    return _with(table, [replace(column, min_width=_need(column)) for column in table.columns])


def _tight(table: Table) -> Table:
    """The same in the least room there can be."""
    broken = (replace(column, header=_broken(column)) for column in table.columns)
    found = _with(table, [replace(column, min_width=_need(column)) for column in broken])
    found.padding = (0, 1, 0, 0)
    return found


def _with(table: Table, columns: list[Column]) -> Table:
    found = copy.copy(table)
    found.columns = columns
    return found


def _need(column: Column) -> int:
    lines = (line for cell in (column.header, *column.cells) for line in _text(cell).split(allow_blank=True))
    widest = max(line.cell_len for line in lines)
    return widest if column.no_wrap else min(widest, _FOLDED)


def _broken(column: Column) -> Text:
    head = _text(column.header)
    return Text(head.plain.replace(" ", "\n"), justify=head.justify)


def _text(cell: RenderableType) -> Text:
    return cell if isinstance(cell, Text) else Text(str(cell))
