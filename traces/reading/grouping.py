"""Which spans make one conversation: by its id, by copies and strays, by histories that go on, else by trace."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from traces.conversation import TraceWarning
from traces.dialects.common import CONVERSATION_IDS
from traces.identity import service_of
from traces.log_record import LogRecord
from traces.reading.askers import Askers
from traces.reading.compare import canonical, last_part
from traces.reading.fitting import MOST, doubt, gone_on, open_ones
from traces.reading.forest import Node
from traces.reading.model_calls import Call

_RANK = {name: rank for rank, name in enumerate(CONVERSATION_IDS)}


@dataclass(slots=True, eq=False)
class Group:
    """The spans and model calls of one conversation. `joined`: the rule that put its traces together; `notes`: where
    that was in doubt.
    """

    nodes: list[Node] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    logs: list[LogRecord] = field(default_factory=list)
    id: str | None = None
    joined: str = "trace"
    notes: list[TraceWarning] = field(default_factory=list)


Unit = tuple[str, str | None]
"""A trace, or the part of it that belongs to one conversation: the trace's id and the conversation's."""


def groups(
    nodes: Sequence[Node],
    calls: Sequence[Call],
    loose: Sequence[LogRecord] = (),
    fitting: Mapping[int, int] = MappingProxyType({}),
) -> list[Group]:
    """The conversations, in the order of their first spans.

    An id counts for its whole trace, and for the spans below it where a trace holds several; that of a sub-agent within
    a tool is none. What has no id joins by a model call that both show, by tool calls that were asked for elsewhere, by
    a history that goes on from another's.
    `fitting`: how many conversations the history of a trace fits (by its id's hash), as far as others than these count.
    """
    if not loose and (only := _only(nodes)) is not None:
        return [Group([*nodes], [*calls], [], *only)]
    unit, named = _units(nodes)
    sets = _Sets(unit.values())
    for conversation, rule in named:
        sets.name(conversation, rule)
    _applications(unit, sets)
    for call in calls:
        for node in call.nodes[1:]:
            sets.join(unit[call.node], unit[node])
    _strays(nodes, calls, unit, sets)
    _histories(calls, unit, sets, fitting)
    return _gather(nodes, calls, loose, unit, sets)


def _only(nodes: Sequence[Node]) -> tuple[str, str] | None:
    """The id that all traces have, with the surest attribute that gives it; None if there are others or none."""
    found = {node.facts.conversation for node in nodes if node.facts.conversation is not None}
    if len({conversation for conversation, _ in found}) != 1:
        return None
    resources = {id(node.span.resource): node.span for node in nodes}  # those of one process share it
    if len({service_of(span) for span in resources.values()}) > 1:
        return None
    traces = {node.span.trace_id for node in nodes}
    if len(traces) > 1 and traces != {node.span.trace_id for node in nodes if node.facts.conversation is not None}:
        return None
    return min(found, key=lambda one: _rank(one[1]))


def _applications(unit: Mapping[Node, Unit], sets: _Sets) -> None:
    """Joins what has the same id, but for what agents of different applications do in traces of their own: two may
    count their conversations from 1. What names no application belongs to the only one that there is.
    """
    told: dict[Unit, set[str]] = {}
    for node, one in unit.items():
        if one[1] is not None:
            told.setdefault(one, set()).add(_application(node))
    named: dict[str | None, set[str]] = {}
    for one, services in told.items():
        services.discard("")
        named.setdefault(one[1], set()).update(services)
    for one, services in told.items():
        only = named[one[1]] if len(named[one[1]]) == 1 else {""}
        for service in services or only:
            sets.join(one, (service, one[1]))


def _application(node: Node) -> str:
    """The application whose agent this span tells of; empty where it tells of none, or names none."""
    if node.facts.kind not in ("model", "agent"):
        return ""
    return service_of(node.span)


class _Sets:
    """Units that belong together."""

    def __init__(self, units: Iterable[Unit]) -> None:
        self._above: dict[Unit, Unit] = {unit: unit for unit in units}
        self.rules: dict[str, str] = {}
        self.by_history: dict[Unit, int] = {}

    def name(self, conversation: str, rule: str) -> None:
        """Notes which attribute gave a conversation's id: the surest of those that did."""
        old = self.rules.get(conversation)
        if old is None or _rank(rule) < _rank(old):
            self.rules[conversation] = rule

    def join(self, one: Unit, other: Unit) -> None:
        """Puts two units together. A unit with an id stands for both."""
        first, second = self.of(one), self.of(other)
        if first != second:
            if (first[1] is None, first) > (second[1] is None, second):
                first, second = second, first
            self._above[second] = first

    def of(self, unit: Unit) -> Unit:
        """The unit that stands for all that are put together with this one."""
        above = self._above.setdefault(unit, unit)
        while above != self._above[above]:
            self._above[unit] = above = self._above[above]
        return above


def _rank(rule: str) -> int:
    return _RANK.get(rule, len(_RANK))


def _units(nodes: Sequence[Node]) -> tuple[dict[Node, Unit], list[tuple[str, str]]]:
    """The unit of every span; and the ids with the attributes that gave them."""
    given: dict[str, dict[tuple[str, str], None]] = {}
    for node in nodes:
        if node.facts.conversation is not None:
            given.setdefault(node.span.trace_id, {})[node.facts.conversation] = None
    for node in nodes:
        if node.tool is not None and (own := node.facts.conversation) is not None and own != _outermost(node):
            given[node.span.trace_id].pop(own, None)
    ids: dict[str, dict[str, str]] = {}
    whole: dict[str, Unit] = {}
    for trace, found in given.items():
        best = min(_rank(rule) for _, rule in found)
        ids[trace] = {conversation: rule for conversation, rule in found if _rank(rule) == best}
        if len(ids[trace]) == 1:
            whole[trace] = (trace, next(iter(ids[trace])))
    unit: dict[Node, Unit] = {}
    divided = []
    for node in nodes:
        trace = node.span.trace_id
        if trace in whole:
            unit[node] = whole[trace]
        elif trace not in ids:
            unit[node] = whole[trace] = (trace, None)
        else:
            divided.append(node)
    if divided:
        _divide(divided, ids, unit)
    return unit, [named for found in ids.values() for named in found.items()]


def _outermost(node: Node) -> tuple[str, str] | None:
    """The id that a span gives; within a tool, that of the conversation which called it."""
    own, above = node.facts.conversation, node.tool
    while own is not None and above is not None:
        own, above = above.facts.conversation or own, above.parent
    return own


def _divide(nodes: Sequence[Node], ids: dict[str, dict[str, str]], unit: dict[Node, Unit]) -> None:
    """Of traces with several ids: a span has its own, else that of the nearest above, else the only one below."""
    below: dict[Node, set[str]] = {}
    for node in nodes:
        own = _outermost(node)
        if own is None or own[0] not in ids[node.span.trace_id]:
            continue
        unit[node] = (node.span.trace_id, own[0])
        above = node.parent
        while above is not None and own[0] not in below.setdefault(above, set()):
            below[above].add(own[0])
            above = above.parent
    for node in nodes:
        trail = []
        seen: Node | None = node
        while seen is not None and seen not in unit:
            trail.append(seen)
            seen = seen.parent
        for one in trail:
            under = below.get(one, set())
            inherited = unit[seen][1] if seen is not None else None
            unit[one] = (one.span.trace_id, inherited or (next(iter(under)) if len(under) == 1 else None))


def _strays(nodes: Sequence[Node], calls: Sequence[Call], unit: dict[Node, Unit], sets: _Sets) -> None:
    """Joins tool spans without their context to the conversation that asked for them, other spans to what they link."""
    full = {sets.of(unit[call.node]) for call in calls}
    lost = [node for node in nodes if sets.of(unit[node]) not in full]
    if not lost:
        return
    askers, ran = Askers(calls), _Ran([node for node in nodes if sets.of(unit[node]) in full])
    spans = {(node.span.trace_id, node.span.span_id): node for node in nodes}
    for node in lost:
        found = askers.of(node)
        if len({sets.of(unit[call.node]) for call in found}) == 1 and not all(ran.of(call, node) for call in found):
            sets.join(unit[found[0].node], unit[node])
        for link in node.span.links:
            if link in spans and unit[node][1] is None:
                sets.join(unit[spans[link]], unit[node])


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
        return any(call.end <= start <= stray.span.start for start in starts)


def _histories(calls: Sequence[Call], unit: dict[Node, Unit], sets: _Sets, fitting: Mapping[int, int]) -> None:
    """Joins what has no id to the conversation that its history goes on from, if need be by the words in it alone."""
    gone = gone_on(calls)
    states: dict[int, list[Call]] = {}
    spoken: dict[int | None, list[Call]] = {}
    unheard: dict[int, list[Call]] = {}
    for call in calls:
        if call.is_known_again:
            states.setdefault(call.state, []).append(call)
            spoken.setdefault(call.spoken, []).append(call)
        elif call.is_unheard:
            unheard.setdefault(call.state, []).append(call)
    remembered = _Remembered(calls)
    for call in calls:
        mine = sets.of(unit[call.node])
        if mine[1] is not None or not call.atoms or call.cut:
            continue
        if (before := remembered.before(call)) is not None:
            gone.add(before)
            if sets.of(unit[before.node]) != mine:
                sets.join(unit[before.node], unit[call.node])
                sets.by_history[unit[call.node]] = 1
            continue
        fit = _fit(states, reversed(call.marks[1 : len(call.atoms) + 1]), call.start)
        if not fit and len(spoken) > 1:
            fit = _fit(spoken, call.heard(), call.start)
        if not fit and unheard:
            fit = _fit(unheard, call.openings(), call.start)
        if not fit or any(sets.of(unit[other.node]) == mine for other in fit):
            continue
        fit = open_ones(fit, gone.__contains__)
        own = unit[call.node]
        count = max(len({sets.of(unit[other.node]) for other in fit}), fitting.get(hash(own[0]), 0))
        gone.add(fit[-1])
        sets.join(unit[fit[-1].node], own)
        sets.by_history[own] = count


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
        """That of the response which it names, else the last before it that asked for what its history tells of."""
        named = self._responses.get(call.previous or "")
        asked = (other for name in call.elsewhere for other in reversed(self._askers.get(name, ())))
        return named or next((other for other in asked if other.end <= call.start), None)


def _fit(calls: Mapping[Any, Sequence[Call]], digests: Iterable[int], start: int) -> Sequence[Call]:
    """Of the first of these digests that there is a call for, the last ones that ended before."""
    for digest in digests:
        before = [call for call in calls.get(digest, ()) if call.end <= start]
        if before:
            return before[-MOST:]
    return ()


def _gather(
    nodes: Sequence[Node],
    calls: Sequence[Call],
    loose: Iterable[LogRecord],
    unit: dict[Node, Unit],
    sets: _Sets,
) -> list[Group]:
    found: dict[Unit, Group] = {}
    tops = {one: sets.of(one) for one in set(unit.values())}
    for node in nodes:
        top = tops[unit[node]]
        if top not in found:
            found[top] = Group()
        found[top].nodes.append(node)
    for call in calls:
        found[tops[unit[call.node]]].calls.append(call)
    traces: dict[str, Group] = {}
    ids: dict[str, list[Group]] = {}
    for top, group in found.items():
        group.id = top[1]
        if top[1] is not None:
            group.joined = sets.rules[top[1]]
            ids.setdefault(top[1], []).append(group)
        elif sets.by_history and any(unit[node] in sets.by_history for node in group.nodes):
            group.joined = "history"
    for one, count in sets.by_history.items():
        if count > 1:
            found[tops[one]].notes.append(doubt(count))
    for record in loose:
        if not traces:
            traces = {node.span.trace_id: group for group in found.values() for node in group.nodes}
        named = record.attributes.get(CONVERSATION_IDS[0])
        home = traces.get(record.trace_id or "")
        if isinstance(named, str) and named in ids:
            home = _home(record, ids[named], home)
        if home is not None:
            home.logs.append(record)
    return list(found.values())


def _home(record: LogRecord, named: Sequence[Group], near: Group | None) -> Group | None:
    """Of the conversations of the id that a record names, the one in its trace, or of its application, or the only."""
    if len(named) == 1 or near in named:
        return named[0] if len(named) == 1 else near
    service = service_of(record)
    same = [group for group in named if any(service_of(node.span) == service for node in group.nodes)]
    return same[0] if len(same) == 1 else near
