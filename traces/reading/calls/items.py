"""Tool calls that were asked for under the ids of the items that hold them, and are answered under their own."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace

from traces.dialects.content.pairing import ITEM
from traces.dialects.facts import Answer, AskedCall
from traces.reading.calls.atoms import Atom
from traces.reading.calls.model_calls import Call
from traces.reading.compare import canonical, tool_name
from traces.reading.tree.forest import Node

_Ids = dict[str | None, str | None]
"""The ids of calls by those of their items."""


def name_asked(calls: Sequence[Call], nodes: Iterable[Node]) -> None:
    """Gives such calls the ids that later histories tell, or those of their answers. `nodes`: with the tools' spans."""
    asking = [call for call in calls if any(map(_is_item, call.given))]
    if not asking:
        return
    told = (atom.call for call in calls for atom in call.atoms or () if atom.call is not None)
    ids: _Ids = {call.item: call.id for call in told if call.item is not None}
    tools = (node.facts.tool for node in nodes if node.facts.kind == "tool" and node.facts.tool is not None)
    ids.update(_answered(calls, ids, {tool.id: tool for tool in tools}))
    for call in asking:
        call.given = [
            replace(atom, call=replace(atom.call, id=ids[atom.call.id]))
            if atom.call is not None and atom.call.id in ids
            else atom
            for atom in call.given
        ]


def _answered(calls: Sequence[Call], known: _Ids, shown: Mapping[str | None, AskedCall]) -> _Ids:
    """Of items whose calls no history tells, for the server remembers them, the ids of the answers that come next in
    the same run, else conversation: where there are as many.
    """
    waiting: dict[object, list[AskedCall]] = {}
    found: _Ids = {}
    for call in calls:
        node = call.node
        place = node.run if node.run is not node else node.facts.conversation or node
        if call.alone:
            asked = waiting.pop(place, [])
            if len(asked) == len(call.alone):
                found.update(_pairs(asked, call.alone, shown))
        if items := [atom.call for atom in call.given if atom.call is not None and _is_item(atom)]:
            waiting[place] = [item for item in items if item.id not in known]
    return found


def _pairs(asked: Sequence[AskedCall], answers: Sequence[Answer], shown: Mapping[str | None, AskedCall]) -> _Ids:
    """Answers may come in the order in which the tools were done: which is whose is told by the tool's span, that has
    the call's own id, or by the name that an answer has; only the rest goes by order.
    """
    found: _Ids = {}
    left = [(answer.id, shown.get(answer.id) or AskedCall(answer.name or "")) for answer in answers]
    rules: tuple[Callable[[AskedCall], Hashable], ...] = (_what, _name, _any)
    for rule in rules:
        like: dict[Hashable, deque[str | None]] = {}
        for call in asked:
            if call.id not in found:
                like.setdefault(rule(call), deque()).append(call.id)
        waiting, left = left, []
        for call_id, seen in waiting:
            if same := like.get(rule(seen)):
                found[same.popleft()] = call_id
            else:
                left.append((call_id, seen))
    return found


def _what(call: AskedCall) -> Hashable:
    return tool_name(call.name), canonical(call.arguments)


def _name(call: AskedCall) -> Hashable:
    return tool_name(call.name)


def _any(call: AskedCall) -> Hashable:
    return None


def _is_item(atom: Atom) -> bool:
    return atom.call is not None and atom.call.id is not None and atom.call.id.startswith(ITEM)
