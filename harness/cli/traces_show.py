"""`turngate traces show`: one trace, conversation first."""

from __future__ import annotations

import json
from typing import Literal, cast

from harness.cli.exits import Exit, UserError
from harness.cli.out import console
from harness.cli.traces_names import find_trace
from harness.reports.traces.page import heading, trace_page
from harness.reports.traces.trace import Trace
from harness.store.places import open_store
from traces.conversation import Conversation

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
    else:
        # ASCII only: what an agent said can't steer the terminal it is shown in.
        for document in _raw(conversation) if form == "raw" else [_document(trace, conversation)]:
            out.out(json.dumps(document, ensure_ascii=True, indent=None if form == "raw" else 2, default=str))
    return Exit.PASSED


def _document(trace: Trace, conversation: Conversation) -> dict[str, object]:
    from harness.reports.traces.as_json import conversation_json

    return {"trace": trace.figures, "conversation": conversation_json(conversation)}


def _raw(conversation: Conversation) -> list[dict[str, object]]:
    from traces.otlp.encode import logs_data, traces_data

    found = [traces_data(conversation.spans)] if conversation.spans else []
    return [*found, logs_data(conversation.logs)] if conversation.logs else found
