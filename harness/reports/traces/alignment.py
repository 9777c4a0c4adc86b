"""Two trajectories side by side: which call of one stands for which of the other, both kept in their order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")

Pair = tuple[T | None, T | None]


def align(first: Sequence[T], second: Sequence[T], likeness: Callable[[T, T], float]) -> Iterator[Pair[T]]:
    """One-to-one pairs whose likeness adds up to the most there can be, and between them what has no like, the first's
    before the second's. `likeness`: 0 of two that can't stand for each other; the larger, the more alike.

    S. B. Needleman, C. D. Wunsch (1970), without a price for gaps: time and memory by the product of the lengths of
    what is left when equal beginnings and ends, which some best alignment pairs, are taken off.
    """
    most = [likeness(each, each) for each in first]
    begin = 0
    while begin < min(len(first), len(second)) and likeness(first[begin], second[begin]) == most[begin]:
        yield first[begin], second[begin]
        begin += 1
    ends = 0
    while ends < min(len(first), len(second)) - begin and likeness(first[~ends], second[~ends]) == most[~ends]:
        ends += 1
    yield from _inner(first[begin : len(first) - ends], second[begin : len(second) - ends], likeness)
    for place in range(ends, 0, -1):
        yield first[-place], second[-place]


def _inner(first: Sequence[T], second: Sequence[T], likeness: Callable[[T, T], float]) -> Iterator[Pair[T]]:
    wide = len(second)
    alike = [[likeness(one, other) for other in second] for one in first]
    best = [[0.0] * (wide + 1) for _ in range(len(first) + 1)]
    """The best sum of what is from a place on in both."""
    for row in reversed(range(len(first))):
        for column in reversed(range(wide)):
            paired = alike[row][column] and alike[row][column] + best[row + 1][column + 1]
            best[row][column] = max(paired, best[row + 1][column], best[row][column + 1])
    row = column = 0
    while row < len(first) and column < wide:
        if alike[row][column] and best[row][column] == alike[row][column] + best[row + 1][column + 1]:
            yield first[row], second[column]
            row, column = row + 1, column + 1
        elif best[row][column] == best[row + 1][column]:
            yield first[row], None
            row += 1
        else:
            yield None, second[column]
            column += 1
    yield from ((each, None) for each in first[row:])
    yield from ((None, each) for each in second[column:])
