"""Which spans make one conversation: by its id, by copies and strays, by histories that go on, else by trace."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from traces.conversation import TraceWarning
from traces.dialects.common import CONVERSATION_IDS
from traces.identity import service_of
from traces.log_record import LogRecord
from traces.reading.calls.model_calls import Call
from traces.reading.joining.continuations import join_histories
from traces.reading.joining.disjoint import DisjointSets
from traces.reading.joining.fitting import doubt
from traces.reading.joining.lost_beginnings import join_beginnings
from traces.reading.joining.strays import join_strays
from traces.reading.joining.units import Unit, rank, units
from traces.reading.tree.forest import Node


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


def groups(
    nodes: Sequence[Node],
    calls: Sequence[Call],
    loose: Sequence[LogRecord] = (),
    fitting: Mapping[int, int] = MappingProxyType({}),
) -> list[Group]:
    """The conversations, in the order of their first spans.

    An id counts for its whole trace, and for the spans below it where a trace holds several; that of a sub-agent within
    a tool is none. What has no id joins by a model call that both show, by tool calls that were asked for elsewhere, by
    a history that goes on from another's, or is what another's began with.
    `fitting`: how many conversations the history of a trace fits (by its id's hash), as far as others than these count.
    """
    if not loose and (only := _only(nodes)) is not None:
        return [Group([*nodes], [*calls], [], *only)]
    unit, rules = units(nodes)
    sets = DisjointSets(unit.values())
    _join_named(unit, sets)
    for call in calls:
        for node in call.nodes[1:]:
            sets.join(unit[call.node], unit[node])
    join_strays(nodes, calls, unit, sets)
    by_history = join_histories(calls, unit, sets, fitting) | join_beginnings(nodes, calls, unit, sets, fitting)
    found = _gather(nodes, calls, unit, sets, rules, by_history)
    if loose:
        _put_loose(loose, found)
    return found


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
    return min(found, key=lambda one: rank(one[1]))


def _join_named(unit: Mapping[Node, Unit], sets: DisjointSets) -> None:
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
            sets.join(one, (service, one[1]))  # a unit of no trace: the application's conversation of this id


def _application(node: Node) -> str:
    """The application whose agent this span tells of; empty where it tells of none, or names none."""
    if node.facts.kind not in ("model", "agent"):
        return ""
    return service_of(node.span)


def _gather(
    nodes: Iterable[Node],
    calls: Iterable[Call],
    unit: Mapping[Node, Unit],
    sets: DisjointSets,
    rules: Mapping[str, str],
    by_history: Mapping[Unit, int],
) -> list[Group]:
    found: dict[Unit, Group] = {}
    tops = {one: sets.of(one) for one in set(unit.values())}
    for node in nodes:
        top = tops[unit[node]]
        if top not in found:
            found[top] = Group(id=top[1], joined="trace" if top[1] is None else rules[top[1]])
        found[top].nodes.append(node)
    for call in calls:
        found[tops[unit[call.node]]].calls.append(call)
    for one, count in by_history.items():
        group = found[tops[one]]
        if group.id is None:
            group.joined = "history"
        if count > 1:
            group.notes.append(doubt(count))
    return list(found.values())


def _put_loose(loose: Iterable[LogRecord], found: Sequence[Group]) -> None:
    """Puts log records without a span to the conversation in whose trace they are; if they name another one, to that,
    and of several with that id to the only one of their application.
    """
    traces = {node.span.trace_id: group for group in found for node in group.nodes}
    named: dict[str, list[Group]] = {}
    of_service: dict[tuple[str, str], list[Group]] = {}
    for group in found:
        if group.id is not None:
            named.setdefault(group.id, []).append(group)
            for service in {service_of(node.span) for node in group.nodes}:
                of_service.setdefault((group.id, service), []).append(group)
    for record in loose:
        home = traces.get(record.trace_id or "")
        name = record.attributes.get(CONVERSATION_IDS[0])
        if isinstance(name, str) and name in named and (home is None or home.id != name):
            fit = named[name] if len(named[name]) == 1 else of_service.get((name, service_of(record)), ())
            home = fit[0] if len(fit) == 1 else home
        if home is not None:
            home.logs.append(record)
