"""Histories that are not told as they were: put right by what other model calls tell."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice

from traces.dialects.content.pairing import ITEM
from traces.reading.calls.atoms import Atom, call_ids
from traces.reading.calls.left_out import filled
from traces.reading.calls.mended import mended
from traces.reading.calls.model_calls import Call

_LOOKED_AT = 16
"""So many of the calls before one are looked at for what it may lack: it is mostly in the last."""


def restore(calls: Sequence[Call]) -> None:
    """Puts into histories that lack messages what earlier calls held of them: the last ones of the trace or of the
    conversation, else such as tell of the same tool calls, by ids that no two were asked for under.
    """
    if not any(call.gaps for call in calls):
        return
    asked = Counter(call_ids([atom for call in calls for atom in call.given]))
    latest: dict[str, Call] = {}
    near: dict[object, deque[Call]] = {}
    for call in calls:
        own = call.node.facts.conversation
        places = (call.node.span.trace_id, own)
        if call.gaps and call.atoms:
            close = [other for place in places for other in reversed(near.get(place, ()))]
            like = [latest[name] for name in call_ids(reversed(call.atoms)) if name in latest and asked[name] < 2]
            like = [other for other in like if own is None or other.node.facts.conversation in (None, own)]
            before = islice(dict.fromkeys([*close, *like]), 2 * _LOOKED_AT)
            call.goes_by(mended(call.atoms, ([*(other.atoms or ()), *other.given] for other in before)))
        latest.update(dict.fromkeys(call_ids([*(call.atoms or ()), *call.given]), call))
        for place in places:
            if place is not None:
                near.setdefault(place, deque(maxlen=_LOOKED_AT)).append(call)


def name_asked(calls: Sequence[Call]) -> None:
    """Gives tool calls that were asked for under the ids of their items the ids that later histories tell, or their
    answers in order.
    """
    asking = [call for call in calls if any(map(_is_item, call.given))]
    if not asking:
        return
    told = (atom.call for call in calls for atom in call.atoms or () if atom.call is not None)
    ids: dict[str | None, str | None] = {call.item: call.id for call in told if call.item is not None}
    ids.update(_answered(calls, ids))
    for call in asking:
        call.given = [
            replace(atom, call=replace(atom.call, id=ids[atom.call.id]))
            if atom.call is not None and atom.call.id in ids
            else atom
            for atom in call.given
        ]


def _answered(calls: Sequence[Call], known: Mapping[str | None, str | None]) -> Mapping[str | None, str | None]:
    """Of items whose calls no history tells, for the server remembers them, the ids of the answers that come next in
    the same run, else conversation: where there are as many.
    """
    asked: dict[object, list[str | None]] = {}
    found: dict[str | None, str | None] = {}
    for call in calls:
        node = call.node
        place = node.run if node.run is not node else node.facts.conversation or node
        if call.alone:
            items = asked.pop(place, [])
            if len(items) == len(call.alone):
                found.update(zip(items, [answer.id for answer in call.alone], strict=True))
        if items := [atom.call.id for atom in call.given if atom.call is not None and _is_item(atom)]:
            asked[place] = [item for item in items if item not in known]
    return found


def put_back(calls: Sequence[Call]) -> None:
    """Puts what asked for an answer before it, in histories that hold the answer alone: where a message had no text,
    some libraries leave it out with all its calls. What a history begins with the server was told before.

    It is what has asked for a call of the answer's id, else what came of the history before the answer.
    """
    wanting = {call for call in calls if call.alone and call.atoms and call.atoms[0].answer is None}
    if not wanting:
        return
    by_id: dict[str | None, Sequence[Atom]] = {}
    by_history: dict[int, Sequence[Atom]] = {}
    for call in calls:
        if call in wanting:
            call.goes_by(filled(call.atoms or (), by_id, by_history))
        if not call.cut and any(atom.call is not None for atom in call.given):
            by_history[call.marks[len(call.atoms or ())]] = call.given
            by_id.update({atom.call.id: call.given for atom in call.given if atom.call is not None})


def _is_item(atom: Atom) -> bool:
    return atom.call is not None and atom.call.id is not None and atom.call.id.startswith(ITEM)
