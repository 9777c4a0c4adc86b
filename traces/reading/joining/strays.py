"""Spans that have lost their context, put to the conversation that they belong to."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from traces.reading.calls.model_calls import Call
from traces.reading.compare import canonical, last_part
from traces.reading.joining.askers import Askers
from traces.reading.joining.disjoint import DisjointSets
from traces.reading.joining.units import Unit
from traces.reading.tree.forest import Node

Named = tuple[str, str]
"""A tool call: its id, which some models count from 1 again in each conversation, and the last part of its name."""


def join_strays(nodes: Sequence[Node], calls: Sequence[Call], unit: Mapping[Node, Unit], sets: DisjointSets) -> None:
    """Joins tool spans without their context to the conversation that asked for them, or of which only histories tell
    that it did; other spans to what they link.
    """
    full = {sets.of(unit[call.node]) for call in calls}
    lost = [node for node in nodes if sets.of(unit[node]) not in full]
    if not lost:
        return
    askers, ran = Askers(calls), _Ran([node for node in nodes if sets.of(unit[node]) in full])
    tellers: dict[Named, Unit] | None = None
    spans = {(node.span.trace_id, node.span.span_id): node for node in nodes}
    for node in lost:
        found = askers.of(node)
        if len({sets.of(unit[call.node]) for call in found}) == 1 and not all(ran.of(call, node) for call in found):
            sets.join(unit[found[0].node], unit[node])
        elif not found and (tool := node.facts.tool) is not None and tool.id is not None:
            tellers = _tellers(calls, unit, sets) if tellers is None else tellers
            if (teller := tellers.get((tool.id, last_part(tool.name)))) is not None:
                sets.join(teller, unit[node])
        for link in node.span.links:
            if link in spans and unit[node][1] is None:
                sets.join(unit[spans[link]], unit[node])


def unasked(calls: Sequence[Call]) -> set[Named]:
    """The tool calls that a conversation's histories tell of by an id, though what asked for them did not come."""
    asked = {atom.call.id for call in calls for atom in call.given if atom.call is not None}
    return {
        (told.id, last_part(told.name))
        for call in calls
        for atom in call.atoms or ()
        if (told := atom.call) is not None and told.id is not None and told.id not in asked
    }


def _tellers(calls: Iterable[Call], unit: Mapping[Node, Unit], sets: DisjointSets) -> dict[Named, Unit]:
    """The conversations with an id of which only histories tell that they asked for a call, by that."""
    found: dict[Unit, list[Call]] = {}
    for call in calls:
        found.setdefault(sets.of(unit[call.node]), []).append(call)
    told = Counter[Named]()
    of: dict[Named, Unit] = {}
    for one, group in found.items():
        for name in unasked(group) if one[1] is not None else ():
            told[name] += 1
            of[name] = one
    return {name: one for name, one in of.items() if told[name] == 1}


class _Ran:
    """Which calls without an id have their own span: one in a trace of theirs, since they were asked for."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        self._starts: dict[tuple[str, str, str], list[int]] = {}
        for node in nodes:
            if (tool := node.facts.tool) is not None:
                key = node.span.trace_id, last_part(tool.name), canonical(tool.arguments)
                self._starts.setdefault(key, []).append(node.span.start)

    def of(self, call: Call, stray: Node) -> bool:
        """Whether the tool that a stray span shows had run for this call before, as a span of the call's trace."""
        tool = stray.facts.tool
        if tool is None or tool.id is not None:
            return False
        starts = self._starts.get((call.node.span.trace_id, last_part(tool.name), canonical(tool.arguments)), ())
        return bisect_left(starts, call.end) < bisect_right(starts, stray.span.start)
