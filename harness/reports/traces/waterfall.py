"""The spans of a trace over time, all to one scale: each trace of a conversation begins at its own zero."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import set_cell_size
from rich.text import Text

from harness.reports.printable import printable
from harness.reports.traces.branches import KIND_STYLES, Branch, branches
from harness.reports.traces.words import duration, lasted
from traces.conversation import Conversation

_LEAST_BAR = 20
_TOOK = 10
"""Columns of a duration."""


def waterfall(conversation: Conversation, width: int) -> Iterator[Text]:
    """The lines, each `width` columns wide at most: what it is, its bar, how long it took."""
    traces = list(branches(conversation))
    longest = max((_extent(trace)[1] for trace in traces), default=1)
    names = min(48, max(16, width // 3))
    columns = max(_LEAST_BAR, width - names - _TOOK - 3)
    yield Text(f"{'':{names}} 0{duration(longest):>{columns}}", style="bright_black")
    for trace in traces:
        zero, _ = _extent(trace)
        yield Text(f"trace {printable(trace[0].node.span.trace_id)}", style="bright_black")
        for branch in trace:
            yield _line(branch, zero, longest, names, columns)


def _line(branch: Branch, zero: int, longest: int, names: int, columns: int) -> Text:
    span, kind = branch.node.span, branch.node.facts.kind
    failed = span.status == "error" or branch.node.facts.error is not None
    indent = "  " * min(branch.depth, names // 4)
    name = set_cell_size(f"{indent}{'✖ ' if failed else ''}{branch.label}", names)
    begins = min(columns - 1, max(0, span.start - zero) * columns // longest)
    took = lasted(span.start, span.end)
    length = max(1, min(columns - begins, -(-(took or 0) * columns // longest)))
    told = duration(took) if span.end >= span.start else "no end"
    style = "red" if failed else KIND_STYLES[kind]
    return Text.assemble(
        (f"{name} ", "red" if failed else ""),
        " " * begins,
        ("█" * length, style),
        " " * (columns - begins - length),
        (f" {told:>{_TOOK}}", "bright_black"),
    )


def _extent(trace: list[Branch]) -> tuple[int, int]:
    """When a trace begins, and how long it takes, as far as that is known: at least a nanosecond."""
    spans = [branch.node.span for branch in trace if branch.node.span.start]
    begins = min((span.start for span in spans), default=0)
    return begins, max([1, *(max(span.start, span.end) - begins for span in spans)])
