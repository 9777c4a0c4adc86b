from __future__ import annotations

import io

from rich.console import Console

from harness.cli.progress import Bar


def line(bar):
    out = io.StringIO()
    Console(file=out, width=100).print(bar.shown.get_renderable())
    return " ".join(out.getvalue().split())


def test_nothing_is_counted_before_there_is_a_plan():
    bar = Bar()
    assert line(bar).startswith("getting ready ")
    assert "/" not in line(bar)
    bar.begins("r-1", 48)
    assert line(bar).startswith("episodes ")
    assert " 0/48 " in line(bar)
    bar.spared(3)
    assert " 3/48 " in line(bar)
