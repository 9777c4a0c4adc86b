"""Which of the calls that a history asked for an answer in it is for."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Iterator

from traces.dialects.facts import Answer, AskedCall
from traces.reading.compare import canonical, tool_name
from traces.reading.drafts import Asked

_ANY, _WITH_ID = "any", "with an id"


class Requests:
    """The tool calls that were asked for so far in one history, and which of them are answered."""

    def __init__(self) -> None:
        self._by_id: dict[str, list[Asked]] = {}
        self._at_once: dict[int, _AtOnce] = {}
        self._open: list[Asked] = []
        self._new: list[AskedCall] = []
        self._like: set[Hashable] = set()

    def add(self, asked: Asked) -> None:
        """One more."""
        if asked.call.id is not None:
            self._by_id.setdefault(asked.call.id, []).append(asked)
        else:
            self._new.append(asked.call)
        if asked.group is not None:
            if asked.group not in self._at_once:  # the first of a group learns of it only when the second comes
                first = next((item for item in reversed(self._open) if item.group == asked.group), None)
                self._at_once[asked.group] = _AtOnce([] if first is None else [first])
            self._at_once[asked.group].add(asked)
        self._open.append(asked)

    def holds(self, call: AskedCall) -> bool:
        """Whether this call is among them: by its id, else by what it is."""
        if call.id is not None:
            return call.id in self._by_id
        self._like.update(map(_what, self._new))
        self._new.clear()
        return _what(call) in self._like

    def answer(self, given: Answer) -> bool:
        """Gives an answer to the call that it is for: by id, else by name, else by order. Whether there is one."""
        if given.id is not None and (same := self._by_id.get(given.id)) is not None:
            if (last := _last(same)) is not None:
                last.answer = given
            return True
        if (last := _last(self._open)) is None:
            return False
        waiting = _AtOnce([last]) if last.group is None else self._at_once.get(last.group) or _AtOnce([last])
        if given.id is not None and waiting.first(_WITH_ID) is not None and not waiting.invented(given.id):
            return False
        found = waiting.first(tool_name(given.name) if given.name else _ANY)
        if found is not None:
            found.answer = given
        return found is not None


class _AtOnce:
    """The open calls of one message, first come, first served."""

    def __init__(self, calls: Iterable[Asked]) -> None:
        self._new = list(calls)
        self._open: dict[Hashable, deque[Asked]] = {}
        self._names: dict[str, deque[Asked]] = {}

    def add(self, asked: Asked) -> None:
        """One more."""
        self._new.append(asked)

    def first(self, kind: Hashable) -> Asked | None:
        """The first that is open: of all, of those with an id, or of those by the name of one tool."""
        self._sort()
        return _first(self._open.get(kind))

    def invented(self, call_id: str) -> bool:
        """Whether this id is of a library's own making: the name of a tool that is asked for, and a number."""
        self._sort()
        return any(name and call_id.startswith(name) and _first(calls) for name, calls in self._names.items())

    def _sort(self) -> None:
        """Only where an answer's own id does not tell its call."""
        for asked in self._new:
            for key in _kinds(asked.call):
                self._open.setdefault(key, deque()).append(asked)
            self._names.setdefault(asked.call.name, deque()).append(asked)
        self._new.clear()


def _kinds(call: AskedCall) -> Iterator[Hashable]:
    yield _ANY
    yield tool_name(call.name)
    if call.id is not None:
        yield _WITH_ID


def _what(call: AskedCall) -> Hashable:
    return call.name, canonical(call.arguments), call.raw


def _last(calls: list[Asked]) -> Asked | None:
    """The last that is open; those behind it go."""
    while calls and calls[-1].answer is not None:
        calls.pop()
    return calls[-1] if calls else None


def _first(calls: deque[Asked] | None) -> Asked | None:
    """The first that is open; those before it go."""
    while calls and calls[0].answer is not None:
        calls.popleft()
    return calls[0] if calls else None
