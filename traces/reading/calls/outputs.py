"""Outputs that tell less of their calls than the histories that go on from them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import groupby

from traces.dialects.facts import AskedCall
from traces.reading.calls.atoms import OF_A_MODEL, Atom
from traces.reading.calls.model_calls import Call
from traces.reading.compare import canonical, same_name


def complete(calls: Sequence[Call]) -> None:
    """Gives outputs that were captured up to one of their calls and no further, or without the ids of their calls, as
    a later history tells them: one of the same trace or conversation, or that tells of the same call.
    """
    waiting: dict[tuple[Hashable, int], Call] = {}
    for call in calls:
        for begin, told in _retold(call) if waiting else ():
            for place in (*_places(call), *(one.id for one in _asked(told))):
                lacking = waiting.get((place, call.marks[begin]))
                if lacking is not None and _lacks(lacking) and _are_same(_asked(lacking.given), _asked(told)):
                    lacking.gave(told)
                    del waiting[place, call.marks[begin]]
        if call.given and call.atoms and not call.cut and _lacks(call):
            for place in (*_places(call), _asked(call.given)[-1].id):
                if place is not None:
                    waiting[place, call.opening] = call


def _retold(call: Call) -> Iterator[tuple[int, list[Atom]]]:
    """What its history tells of a model, with the place where that begins."""
    at = 0
    for of_a_model, group in groupby(call.atoms or (), lambda atom: atom.kind in OF_A_MODEL):
        told = list(group)
        if of_a_model:
            yield at, told
        at += len(told)


def _asked(atoms: Sequence[Atom]) -> list[AskedCall]:
    return [atom.call for atom in atoms if atom.call is not None]


def _places(call: Call) -> tuple[Hashable, Hashable]:
    return call.node.span.trace_id, call.node.facts.conversation


def _lacks(call: Call) -> bool:
    """Whether more may be told of its calls than it tells."""
    asked = _asked(call.given)
    return bool(asked) and (call.clipped or any(one.id is None for one in asked))


def _are_same(given: Sequence[AskedCall], told: Sequence[AskedCall]) -> bool:
    """Whether these calls are told there, with more of them or behind them. Of one whose arguments are cut, or put
    together with those of others, they tell nothing.
    """
    if len(given) > len(told) or any(one.id is None for one in told):
        return False
    return all(
        same_name(one.name, other.name)
        and one.id in (None, other.id)
        and (one.raw is not None or canonical(one.arguments) == canonical(other.arguments))
        for one, other in zip(given, told, strict=False)
    )
