"""Beginnings of conversations that lost the id: the span that gave it did not come, and they stand in traces without.

The conversation goes on in traces with the id, and what its history tells of the beginning no call of its own came to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from traces.identity import service_of
from traces.reading.calls.model_calls import Call
from traces.reading.joining.disjoint import DisjointSets
from traces.reading.joining.fitting import gone_on
from traces.reading.joining.units import Unit
from traces.reading.tree.forest import Node


def is_headless(nodes: Iterable[Node]) -> bool:
    """Whether the uppermost span of a trace did not come."""
    return all(node.lost or node.span.parent_id is not None for node in nodes if node.parent is None)


def ends(calls: Sequence[Call]) -> Iterator[Call]:
    """The calls of a trace that no other in it goes on from."""
    gone = gone_on(calls)
    return (call for call in calls if call.is_known_again and call not in gone)


def came_to(call: Call) -> list[int]:
    """The digests of what is told of a conversation up to this call: all of it, and its words alone."""
    return [call.state] if call.spoken is None else [call.state, call.spoken]


def lacking(calls: Iterable[Call]) -> Iterator[tuple[Call, int]]:
    """The digests of what a conversation's histories hold before the user's last words and no call of it came to, each
    with the first call that tells it.
    """
    states = {call.state for call in calls}
    lacks: dict[int, Call] = {}
    for call in calls:
        before = _before(call)
        if before is not None and before not in states:
            lacks.setdefault(before, call)
    if lacks:
        spoken = {call.spoken for call in calls}
        yield from ((call, mark) for mark, call in lacks.items() if mark not in spoken)


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
    alone: dict[Unit, list[Node]] = {}
    for node in nodes:
        if unit[node][1] is None and sets.of(unit[node])[1] is None:
            alone.setdefault(unit[node], []).append(node)
    alone = {one: group for one, group in alone.items() if is_headless(group)}
    if not alone:
        return {}
    found: dict[Unit, list[Call]] = {}
    for call in calls:
        found.setdefault(sets.of(unit[call.node]), []).append(call)
    wanted: dict[int, list[Call]] = {}
    for one, told in found.items():
        for call, mark in lacking(told) if one[1] is not None else ():
            wanted.setdefault(mark, []).append(call)
    if not wanted:
        return {}
    own: dict[Unit, list[Call]] = {}
    for call in calls:
        if unit[call.node] in alone:
            own.setdefault(unit[call.node], []).append(call)
    joined: dict[Unit, int] = {}
    taken: set[Call] = set()
    for one, told in own.items():
        for last in ends(told):
            fit = [call for mark in came_to(last) for call in wanted.get(mark, ()) if _may_follow(call, last)]
            fit = [call for call in fit if call not in taken]
            if fit and sets.of(one)[1] is None:
                sets.join(unit[fit[0].node], one)
                taken.add(fit[0])
                joined[one] = max(len({sets.of(unit[call.node]) for call in fit}), fitting.get(hash(one[0]), 0))
    return joined


def _before(call: Call) -> int | None:
    """The digest of a call's history up to the user's last words, if it ends with them and began before."""
    atoms = call.atoms
    if not atoms or call.cut or call.node.tool is not None:
        return None
    at = len(atoms)
    while at and atoms[at - 1].kind == "user":
        at -= 1
    return call.marks[at] if 0 < at < len(atoms) else None


def _may_follow(call: Call, last: Call) -> bool:
    return last.start <= call.start and service_of(call.node.span) == service_of(last.node.span)
