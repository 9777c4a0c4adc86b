"""`turngate traces diff`: what two agents did, side by side."""

from __future__ import annotations

from harness.cli.exits import Exit
from harness.cli.out import console
from harness.cli.traces_names import find_trace
from harness.reports.traces.diff_page import diff_page
from harness.store.places import open_store


def diff_traces(first: str, second: str, place: str | None) -> int:
    """Print how they differ; that they do is no failure."""
    with open_store(place, must_exist=True) as store:
        one, other = find_trace(store, first), find_trace(store, second)
        page = diff_page(one, other)
    console().print(page)
    return Exit.PASSED
