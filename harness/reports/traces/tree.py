"""The spans of a trace as a tree, each with its kind, what it is of, how long it took, and how it failed."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from harness.reports.printable import one_line, printable
from harness.reports.traces.branches import KIND_STYLES, Branch, branches
from harness.reports.traces.words import FOLDED, duration, lasted
from traces.conversation import Conversation


def tree(conversation: Conversation) -> Iterator[Text]:
    """The lines of the tree."""
    for trace in branches(conversation):
        yield Text(f"trace {printable(trace[0].node.span.trace_id)}", style="bright_black")
        for branch in trace:
            yield from _span(branch)


def _span(branch: Branch) -> Iterator[Text]:
    facts, span = branch.node.facts, branch.node.span
    took = duration(lasted(span.start, span.end)) if span.end >= span.start else "no end"
    line = Text.assemble(
        (branch.stem, "bright_black"),
        (facts.kind, KIND_STYLES[facts.kind]),
        f" {branch.label}  ",
        (took, "bright_black"),
    )
    if branch.label != one_line(span.name, 100):
        line.append(f"  {one_line(span.name, 60)}", style="bright_black")
    if facts.usage is not None:
        line.append(f"  {facts.usage.input} → {facts.usage.output} tokens", style="bright_black")
    if branch.circular:
        other = f"each other's parents: its own is {printable(span.parent_id or '')}"
        line.append(f"  {'its own parent' if span.parent_id == span.span_id else other}", style="yellow")
    elif span.parent_id and not branch.depth:
        line.append("  parent not here", style="yellow")
    line.append(f"  {printable(span.span_id)}", style="bright_black")
    yield line
    if span.status == "error" or facts.error is not None:
        error = facts.error
        said = ": ".join(part for part in ((error.type, error.message) if error else (span.status_text,)) if part)
        yield Text(f"{' ' * len(branch.stem)}  ✖ {one_line(said or 'error', FOLDED)}", style="red")
