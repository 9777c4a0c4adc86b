"""Turns while they are put together, and the tool calls that are asked for in them."""

from __future__ import annotations

from dataclasses import dataclass, field

from traces.dialects.facts import Answer, AskedCall
from traces.reading.calls.model_calls import Call
from traces.reading.tree.forest import Node


@dataclass(slots=True, eq=False)
class Asked:
    """A tool call: as a model asked for it, as its answer tells it, and as its spans show it.

    `mended`: the spans had lost their context.
    """

    call: AskedCall
    asker: Call | None = None
    answer: Answer | None = None
    group: int | None = None
    spans: list[Node] = field(default_factory=list)
    mended: bool = False


Item = Call | Asked | Node
"""A model call, a tool call, or the span of a retrieval."""


@dataclass(slots=True, eq=False)
class Draft:
    """A turn. `said`: the user's messages. `items`: its steps, what caused before what came of it.

    `runs`: the spans that stand for its handling, in the order in which they took part. `asides`: how many model calls
    of others than its main agent it has.
    """

    said: list[str] = field(default_factory=list)
    reply: str | None = None
    items: list[Item] = field(default_factory=list)
    runs: dict[Node, None] = field(default_factory=dict)
    asides: int = 0

    @property
    def calls(self) -> list[Call]:
        """Its model calls."""
        return [item for item in self.items if isinstance(item, Call)]

    @property
    def asked(self) -> list[Asked]:
        """Its tool calls."""
        return [item for item in self.items if isinstance(item, Asked)]

    @property
    def start(self) -> int | None:
        """When its first span began; None where no span shows it."""
        first = min([run.span.start for run in self.runs], default=None)
        for item in self.items:
            start = started(item)
            if start is not None and (first is None or start < first):
                first = start
        return first

    def has_begun(self, time: int) -> bool:
        """Whether its first span began by this time, in nanoseconds since the epoch, or no span shows it."""
        return any(run.span.start <= time for run in self.runs) or (self.start or 0) <= time


def started(item: Item) -> int | None:
    """When an item of a turn began; None where no span shows it."""
    if isinstance(item, Call):
        return item.start
    if isinstance(item, Asked):
        return item.spans[0].span.start if item.spans else None
    return item.span.start
