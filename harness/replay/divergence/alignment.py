"""Two trajectories side by side: writes in their order, and between them reads in any."""

from __future__ import annotations

from bisect import bisect
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from harness.replay.divergence.acts import Act
from harness.replay.divergence.matching import Match, by_likeness, by_position, in_order, rest


@dataclass(slots=True)
class Alignment:
    """`matches`: which call stands for which, equal or with other arguments. `moved`: equal writes that were made
    before another write on one side and after it on the other. `reordered`: of the matches, equal reads that changed
    places with other reads between the same two writes, place by place. `first` and `second`: what has no counterpart.
    """

    matches: list[Match] = field(default_factory=list)
    moved: list[Match] = field(default_factory=list)
    reordered: list[list[Match]] = field(default_factory=list)
    first: list[Act] = field(default_factory=list)
    second: list[Act] = field(default_factory=list)


def align(first: Sequence[Act], second: Sequence[Act]) -> Alignment:
    """Align two trajectories, one to one: as many equal calls as there can be, then calls of one tool with as little
    difference as there can be.

    What a read gives depends on the writes before it, so a read stands only for one between the same writes: one that
    went past a write which may have been done has no counterpart. Among themselves reads depend on nothing.
    """
    found = Alignment()
    ours, others = _writes(first), _writes(second)
    equal = in_order(ours, others)
    apart = by_position(*_left(ours, others, equal))
    changed = by_likeness(*_left(ours, others, [*equal, *apart]))
    kept = _chain(equal, apart)
    chain = _chain(kept, changed)
    found.matches += [*kept, *changed]
    found.moved += [match for match in apart if match not in kept]
    bars = [match for match in chain if match[0].bars or match[1].bars]
    mine = _stretches(first, [one.place for one, _ in bars])
    theirs = _stretches(second, [other.place for _, other in bars])
    for stretch in sorted(mine.keys() & theirs.keys()):
        _reads(mine[stretch], theirs[stretch], found)
    found.matches.sort(key=lambda match: match[0].place)
    found.first, found.second = _left(first, second, [*found.matches, *found.moved])
    return found


def _reads(mine: Sequence[Act], theirs: Sequence[Act], found: Alignment) -> None:
    equal = in_order(mine, theirs)
    apart = by_position(*_left(mine, theirs, equal))
    found.matches += [*equal, *apart, *by_likeness(*_left(mine, theirs, [*equal, *apart]))]
    if apart:
        found.reordered.append(sorted(apart, key=lambda match: match[0].place))


def _chain(equal: Sequence[Match], changed: Iterable[Match]) -> list[Match]:
    """Matches no two of which cross: the equal ones, which don't, and of the others what fits in between."""
    chain = list(equal)
    for match in sorted(changed, key=lambda match: match[0].place):
        at = bisect(chain, match[0].place, key=lambda each: each[0].place)
        before = at == 0 or chain[at - 1][1].place < match[1].place
        if before and (at == len(chain) or match[1].place < chain[at][1].place):
            chain.insert(at, match)
    return chain


def _stretches(acts: Iterable[Act], bars: Sequence[int]) -> dict[int, list[Act]]:
    """The reads by how many of these writes come before them."""
    found: dict[int, list[Act]] = defaultdict(list)
    for act in acts:
        if not act.writes:
            found[bisect(bars, act.place)].append(act)
    return found


def _writes(acts: Iterable[Act]) -> list[Act]:
    return [act for act in acts if act.writes]


def _left(first: Sequence[Act], second: Sequence[Act], matches: Sequence[Match]) -> tuple[list[Act], list[Act]]:
    return rest(first, (one for one, _ in matches)), rest(second, (other for _, other in matches))
