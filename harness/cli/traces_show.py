"""`turngate traces show`: one trace, conversation first."""

from __future__ import annotations

from itertools import chain
from typing import Literal, cast

from harness.cli.exits import Exit, UserError
from harness.cli.out import console
from harness.cli.traces_names import find_trace
from harness.reports.traces.page import heading, trace_page
from harness.store.places import open_store
from traces.json_text import in_ascii

Form = Literal["page", "tree", "waterfall", "json", "raw"]


def form_of(**asked: bool) -> Form:
    """The form that options ask for: the page, or one other. Raises UserError for several."""
    forms = [name for name, wanted in asked.items() if wanted]
    if len(forms) > 1:
        raise UserError(f"--{forms[0]} --{forms[1]}: one form at a time")
    return cast("Form", forms[0]) if forms else "page"


def show_trace(name: str, form: Form, full: bool, place: str | None) -> int:
    """Print it."""
    out = console()
    with open_store(place, must_exist=True) as store:
        trace = find_trace(store, name)
        conversation = trace.load()
    if form == "page":
        out.print(trace_page(trace, conversation, full=full))
    elif form == "tree":
        from harness.reports.traces.tree import tree

        out.print(*heading(trace, conversation), *tree(conversation), sep="\n")
    elif form == "waterfall":
        from harness.reports.traces.waterfall import waterfall

        out.print(*heading(trace, conversation), *waterfall(conversation, out.width), sep="\n")
    elif form == "json":
        from harness.reports.traces.as_json import trace_json

        for piece in trace_json(trace.figures, conversation):
            out.out(piece, end="")
    else:
        from traces.otlp import lines

        for line in lines(chain(conversation.spans, conversation.logs)):
            out.out(in_ascii(line), end="")  # what an agent said can't steer the terminal it is shown in
    return Exit.PASSED
