"""Beginnings of conversations that lost the id: the span that gave it did not come, and they stand in traces without.

The conversation goes on in traces with the id, and what its history tells of the beginning no call of its own came to.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter

from traces.identity import service_of
from traces.reading.calls.model_calls import Call
from traces.reading.joining.disjoint import DisjointSets
from traces.reading.joining.fitting import MOST, gone_on
from traces.reading.joining.units import Unit
from traces.reading.tree.forest import Node

Beginning = tuple[int, str]
"""The digest of what was said until then, and the application."""
_START = attrgetter("start")


def is_headless(nodes: Iterable[Node]) -> bool:
    """Whether the uppermost span of a trace did not come."""
    return all(node.lost or node.span.parent_id is not None for node in nodes if node.parent is None)


def ends(calls: Sequence[Call]) -> Iterator[Call]:
    """The calls of a trace that no other in it goes on from."""
    gone = gone_on(calls)
    return (call for call in calls if call.is_known_again and call not in gone)


def came_to(call: Call) -> list[Beginning]:
    """What is told of a conversation up to this call: all of it, and its words alone."""
    marks = [call.state] if call.spoken is None else [call.state, call.spoken]
    return [(mark, service_of(call.node.span)) for mark in marks]


def lacking(calls: Iterable[Call]) -> Iterator[tuple[Call, Beginning]]:
    """What a conversation's histories hold before the user's last words and no call of it came to, each with the first
    call that tells it.
    """
    states = {call.state for call in calls}
    lacks: dict[int, Call] = {}
    for call in calls:
        before = _before(call)
        if before is not None and before not in states:
            lacks.setdefault(before, call)
    if lacks:
        spoken = {call.spoken for call in calls}
        yield from ((call, (mark, service_of(call.node.span))) for mark, call in lacks.items() if mark not in spoken)


def join_beginnings(
    nodes: Iterable[Node],
    calls: Sequence[Call],
    unit: Mapping[Node, Unit],
    sets: DisjointSets,
    fitting: Mapping[int, int],
) -> dict[Unit, int]:
    """Joins what lost the id to the next conversation of its application that lacks it.

    Returns what was joined so, with how many conversations it fits.
    """
    alone = _headless(nodes, unit, sets)
    wanted = _wanted(calls, unit, sets) if alone else {}
    if not wanted:
        return {}
    own: dict[Unit, list[Call]] = {}
    for call in calls:
        if unit[call.node] in alone:
            own.setdefault(unit[call.node], []).append(call)
    joined: dict[Unit, int] = {}
    for one, told in own.items():
        for last in ends(told):
            places = [wanted[beginning] for beginning in came_to(last) if beginning in wanted]
            fit = [(call, waiting) for waiting in places for call in _next(waiting, last)]
            if fit and sets.of(one)[1] is None:
                (call, waiting), *_ = fit
                sets.join(unit[call.node], one)
                waiting.remove(call)  # what came to its beginning is found
                joined[one] = max(len({sets.of(unit[call.node]) for call, _ in fit}), fitting.get(hash(one[0]), 0))
    return joined


def _headless(nodes: Iterable[Node], unit: Mapping[Node, Unit], sets: DisjointSets) -> set[Unit]:
    """What belongs to no id and has lost its uppermost span."""
    alone: dict[Unit, list[Node]] = {}
    for node in nodes:
        if unit[node][1] is None and sets.of(unit[node])[1] is None:
            alone.setdefault(unit[node], []).append(node)
    return {one for one, group in alone.items() if is_headless(group)}


def _wanted(calls: Iterable[Call], unit: Mapping[Node, Unit], sets: DisjointSets) -> dict[Beginning, list[Call]]:
    """The beginnings that conversations with an id lack, each with the calls that tell it, the earliest first."""
    found: dict[Unit, list[Call]] = {}
    for call in calls:
        found.setdefault(sets.of(unit[call.node]), []).append(call)
    wanted: dict[Beginning, list[Call]] = {}
    for one, told in found.items():
        for call, beginning in lacking(told) if one[1] is not None else ():
            wanted.setdefault(beginning, []).append(call)
    for waiting in wanted.values():
        waiting.sort(key=_START)
    return wanted


def _next(waiting: Sequence[Call], last: Call) -> Sequence[Call]:
    """The first of these that began no earlier, in the order of their starts."""
    at = bisect_left(waiting, last.start, key=_START)
    return waiting[at : at + MOST]


def _before(call: Call) -> int | None:
    """The digest of a call's history up to the user's last words, if it ends with them and began before."""
    atoms = call.atoms
    if not atoms or call.cut or call.node.tool is not None:
        return None
    at = len(atoms)
    while at and atoms[at - 1].kind == "user":
        at -= 1
    return call.marks[at] if 0 < at < len(atoms) else None
