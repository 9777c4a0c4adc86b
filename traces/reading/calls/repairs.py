"""Histories that are not told as they were: put right by what other model calls tell."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from itertools import islice

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
