"""`turngate traces stats`: how often and how long tools and models were called, and how often in vain."""

from __future__ import annotations

import json

from harness.cli.exits import Exit
from harness.cli.out import console
from harness.cli.traces_names import none_fits
from harness.reports.traces.figures import Figures, figures_json
from harness.reports.traces.figures_page import figures_page
from harness.reports.traces.search import Filters, find
from harness.store.places import open_store


def trace_stats(filters: Filters, as_json: bool, place: str | None) -> int:
    """Print them, of all traces that the filters let through."""
    figures = Figures()
    with open_store(place, must_exist=True) as store:
        for trace in find(store, filters):
            figures.add(trace.load(), trace.kinds)
        nothing = "" if figures.traces else none_fits(store, filters)
    out = console()
    if as_json:
        out.out(json.dumps(figures_json(figures), ensure_ascii=True, indent=2))
    else:
        out.print(nothing or figures_page(figures))
    return Exit.PASSED
