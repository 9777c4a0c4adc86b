"""Which spans tell of the same model call: instrumentations of a framework and of its client see it both."""

from __future__ import annotations

from bisect import insort
from collections import Counter, deque
from collections.abc import Sequence

from traces.dialects.facts import Facts, Message
from traces.reading.tree.forest import Node


def copies(nodes: Sequence[Node]) -> list[list[Node]]:
    """The spans of model calls, those of the same call together.

    Two are the same if they give the same response id and don't lie apart in time; or if one is within the other, or
    both are of different instrumentations and overlap in time, and they agree in what they say of model, tokens and
    output. A span around others that it does not agree with is a sum over them, not a call, and left out.
    """
    if _is_plain(nodes):
        return [[node] for node in nodes]
    groups = _Groups(nodes)
    _by_response(nodes, groups)
    _by_ancestry(nodes, groups)
    _by_time(nodes, groups)
    around = {node.model for node in nodes if node.model is not None and not groups.together(node, node.model)}
    return [group for group in groups.all() if not _is_sum(group, around)]


def _is_plain(nodes: Sequence[Node]) -> bool:
    """Whether no two spans can be of the same call: one instrumentation, none within another, no response twice."""
    responses = [node.facts.response_id for node in nodes if node.facts.response_id]
    return (
        len(set(responses)) == len(responses)
        and len({node.span.scope for node in nodes}) < 2
        and all(node.model is None for node in nodes)
    )


class _Groups:
    """Which spans are the same call."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._of = {node: [node] for node in nodes}
        self._scopes = {node: {node.span.scope} for node in nodes}

    def join(self, one: Node, other: Node) -> None:
        first, second = self._of[one], self._of[other]
        if first is not second:
            first.extend(second)
            self._of.update(dict.fromkeys(second, first))
            self._scopes[one] |= self._scopes[other]
            self._scopes.update(dict.fromkeys(second, self._scopes[one]))

    def together(self, one: Node, other: Node) -> bool:
        return self._of[one] is self._of[other]

    def scopes(self, node: Node) -> set[str]:
        """The instrumentations that show the call of this span."""
        return self._scopes[node]

    def all(self) -> list[list[Node]]:
        return list({id(group): group for group in self._of.values()}.values())


def _by_response(nodes: Sequence[Node], groups: _Groups) -> None:
    counts = Counter([node.facts.response_id for node in nodes if node.facts.response_id])
    seen: dict[str, _SameResponse] = {}
    for node in nodes:
        response = node.facts.response_id
        if response and counts[response] > 1:
            same = seen.setdefault(response, _SameResponse())
            if (other := same.near(node)) is not None:
                groups.join(other, node)
            same.add(node)


class _SameResponse:
    """Spans that give the same response id, in the order of their starts."""

    def __init__(self) -> None:
        self._place: dict[Node, int] = {}
        self._running: deque[Node] = deque()
        self._around: dict[Node, Node] = {}

    def add(self, node: Node) -> None:
        """One that starts after them."""
        self._place[node] = len(self._place)
        self._running.append(node)
        for above in node.above():
            if above in self._around:
                break  # and so are all above that
            self._around[above] = node

    def near(self, node: Node) -> Node | None:
        """The first that does not lie apart from this one: at the same time, or one within the other."""
        running = self._running
        while running and running[0].span.end < node.span.start:
            running.popleft()
        found = [above for above in node.above() if above in self._place]
        found += [self._around[node]] if node in self._around else ()
        found += [running[0]] if running and _overlap(node, running[0]) else ()
        return min(found, key=self._place.__getitem__, default=None)


def _by_ancestry(nodes: Sequence[Node], groups: _Groups) -> None:
    inner: dict[Node, list[Node]] = {}
    for node in nodes:
        if node.model is not None:
            inner.setdefault(node.model, []).append(node)
    for outer, found in inner.items():
        if len(found) == 1 and outer.facts.usage is None and not (outer.facts.output and found[0].facts.output):
            groups.join(outer, found[0])  # what one of them says the other doesn't
        agreed = [node for node in found if _agree(outer.facts, node.facts)]
        if agreed and not any(groups.together(outer, node) for node in found):
            groups.join(outer, agreed[-1])


def _by_time(nodes: Sequence[Node], groups: _Groups) -> None:
    seeing = len({node.span.scope for node in nodes})
    if seeing < 2:
        return
    alike: dict[object, _Alike] = {}
    for node in nodes:
        usage = node.facts.usage
        keys: list[object] = [(usage.input, usage.output)] if usage is not None else []
        if node.facts.output:
            keys.append(shape(node.facts.output))
        for key in keys:
            alike.setdefault(key, _Alike(groups, seeing)).join(node)


class _Alike:
    """Spans of equal tokens or output in the order of their starts, by their scopes and all those of their call."""

    def __init__(self, groups: _Groups, seeing: int) -> None:
        self._groups, self._seeing = groups, seeing
        self._by_scope: dict[str, dict[frozenset[str], list[Node]]] = {}

    def join(self, node: Node) -> None:
        """Joins one that starts after them to its copies."""
        for scope, lines in self._by_scope.items():
            if scope == node.span.scope:
                continue
            some = [line for scopes, line in lines.items() if node.span.scope not in scopes]
            found = [other for line in some if (other := self._nearest(line, node)) is not None]
            if found:
                self._groups.join(min(found, key=lambda other: (_apart(node, other), _start(other))), node)
        self._add(node)

    def _add(self, node: Node) -> None:
        scopes = frozenset(self._groups.scopes(node))
        if len(scopes) < self._seeing:
            lines = self._by_scope.setdefault(node.span.scope, {})
            insort(lines.setdefault(scopes, []), node, key=_start)

    def _nearest(self, line: list[Node], node: Node) -> Node | None:
        """The copy that is the least apart in time. What has ended is forgotten."""
        best, rest = None, []
        while line and (best is None or _start(node) - _start(line[-1]) <= _apart(node, best)):
            other = line.pop()
            if node.span.scope in self._groups.scopes(other):
                self._add(other)  # it is seen by more since
            elif _overlap(node, other):
                rest.append(other)
                if _is_copy(node, other) and (best is None or _apart(node, other) <= _apart(node, best)):
                    best = other
        line += reversed(rest)
        return best


def _is_copy(node: Node, other: Node) -> bool:
    if node.facts.conversation is not None and other.facts.conversation not in (None, node.facts.conversation):
        return False
    return _agree(node.facts, other.facts)


def _start(node: Node) -> int:
    return node.span.start


def _apart(node: Node, other: Node) -> int:
    return abs(node.span.start - other.span.start) + abs(node.span.end - other.span.end)


def _is_sum(group: Sequence[Node], around: set[Node]) -> bool:
    return len(group) == 1 and not group[0].facts.response_id and group[0] in around


def _overlap(one: Node, other: Node) -> bool:
    return one.span.start <= other.span.end and other.span.start <= one.span.end


def _agree(one: Facts, other: Facts) -> bool:
    """Whether two spans contradict each other in nothing and agree in tokens or output."""
    if one.response_id and other.response_id and one.response_id != other.response_id:
        return False
    if not _same_model(one, other):
        return False
    proof = False
    if one.usage is not None and other.usage is not None:
        if (one.usage.input, one.usage.output) != (other.usage.input, other.usage.output):
            return False
        proof = True
    if one.output and other.output and not any(message.cut for message in (*one.output, *other.output)):
        if shape(one.output) != shape(other.output):
            return False
        proof = True
    return proof


def _same_model(one: Facts, other: Facts) -> bool:
    mine = {name for name in (one.model, one.response_model) if name}
    theirs = {name for name in (other.model, other.response_model) if name}
    return not mine or not theirs or any(a.startswith(b) or b.startswith(a) for a in mine for b in theirs)


def shape(output: Sequence[Message]) -> tuple[object, ...]:
    """What outputs of the same call have in common, however they are written: text and names of tools."""
    return (
        "\n".join([text for message in output if (text := message.text.strip())]),
        tuple([call.name for message in output for call in message.calls]),
    )
