"""The spans, each once, as trees; and what a span takes over from those above it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from traces.dialects.facts import Facts
from traces.dialects.registry import facts
from traces.genai import TURN
from traces.identity import distinct_logs, distinct_spans
from traces.log_record import LogRecord
from traces.reading.tree.call_records import NO_TRACE, Key, by_span
from traces.reading.tree.lost_spans import LOST, stand_in
from traces.reading.tree.teams import follow
from traces.reading.tree.untraced import UNTRACED, untraced
from traces.span import Span

_SERVERS = ("server", "consumer")


class Node:
    """A span with its facts. What is below is taken from the spans above it, None where none of them gives it.

    `run`: the one that is marked as a turn, else the outermost agent's, else the outermost server's, else the root; of
    spans that have one parent which did not come, a stand-in for it.
    `tool`: the tool's span that it is within. `model`: the nearest model call's span above, unless a tool's or an
    agent's is between: what that does is no part of the call. `agent`: the agent that it belongs to. `lost`: the span
    did not come, only its log records did.
    """

    __slots__ = ("_root", "_run", "agent", "facts", "lost", "model", "parent", "span", "tool")

    def __init__(self, facts: Facts, lost: bool = False) -> None:
        self.facts, self.span, self.agent, self.lost = facts, facts.span, facts.agent, lost
        self.parent: Node | None = None
        self.tool: Node | None = None
        self.model: Node | None = None
        # A node that held itself would outlive its conversation, and with it all that its span says.
        self._root: Node | None = None
        self._run: Node | None = None

    def above(self) -> Iterator[Node]:
        """The spans above it, the nearest first."""
        above = self.parent
        while above is not None:
            yield above
            above = above.parent

    @property
    def root(self) -> Node:
        """The uppermost span above it; itself where there is none."""
        return self._root or self

    @property
    def run(self) -> Node:
        """The span that stands for the handling of one message."""
        return self._run or self

    @run.setter
    def run(self, run: Node) -> None:
        self._run = run


def forest(spans: Iterable[Span], logs: Iterable[LogRecord]) -> tuple[list[Node], list[LogRecord]]:
    """The spans in the order of their starts, and the log records that belong to none of them.

    A span or record that came twice counts once, and the order in which they come changes nothing but that of records
    of one span and time.
    """
    return trees(distinct_spans(spans), distinct_logs(logs))


def trees(spans: Sequence[Span], logs: Iterable[LogRecord]) -> tuple[list[Node], list[LogRecord]]:
    """The same of spans and records that are each there once, in order of time."""
    told = by_span(logs, spans)
    nodes: dict[Key, Node] = {}
    for span in spans:
        key = (span.trace_id, span.span_id)
        nodes[key] = Node(facts(span, told.pop(key, ()) if told else ()))
    order = list(nodes.values())
    alone = list(_untraced(told)) if NO_TRACE in told else []
    lost = [node for records in told.values() if (node := _lost(records)) is not None]
    for node in lost:
        del told[(node.span.trace_id, node.span.span_id)]
    if alone or lost:
        nodes.update({(node.span.trace_id, node.span.span_id): node for node in alone})
        order = [*order, *alone, *lost]
        order.sort(key=lambda node: (node.span.start, node.span.trace_id, node.span.span_id))
    orphans = [node for node in order if node.span.parent_id is not None and _parent(node) not in nodes]
    if orphans:
        _adopt(orphans, nodes, order)
        _bring_together([node for node in orphans if _parent(node) not in nodes])
    _hang(nodes, order)
    if lost:
        _hang_lost(lost, order)
    if leads := [node for node in order if node.facts.leads]:
        follow(leads, order)
    return order, [record for group in told.values() for record in group]


def _untraced(told: dict[Key, list[LogRecord]]) -> Iterator[Node]:
    """The spans that records of no trace stand for; these records belong to nothing else then."""
    taken: set[int] = set()
    loose = told.pop(NO_TRACE)
    for span, records in untraced(loose):
        node = Node(facts(span, records), lost=True)
        taken.update(map(id, records))
        if span.parent_id is None:
            node.facts.notes.append(UNTRACED)
        yield node
    if left := [record for record in loose if id(record) not in taken]:
        told[NO_TRACE] = left


def _lost(records: Sequence[LogRecord]) -> Node | None:
    span = stand_in(records)
    if span is None:
        return None
    node = Node(facts(span, records), lost=True)
    node.facts.notes.append(LOST)
    return node


def _parent(node: Node) -> Key:
    return node.span.trace_id, node.span.parent_id


def _adopt(orphans: Iterable[Node], nodes: dict[Key, Node], order: Iterable[Node]) -> None:
    """Lets an agent's run that is the root of its trace stand for the parents that did not come, of what it lasted for:
    what was between is not known.
    """
    roots = _roots(order)
    for node in orphans:
        found = roots.get(node.span.trace_id, ())
        if len(found) == 1 and _is_run(found[0]) and found[0].span.start <= node.span.start <= found[0].span.end:
            nodes[_parent(node)] = found[0]


def _roots(order: Iterable[Node]) -> dict[str, list[Node]]:
    roots: dict[str, list[Node]] = {}
    for node in order:
        if node.span.parent_id is None and not node.lost:
            roots.setdefault(node.span.trace_id, []).append(node)
    return roots


def _bring_together(orphans: Sequence[Node]) -> None:
    """Gives the spans of one parent that did not come, as it has not ended yet or died with its process, one run.

    That there are tools among them shows that it is an agent's, and not what sent it many requests. Where a trace has
    one such run, model calls without words that lost their own parents are of it too.
    """
    families: dict[Key, list[Node]] = {}
    for node in orphans:
        families.setdefault(_parent(node), []).append(node)
    brought: dict[str, list[Node]] = {}
    for (trace, parent), family in families.items():
        if len(family) > 1 and any(node.facts.kind == "tool" for node in family):
            start, end = min(node.span.start for node in family), max(node.span.end for node in family)
            stands = Node(
                Facts("other", "", Span(trace or "", parent or "", None, "", "internal", start, end)), lost=True
            )
            brought.setdefault(stands.span.trace_id, []).append(stands)
            for node in family:
                node._root = stands
                if not _is_run(node) and node.span.kind not in _SERVERS:
                    node._run = stands
    for node in orphans if brought else ():
        runs = brought.get(node.span.trace_id, ())
        if len(runs) == 1 and node.facts.kind == "model" and not node.facts.input:
            node._root = node._run = runs[0]


def _hang(nodes: dict[Key, Node], order: Sequence[Node]) -> None:
    """Hangs every node under its parent and hands down what is taken over, parents first."""
    hung: set[Node] = set()
    late: dict[Node, list[Node]] = {}
    for node in order:
        span = node.span
        above = None if span.parent_id is None else nodes.get((span.trace_id, span.parent_id))
        if above is None or above in hung:  # most begin after their parents
            _under(above, node)
            hung.add(node)
        elif above in late:
            late[above].append(node)
        else:
            late[above] = [node]
    below = list(hung) if late else []
    for node in below:  # grows while it is walked; spans that are each other's parents hang from nothing
        for child in late.get(node, ()):
            _under(node, child)
            below.append(child)


def _hang_lost(lost: Iterable[Node], order: Iterable[Node]) -> None:
    """Hangs those whose own spans did not come under the root of their trace, if it has but one and that lasted so
    long: what was between is not known.
    """
    roots = _roots(order)
    for node in lost:
        found = roots.get(node.span.trace_id, ())
        if len(found) == 1 and found[0].span.start <= node.span.start and node.span.end <= found[0].span.end:
            _under(found[0], node)


def _under(parent: Node | None, node: Node) -> None:
    if parent is None:
        return
    kind, above = node.facts.kind, parent.facts.kind
    root, run = parent.root, parent.run
    node.parent, node._root = parent, root
    node.agent = node.agent or parent.agent
    node.tool = parent if above == "tool" else parent.tool
    node.model = parent if above == "model" else None if above in ("tool", "agent") else parent.model
    if TURN in node.span.attributes or (kind == "agent" and not _is_run(run)):
        return
    node._run = None if node.span.kind in _SERVERS and run is root and not _is_run(run) else run


def _is_run(node: Node) -> bool:
    """Whether this run is one that no span below it makes doubtful."""
    return node.facts.kind == "agent" or TURN in node.span.attributes
