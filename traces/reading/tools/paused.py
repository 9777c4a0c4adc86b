"""Tools that wait for a human: which of the later spans goes on with a call."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import count

from traces.dialects.facts import AskedCall
from traces.reading.compare import canonical, tool_name
from traces.reading.tree.forest import Node

_Key = tuple[object, ...]


class Paused:
    """Executions that were interrupted, until what runs them again: the same call, which was not asked for anew."""

    def __init__(self) -> None:
        self._waiting: dict[_Key, list[tuple[int, int, Node, list[Node]]]] = {}
        self._numbers = count()
        self._asked: dict[object, int] = {}

    def ask(self, model: Node) -> None:
        """A model call began: what its agent calls from here on, it asked for."""
        self._asked[_asker(model)] = model.span.start

    def add(self, call: AskedCall, group: list[Node]) -> None:
        """An execution that waits since the last of these spans, which is of this call."""
        for key in _offered(call):
            heappush(self._waiting.setdefault(key, []), (group[-1].span.end, next(self._numbers), group[-1], group))

    def resumed(self, call: AskedCall, start: int) -> list[Node] | None:
        """The execution that a span of this call goes on with, if any: by the id, else by name and arguments."""
        for key in _sought(call) if self._waiting else ():
            waiting = self._waiting.get(key, [])
            while waiting and waiting[0][0] <= start:
                *_, last, group = heappop(waiting)
                if group[-1] is last and (key[0] == "id" or not self._is_over(last, call)):
                    return group
        return None

    def _is_over(self, last: Node, call: AskedCall) -> bool:
        """Whether the model was asked again instead. Without arguments it has to be seen that it wasn't."""
        unseen = last.span.end if call.arguments is None else -1
        return self._asked.get(_asker(last), unseen) >= last.span.end


def _asker(node: Node) -> object:
    return node.agent, node.tool


def _offered(call: AskedCall) -> Iterator[_Key]:
    name, given = tool_name(call.name), canonical(call.arguments)
    yield "any", name, given
    yield ("without id", name, given) if call.id is None else ("id", name, call.id)


def _sought(call: AskedCall) -> Iterator[_Key]:
    name, given = tool_name(call.name), canonical(call.arguments)
    if call.id is None:
        yield "any", name, given
    else:
        yield "id", name, call.id
        yield "without id", name, given
