"""Turns while they are put together, and the tool calls that are asked for in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from traces.dialects.facts import Answer, AskedCall
from traces.reading.compare import same_name
from traces.reading.forest import Node
from traces.reading.model_calls import Call


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

    `runs`: the spans that stand for its handling. `asides`: how many model calls of others than its main agent it has.
    """

    said: list[str] = field(default_factory=list)
    reply: str | None = None
    items: list[Item] = field(default_factory=list)
    runs: list[Node] = field(default_factory=list)
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


def started(item: Item) -> int | None:
    """When an item of a turn began; None where no span shows it."""
    if isinstance(item, Call):
        return item.start
    if isinstance(item, Asked):
        return item.spans[0].span.start if item.spans else None
    return item.span.start


class Requests:
    """The tool calls that were asked for so far in one history, and which of them are answered."""

    def __init__(self) -> None:
        self._all: list[Asked] = []
        self._by_id: dict[str, list[Asked]] = {}
        self._open: list[Asked] = []

    def add(self, asked: Asked) -> None:
        """One more."""
        self._all.append(asked)
        self._open.append(asked)
        if asked.call.id is not None:
            self._by_id.setdefault(asked.call.id, []).append(asked)

    def holds(self, call: AskedCall) -> bool:
        """Whether this call is among them: by its id, else by what it is."""
        return call.id in self._by_id if call.id is not None else any(asked.call == call for asked in self._all)

    def answer(self, given: Answer) -> bool:
        """Gives an answer to the call that it is for: by id, else by name, else by order. Whether there is one."""
        if given.id is not None and (same := self._by_id.get(given.id)):
            if (last := next((item for item in reversed(same) if item.answer is None), None)) is not None:
                last.answer = given
            return True
        self._open = [item for item in self._open if item.answer is None]
        waiting = _last_group(self._open)
        if given.id is not None and any(item.call.id is not None for item in waiting) and not _invented(given, waiting):
            return False
        named = [item for item in waiting if given.name and same_name(item.call.name, given.name)]
        for item in (*named, *(waiting if not given.name else ())):
            item.answer = given
            return True
        return False


def _last_group(waiting: Sequence[Asked]) -> list[Asked]:
    """The open calls of the message that asked last."""
    if not waiting:
        return []
    last = waiting[-1]
    return [item for item in waiting if item is last or (last.group is not None and item.group == last.group)]


def _invented(given: Answer, waiting: Iterable[Asked]) -> bool:
    """Whether the answer's id is of a library's own making: the tool's name and a number."""
    return given.id is not None and any(given.id.startswith(item.call.name) for item in waiting if item.call.name)
