"""Which of the calls that the messages hold each tool span shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Protocol

from traces.dialects.facts import AskedCall
from traces.reading.compare import canonical, told_as, tool_name
from traces.reading.drafts import Asked
from traces.reading.tools.alike import Alike, distance
from traces.reading.tree.forest import Node

Key = tuple[object, ...]
_Names = frozenset[str]


def attach(asked: Sequence[Asked], groups: Iterable[list[Node]]) -> list[list[Node]]:
    """Gives each call the spans that show it: by its id, else by name and arguments, else by name and order.

    Of several calls it is the one with the very result, of the same run, asked for last before.
    Returns the spans that no call is for. A span of another trace than its call's has lost its context: its call is
    marked as mended. Calls that the id tells apart are never mixed with those that it doesn't; but an id that no
    message knows is the library's own, and tells none apart in its trace.
    """
    waiting = list(groups)
    rules: tuple[_Rule, ...] = (_ById(), _ByArguments(), _ByName(), _ByForeignId({item.call.id for item in asked}))
    for rule in rules:
        if not waiting or not asked:
            break
        left: list[list[Node]] = []
        index = _Index(asked, rule)
        for group in waiting:
            found = index.find(group)
            if found is None:
                left.append(group)
                continue
            found.spans.extend(group)
            asker = found.asker
            found.mended = asker is not None and all(
                node.span.trace_id != seen.span.trace_id for node in group for seen in asker.nodes
            )
        waiting = left
    return waiting


class _Rule(Protocol):
    """By what a span is put to a call: by a key that both have."""

    def offered(self, asked: Asked) -> Iterable[Key]:
        """The keys of a call."""

    def sought(self, seen: AskedCall, node: Node) -> Iterable[Key]:
        """The keys of a tool's span, once those of all calls are given."""


class _ById:
    def offered(self, asked: Asked) -> Iterable[Key]:
        return () if asked.call.id is None else ((asked.call.id,),)

    def sought(self, seen: AskedCall, node: Node) -> Iterable[Key]:
        return () if seen.id is None else ((seen.id,),)


class _ByArguments:
    """Spans show them whole, or the bare value of the only one, or with the defaults of others added."""

    def __init__(self) -> None:
        self._names: dict[Key, _Subsets] = {}

    def offered(self, asked: Asked) -> Iterable[Key]:
        return self._forms(_place(asked.call), asked.call.arguments)

    def sought(self, seen: AskedCall, node: Node) -> Iterable[Key]:
        for place in _places(seen):
            yield from self._shown(place, seen.arguments)

    def _forms(self, place: Key, arguments: Any) -> Iterator[Key]:
        """The keys of arguments that were asked for."""
        if arguments is None:
            return
        yield *place, canonical(arguments)
        if isinstance(arguments, dict) and arguments:
            value = next(iter(arguments.values()))
            if len(arguments) == 1 and not isinstance(value, dict):
                yield *place, canonical(value)
            if _flat(arguments):
                names = frozenset(arguments)
                self._names.setdefault(place, _Subsets()).add(names)
                yield *place, _some(arguments, names)

    def _shown(self, place: Key, arguments: Any) -> Iterator[Key]:
        """The keys of arguments that a span shows."""
        if arguments is None:
            return
        yield *place, canonical(arguments)
        if isinstance(arguments, dict) and _flat(arguments) and place in self._names:
            for names in self._names[place].within(arguments.keys()):
                yield *place, _some(arguments, names)


class _Subsets:
    """Sets of arguments' names, each kept under the one of its names that the fewest others are under."""

    def __init__(self) -> None:
        self._known: set[_Names] = set()
        self._under: dict[str, list[_Names]] = {}

    def add(self, names: _Names) -> None:
        if names not in self._known:
            self._known.add(names)
            least = min(names, key=lambda name: (len(self._under.get(name, ())), name))
            self._under.setdefault(least, []).append(names)

    def within(self, shown: AbstractSet[str]) -> Iterator[_Names]:
        """Those that have no other names than these."""
        return (names for name in shown for names in self._under.get(name, ()) if names <= shown)


class _ByName:
    """Where one of both does not tell the arguments."""

    def offered(self, asked: Asked) -> Iterable[Key]:
        return ((*_place(asked.call), asked.call.arguments is None),)

    def sought(self, seen: AskedCall, node: Node) -> Iterable[Key]:
        return [
            (*place, bare) for place in _places(seen) for bare in ((True, False) if seen.arguments is None else (True,))
        ]


class _ByForeignId(_ByArguments):
    """By arguments in spite of the span's id, which is none of `known`."""

    def __init__(self, known: AbstractSet[str | None]) -> None:
        super().__init__()
        self._known = known

    def offered(self, asked: Asked) -> Iterable[Key]:
        if asked.asker is None:
            return ()
        return self._forms((tool_name(asked.call.name), asked.asker.node.span.trace_id), asked.call.arguments)

    def sought(self, seen: AskedCall, node: Node) -> Iterable[Key]:
        if seen.id in self._known:
            return ()
        return self._shown((tool_name(seen.name), node.span.trace_id), seen.arguments)


class _Index:
    """The calls without a span yet, by the keys of a rule."""

    def __init__(self, asked: Sequence[Asked], rule: _Rule) -> None:
        self._rule = rule
        self._place = {item: place for place, item in enumerate(asked)}
        self._open: dict[Key, list[Asked]] = {}
        self._alike: dict[Key, Alike] = {}
        for item in asked:
            if not item.spans:
                for key in rule.offered(item):
                    self._open.setdefault(key, []).append(item)

    def find(self, group: Sequence[Node]) -> Asked | None:
        """The call that these spans show; None if there is none."""
        keys = dict.fromkeys(
            key for node in group if node.facts.tool is not None for key in self._rule.sought(node.facts.tool, node)
        )
        found = {item: None for key in keys if key in self._open for item in self._likeliest(key, group)}
        if len(found) < 2:
            return next(iter(found), None)
        return min(found, key=lambda item: (not _told(item, group), *distance(item.asker, group[0]), self._place[item]))

    def _likeliest(self, key: Key, group: Sequence[Node]) -> Iterable[Asked]:
        found = self._open[key]
        if len(found) == 1:
            return () if found[0].spans else found
        if key not in self._alike:
            self._alike[key] = Alike(found)
        return self._alike[key].likeliest(group)


def _place(call: AskedCall) -> Key:
    return tool_name(call.name), call.id is None


def _places(seen: AskedCall) -> Iterable[Key]:
    """Where the calls are that a span may show: with an id of its own, only among those without one."""
    name = tool_name(seen.name)
    return ((name, True),) if seen.id is not None else ((name, True), (name, False))


def _some(arguments: dict[str, Any], names: _Names) -> object:
    return frozenset([(name, canonical(arguments[name])) for name in names])


def _flat(value: dict[str, Any]) -> bool:
    return all(not isinstance(item, dict | list) for item in value.values())


def _told(asked: Asked, group: Iterable[Node]) -> bool:
    """Whether the model was told the very result that a span shows."""
    if asked.answer is None:
        return False
    told = set(told_as(asked.answer.content))
    return any(not told.isdisjoint(told_as(node.facts.result)) for node in group if node.facts.has_result)
