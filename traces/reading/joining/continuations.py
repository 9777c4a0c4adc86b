"""Histories without an id, put to the conversation that they go on from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from traces.reading.calls.model_calls import Call
from traces.reading.joining.disjoint import DisjointSets
from traces.reading.joining.fitting import MOST, gone_on, open_ones
from traces.reading.joining.units import Unit
from traces.reading.tree.forest import Node


def join_histories(
    calls: Sequence[Call], unit: Mapping[Node, Unit], sets: DisjointSets, fitting: Mapping[int, int]
) -> dict[Unit, int]:
    """Joins what has no id to the conversation that its history goes on from, if need be by the words in it alone.

    Returns what was joined so, with how many conversations its history fits.
    """
    joined: dict[Unit, int] = {}
    gone = gone_on(calls)
    states: dict[int, list[Call]] = {}
    spoken: dict[int | None, list[Call]] = {}
    unheard: dict[int, list[Call]] = {}
    for call in calls:
        if call.is_known_again:
            states.setdefault(call.state, []).append(call)
            spoken.setdefault(call.spoken, []).append(call)
        elif call.is_unheard:
            unheard.setdefault(call.opening, []).append(call)
    remembered = _Remembered(calls)
    for call in calls:
        mine = sets.of(unit[call.node])
        if mine[1] is not None or not call.atoms:
            continue
        if (before := remembered.before(call)) is not None:
            gone.add(before)
            if sets.of(unit[before.node]) != mine:
                sets.join(unit[before.node], unit[call.node])
                joined[unit[call.node]] = 1
            continue
        fit: Sequence[Call] = ()
        if not call.cut:
            fit = _fit(states, reversed(call.marks[1 : len(call.atoms) + 1]), call.start)
            if not fit and len(spoken) > 1:
                fit = _fit(spoken, call.heard(), call.start)
            if not fit and unheard:
                fit = _fit(unheard, call.openings(), call.start)
        if not fit and (askers := remembered.askers(call)):
            fit = askers if len({sets.of(unit[other.node]) for other in askers}) == 1 else ()
        if not fit or any(sets.of(unit[other.node]) == mine for other in fit):
            continue
        fit = open_ones(fit, gone.__contains__)
        own = unit[call.node]
        count = max(len({sets.of(unit[other.node]) for other in fit}), fitting.get(hash(own[0]), 0))
        gone.add(fit[-1])
        sets.join(unit[fit[-1].node], own)
        joined[own] = count
    return joined


class _Remembered:
    """Which call another goes on from that tells only what is new, for the server remembers the rest."""

    def __init__(self, calls: Sequence[Call]) -> None:
        self._responses: dict[str, Call] = {}
        self._askers: dict[str, list[Call]] = {}
        for call in calls:
            if (response := call.first("response_id")) is not None:
                self._responses.setdefault(response, call)
            for atom in call.given:
                if atom.call is not None and atom.call.id is not None:
                    self._askers.setdefault(atom.call.id, []).append(call)

    def before(self, call: Call) -> Call | None:
        """That of the response which it names, else the last before it that asked for what its history answers."""
        named = self._responses.get(call.previous or "")
        asked = self._askers.get(call.answered or "", ())
        return named or next((other for other in reversed(asked) if other.end <= call.start), None)

    def askers(self, call: Call) -> Sequence[Call]:
        """Those that asked before it for the latest call that its history tells of, if messages are missing in that."""
        found = ([other for other in self._askers.get(name, ()) if other.end <= call.start] for name in call.told_of)
        return next(filter(None, found), ())


def _fit(calls: Mapping[Any, Sequence[Call]], digests: Iterable[int], start: int) -> Sequence[Call]:
    """Of the first of these digests that there is a call for, the last ones that ended before."""
    for digest in digests:
        before = [call for call in calls.get(digest, ()) if call.end <= start]
        if before:
            return before[-MOST:]
    return ()
