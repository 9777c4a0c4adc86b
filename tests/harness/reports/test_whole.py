from __future__ import annotations

import io

import pytest
from rich import box
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from harness.reports.whole import Whole, command

WHY = "it applies to none of the episodes that were played"


def printed(shown, width):
    out = io.StringIO()
    Console(file=out, width=width, markup=False, emoji=False, highlight=False).print(shown, crop=False)
    return [line.rstrip() for line in out.getvalue().splitlines() if line.strip()]


def table():
    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, title="Gate")
    for name in ("", "rule", "tool calls p50", "n"):
        made.add_column(name, no_wrap=True)
    made.add_column("why", overflow="fold")
    made.add_row(Text("✔"), "verify-first (always)", "12", "16", "")
    made.add_row(Text("✖"), "injury", "3", "", WHY)
    return Whole(made, lead=2, bare=("why",))


def test_with_room_it_is_the_table():
    lines = printed(table(), 140)
    assert lines[0].strip() == "Gate"
    assert lines[1].split() == ["rule", "tool", "calls", "p50", "n", "why"]
    assert lines[4].split() == ["✖", "injury", "3", *WHY.split()]


def test_only_texts_fold():
    lines = printed(table(), 80)
    assert "verify-first (always)" in lines[3]
    assert lines[3].split()[-1] == "16"
    assert len(lines) == 6, "the reason takes two lines"


def test_heads_break_before_rows_do():
    lines = printed(table(), 60)
    assert [line.split() for line in lines[1:4]] == [["tool"], ["calls"], ["rule", "p50", "n", "why"]]
    assert lines[5].split() == ["✔", "verify-first", "(always)", "12", "16"]


def test_without_room_each_row_has_lines_of_its_own():
    assert printed(table(), 40) == [
        "Gate",
        "✔ verify-first (always)",
        "    tool calls p50 12   n 16",
        "✖ injury",
        "    tool calls p50 3",
        "    it applies to none of the episodes",
        "    that were played",
    ]


@pytest.mark.parametrize("width", range(8, 140, 3))
def test_no_mark_or_figure_is_ever_cut(width):
    shown = "\n".join(printed(table(), width))
    assert "…" not in shown
    assert "✔" in shown
    assert "✖" in shown
    assert "verify-first (always)" in shown
    assert "16" in shown


def test_a_command_has_no_line_break():
    line = "turngate run workflow.yaml --store /a/rather/long/place.db --resume r-20261130-053910-30721f"
    assert printed(Group(Text("go on:"), command(f"  {line}")), 40) == ["go on:", f"  {line}"]
    made = Table()
    made.add_column("what")
    made.add_column("open", no_wrap=True)
    made.add_row("first", line)
    assert printed(Whole(made, bare=("open",)), 40) == ["first", f"    {line}"]
