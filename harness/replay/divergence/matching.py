"""Which call of one trajectory stands for which of another: one to one, equal ones first, the rest by likeness."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import count
from typing import Any

from harness.replay.canonical import frozen
from harness.replay.divergence.acts import Act
from tools_sandbox.call import Json

Match = tuple[Act, Act]
Leaf = tuple[Hashable, ...]

_FAR = 256
"""Places that equal calls may be apart to be told in order."""
_MOST = 400
"""Calls of one tool, left over on both sides, that are held against each other all at once."""
_NUDGE = 1e-3
"""What a change of place from one end to the other weighs against arguments that differ altogether."""


def in_order(first: Sequence[Act], second: Sequence[Act]) -> list[Match]:
    """As many equal calls as can be matched without two crossing: a longest common subsequence.

    J. W. Hunt, T. G. Szymanski (1977): n log n where few calls are alike. What both begin and end with is taken off
    before, and calls far from each other are left to `by_position`, so that a loop of thousands takes no longer.
    """
    begin = _common(zip(first, second, strict=False))
    ends = _common(zip(reversed(first[begin:]), reversed(second[begin:]), strict=False))
    theirs = second[begin : len(second) - ends]
    places: dict[Hashable, list[int]] = defaultdict(list)
    for place, act in enumerate(theirs):
        places[act.key].append(place)
    pairs = [
        (one, place)
        for at, one in enumerate(first[begin : len(first) - ends])
        for place in reversed(_near(places.get(one.key, ()), at))
    ]
    return [
        *zip(first[:begin], second[:begin], strict=True),
        *((pairs[index][0], theirs[pairs[index][1]]) for index in increasing([place for _, place in pairs])),
        *zip(first[len(first) - ends :], second[len(second) - ends :], strict=True),
    ]


def by_position(first: Iterable[Act], second: Iterable[Act]) -> list[Match]:
    """Equal calls, in whatever order: the first of those alike with the first, the second with the second."""
    there: dict[Hashable, list[Act]] = defaultdict(list)
    for act in second:
        there[act.key].append(act)
    free = {key: iter(alike) for key, alike in there.items()}
    matched = ((act, next(free[act.key], None)) for act in first if act.key in free)
    return [(one, other) for one, other in matched if other is not None]


def by_likeness(first: Sequence[Act], second: Sequence[Act]) -> list[Match]:
    """Calls of the same tool with other arguments, so that as much as possible of the arguments agrees, and then as
    little as possible changes place. So many of one tool that it would take long are matched piece by piece, in order.
    """
    mine, theirs = _by_tool(first), _by_tool(second)
    return [
        match
        for tool in mine.keys() & theirs.keys()
        for ours, others in _pieces(mine[tool], theirs[tool])
        for match in _assigned(ours, others)
    ]


def increasing(numbers: Sequence[int]) -> list[int]:
    """The indices of a longest strictly increasing subsequence (C. Schensted 1961, by patience sorting)."""
    tops: list[int] = []
    at: list[int] = []
    before: list[int | None] = []
    for index, number in enumerate(numbers):
        pile = bisect_left(tops, number)
        before.append(at[pile - 1] if pile else None)
        tops[pile : pile + 1] = [number]
        at[pile : pile + 1] = [index]
    chain = []
    index_ = at[-1] if at else None
    while index_ is not None:
        chain.append(index_)
        index_ = before[index_]
    return chain[::-1]


def rest(acts: Iterable[Act], taken: Iterable[Act]) -> list[Act]:
    """The acts that are not taken."""
    gone = set(taken)
    return [act for act in acts if act not in gone]


def _common(pairs: Iterable[Match]) -> int:
    """How many pairs are equal from the beginning on."""
    length = 0
    for one, other in pairs:
        if one.key != other.key:
            break
        length += 1
    return length


def _near(places: Sequence[int], at: int) -> Sequence[int]:
    return places[bisect_left(places, at - _FAR) : bisect_right(places, at + _FAR)]


def _by_tool(acts: Iterable[Act]) -> dict[str, list[Act]]:
    found: dict[str, list[Act]] = defaultdict(list)
    for act in acts:
        found[act.call.tool].append(act)
    return found


def _pieces(first: Sequence[Act], second: Sequence[Act]) -> Iterator[tuple[Sequence[Act], Sequence[Act]]]:
    pieces = -(-max(len(first), len(second)) // _MOST)
    for piece in range(pieces):
        yield _piece(first, piece, pieces), _piece(second, piece, pieces)


def _piece(acts: Sequence[Act], number: int, of: int) -> Sequence[Act]:
    return acts[len(acts) * number // of : len(acts) * (number + 1) // of]


def _assigned(first: Sequence[Act], second: Sequence[Act]) -> Iterator[Match]:
    """The best assignment; its cost is the share of argument places that differ (Jaccard 1901, on pairs of path and
    value), and between equals the change of place.
    """
    if len(first) == len(second) == 1:
        yield first[0], second[0]
        return
    import numpy as np  # as below, slow to import, and what is alike needs neither
    from scipy.optimize import linear_sum_assignment

    shared, sizes = _overlap([_leaves(act.given) for act in first], [_leaves(act.given) for act in second])
    moved = np.abs(np.linspace(0, 1, len(first))[:, None] - np.linspace(0, 1, len(second))[None, :])
    rows, columns = linear_sum_assignment(1 - shared / np.maximum(sizes - shared, 1) + _NUDGE * moved)
    yield from ((first[int(row)], second[int(column)]) for row, column in zip(rows, columns, strict=True))


def _overlap(first: Sequence[set[Leaf]], second: Sequence[set[Leaf]]) -> tuple[Any, Any]:
    """How many members each set of one list shares with each of the other, and how many the two have added up."""
    import numpy as np
    from scipy.sparse import csr_array

    number: defaultdict[Leaf, int] = defaultdict(count().__next__)
    rows = [[number[leaf] for leaf in found] for found in (*first, *second)]
    ends = np.cumsum([0, *map(len, rows)])
    columns = [column for row in rows for column in row]
    table = csr_array((np.ones(len(columns)), columns, ends), shape=(len(rows), max(len(number), 1)))
    sizes = np.diff(ends)
    parted = len(first)
    return (table[:parted] @ table[parted:].T).toarray(), sizes[:parted, None] + sizes[None, parted:]


def _leaves(value: Json, path: tuple[str | int, ...] = ()) -> set[Leaf]:
    """The innermost values of a canonical one with their paths, and the paths alone: an argument that is there, be it
    with another value, is some likeness.
    """
    if isinstance(value, dict | list) and value:
        members = value.items() if isinstance(value, dict) else enumerate(value)
        return {leaf for name, member in members for leaf in _leaves(member, (*path, name))}
    return {(path,), (path, frozen(value))}
