"""A name for every difference between aligned calls, and what it is in words."""

from __future__ import annotations

import sys
from bisect import bisect
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from harness.model.replay import Difference, Divergence, DivergenceKind
from harness.replay.canonical import canonical, frozen
from harness.replay.divergence.acts import Act
from harness.replay.divergence.alignment import Alignment
from harness.replay.divergence.differences import differences
from harness.replay.divergence.matching import Match, increasing
from tools_sandbox.call import Call
from tools_sandbox.values import show

_TOLD = 3
"""Differing arguments, or reordered calls, that are told in words."""


@dataclass(frozen=True, slots=True)
class Step:
    """A call of the recorded side beside the one of the new side that stands for it, by their positions; None where
    there is none. `divergence`: how they differ; None if they don't.
    """

    recorded: int | None
    new: int | None
    divergence: Divergence | None = None


def steps(found: Alignment) -> Iterator[Step]:
    """Every call of both sides, in the order in which they were made: between calls of both, those that only the
    recorded side made come first.
    """
    return iter(_Naming(found).steps())


class _Naming:
    def __init__(self, found: Alignment) -> None:
        self._found = found
        pairs = sorted([*found.matches, *found.moved], key=lambda match: match[0].place)
        kept = increasing([other.place for _, other in pairs])
        self._both = [(pairs[index][1].place, pairs[index][0].place) for index in kept]
        self._reordered = {matches[0][0].place: matches for matches in found.reordered}
        self._only_first, self._only_second = _by_key(found.first), _by_key(found.second)

    def steps(self) -> list[Step]:
        at = [((one.place, 0, 0), self._matched(one, other)) for one, other in self._found.matches]
        for one, other in self._found.moved:
            at += [self._first(one, other), self._second(other, one)]
        at += [self._first(act, _taken(self._only_second, act)) for act in self._found.first]
        at += [self._second(act, _taken(self._only_first, act)) for act in self._found.second]
        return [step for _, step in sorted(at, key=lambda each: each[0])]

    def _first(self, act: Act, elsewhere: Act | None) -> tuple[tuple[int, int, int], Step]:
        kind = DivergenceKind.MISSING_WRITE if act.writes else DivergenceKind.MISSING_READ
        why = f"{_named(act)} is not called any more{_unknown(act)}"
        if elsewhere is not None:
            why = f"{_named(act)} is not called here any more, but {_where(elsewhere)}"
        return (act.place, 0, 0), Step(act.place, None, _divergence(kind, why, act, None))

    def _second(self, act: Act, elsewhere: Act | None) -> tuple[tuple[int, int, int], Step]:
        kind = DivergenceKind.EXTRA_WRITE if act.writes else DivergenceKind.EXTRA_READ
        why = f"{_named(act)} is called in addition{_unknown(act)}"
        if elsewhere is not None:
            why = f"{_named(act)} is called here now, and was {_where(elsewhere)}"
        after = bisect(self._both, (act.place,))
        before = self._both[after][1] if after < len(self._both) else sys.maxsize
        return (before, -1, act.place), Step(None, act.place, _divergence(kind, why, None, act))

    def _matched(self, one: Act, other: Act) -> Step:
        return Step(one.place, other.place, self._difference(one, other))

    def _difference(self, one: Act, other: Act) -> Divergence | None:
        if one.key != other.key:
            found = differences(one.given, other.given)
            why = f"{_named(one)} is given something else: {_listed(found)}{_unknown(other)}"
            return replace(_divergence(DivergenceKind.CHANGED_ARGUMENT, why, one, other), differences=found)
        if came := _came_otherwise(one.call, other.call):
            return _divergence(DivergenceKind.OTHER_OUTCOME, f"{_named(one)} {came}", one, other)
        if one.place in self._reordered:
            return _divergence(DivergenceKind.REORDERED_READS, _order(self._reordered[one.place]), one, other)
        return None


def _divergence(kind: DivergenceKind, why: str, one: Act | None, other: Act | None) -> Divergence:
    act = other or one
    assert act is not None
    return Divergence(
        kind,
        act.call.turn,
        why,
        act.call.tool,
        act.writes,
        None if one is None else one.place,
        None if other is None else other.place,
        span_id=None if other is None else other.call.span_id,
    )


def _came_otherwise(one: Call, other: Call) -> str | None:
    """How the same call came to something else. What nobody saw is nothing else, nor is it that arguments which nobody
    can read are refused in other words.
    """
    kinds = {None if call.error is None else call.error.kind for call in (one, other)}
    if "outside" in kinds or kinds == {"bad_arguments"}:
        return None
    if one.ok != other.ok:
        failed = other if one.ok else one
        assert failed.error is not None
        return f"{'fails' if one.ok else 'failed, and succeeds'} now: {show(failed.error.text)}"
    if one.error is not None and other.error is not None:
        if one.error.text == other.error.text:
            return None
        return f"fails otherwise: {show(one.error.text)} → {show(other.error.text)}"
    unseen = any(call.result is None and call.origin != "sandbox" for call in (one, other))
    results = canonical(one.result), canonical(other.result)
    if unseen or frozen(results[0]) == frozen(results[1]):
        return None
    return f"gives something else: {_listed(differences(*results))}"


def _named(act: Act) -> str:
    return f"`{act.call.tool}`"


def _unknown(act: Act) -> str:
    known = act.kind is not None
    return "" if known else "; nobody says whether it writes, so it counts as one that does"


def _where(act: Act) -> str:
    return f"on the other side of a write, in turn {act.call.turn}"


def _order(matches: Iterable[Match]) -> str:
    names = [_named(one) for one, _ in matches]
    return f"reads in another order: {', '.join(names[:_TOLD])}" + (" …" if len(names) > _TOLD else "")


def _listed(found: Sequence[Difference]) -> str:
    return "; ".join(map(_told, found[:_TOLD])) + (" …" if len(found) > _TOLD else "")


def _told(difference: Difference) -> str:
    sides = (
        "nothing" if difference.missing == name else show(value)
        for name, value in (("recorded", difference.recorded), ("new", difference.new))
    )
    return f"{difference.path}: {' → '.join(sides)}".removeprefix(": ")


def _by_key(acts: Iterable[Act]) -> dict[Hashable, list[Act]]:
    found: dict[Hashable, list[Act]] = defaultdict(list)
    for act in acts:
        found[act.key].append(act)
    return found


def _taken(by_key: dict[Hashable, list[Act]], act: Act) -> Act | None:
    alike = by_key.get(act.key)
    return alike.pop(0) if alike else None
