"""Model calls, each once, however many instrumentations saw it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from traces.conversation import ModelCall
from traces.dialects.facts import Facts, Message
from traces.genai import Usage
from traces.reading.atoms import Atom, Atoms, beginnings
from traces.reading.forest import Node

PREVIOUS = "gen_ai.request.previous_response.id"
FETCH = "fetch_response"


@dataclass(slots=True, eq=False)
class Call:
    """A model call with all spans that tell of it, the one that tells the most of messages first.

    `node`: that one, with its times in nanoseconds since the epoch. `atoms`: its history, None where it was not
    captured; `cut`: only the beginning of it was. `given`: the atoms of its output. `marks`: the digests of the
    beginnings of both, one after the other. `usage`: what all of them tell of it.
    """

    nodes: list[Node]
    atoms: list[Atom] | None
    given: list[Atom]
    marks: list[int]
    cut: bool
    usage: Usage | None
    node: Node = field(init=False)
    start: int = field(init=False)
    end: int = field(init=False)

    def __post_init__(self) -> None:
        self.node = self.nodes[0]
        self.start, self.end = self.node.span.start, self.node.span.end

    @property
    def state(self) -> int:
        """The digest of history and output: what the next call of this conversation begins with."""
        return self.marks[-1]

    def first(self, name: str) -> Any:
        """The first value that one of its spans gives for a field of `Facts`."""
        for node in self.nodes:
            value = getattr(node.facts, name)
            if value is not None:
                return value
        return None

    @property
    def previous(self) -> str | None:
        """The id of the response whose history the server remembers for this call."""
        for node in self.nodes:
            found = node.facts.span.attributes.get(PREVIOUS)
            if isinstance(found, str):
                return found
        return None


def collapse(nodes: Iterable[Node]) -> list[Call]:
    """The model calls among the spans of any number of traces, in the order of their starts.

    Two spans are one call if they give the same response id and don't lie apart in time; or if one is within the other,
    or both are of different instrumentations and overlap in time, and they agree in what they say of model, tokens and
    output. A model span around others that it does not agree with is a sum over them, not a call.
    """
    nodes = list(nodes)
    spans = [node for node in nodes if node.facts.kind == "model"]
    reports: dict[str | None, Usage | None] = {
        node.facts.response_id: node.facts.usage
        for node in nodes
        if node.facts.kind == "other" and node.facts.response_id is not None
    }
    groups = _Groups(spans)
    _by_response(spans, groups)
    _by_ancestry(spans, groups)
    _by_time(spans, groups)
    atoms = Atoms()
    around = {node.model for node in spans if node.model is not None and not groups.together(node, node.model)}
    calls = [_call(group, atoms, reports) for group in groups.all() if not _is_sum(group, around)]
    return sorted(calls, key=lambda call: (call.start, call.node.span.trace_id, call.node.span.span_id))


def model_call(call: Call) -> ModelCall:
    """The call as the view shows it."""
    usage = call.usage
    error = call.first("error")
    return ModelCall(
        model=call.first("model"),
        response_model=call.first("response_model"),
        response_id=call.first("response_id"),
        usage=usage,
        missing=None if usage is not None else _why_no_usage(call),
        started=call.start,
        ended=call.end,
        streamed=call.first("streamed"),
        finish=call.first("finish"),
        error=None if error is None else ": ".join(filter(None, (error.type, error.message))) or "the span is an error",
        agent=next((node.agent for node in call.nodes if node.agent), None),
        tool_call_ids=tuple(
            [atom.call.id for atom in call.given if atom.call is not None and atom.call.id is not None]
        ),
        origin=(
            *[node.span for node in call.nodes if not node.lost],
            *[log for node in call.nodes for log in node.facts.logs],
        ),
    )


def _why_no_usage(call: Call) -> str:
    notes = [note for node in call.nodes for note in node.facts.notes if "token counts" in note]
    return notes[0] if notes else f"the span `{call.node.span.name}` gives no token counts"


class _Groups:
    """Which spans are the same call."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._of = {node: [node] for node in nodes}

    def join(self, one: Node, other: Node) -> None:
        first, second = self._of[one], self._of[other]
        if first is not second:
            first.extend(second)
            self._of.update(dict.fromkeys(second, first))

    def together(self, one: Node, other: Node) -> bool:
        return self._of[one] is self._of[other]

    def of(self, node: Node) -> list[Node]:
        return self._of[node]

    def all(self) -> list[list[Node]]:
        return list({id(group): group for group in self._of.values()}.values())


def _by_response(nodes: Sequence[Node], groups: _Groups) -> None:
    seen: dict[str, list[Node]] = {}
    for node in nodes:
        same = seen.setdefault(node.facts.response_id, []) if node.facts.response_id else []
        for other in same:
            if _overlap(node, other) or _within(node, other) or _within(other, node):
                groups.join(other, node)
                break
        same.append(node)


def _by_ancestry(nodes: Sequence[Node], groups: _Groups) -> None:
    inner: dict[Node, list[Node]] = {}
    for node in nodes:
        if node.model is not None:
            inner.setdefault(node.model, []).append(node)
    for outer, found in inner.items():
        if len(found) == 1 and outer.facts.usage is None and not outer.facts.output:
            groups.join(outer, found[0])  # says nothing of its own
        agreed = [node for node in found if _agree(outer.facts, node.facts)]
        if agreed and not any(groups.together(outer, node) for node in found):
            groups.join(outer, agreed[-1])


def _by_time(nodes: Sequence[Node], groups: _Groups) -> None:
    if len({node.span.scope for node in nodes}) < 2:
        return
    alike: dict[object, dict[str, list[Node]]] = {}
    for node in nodes:
        usage = node.facts.usage
        keys: list[object] = [(usage.input, usage.output)] if usage is not None else []
        if node.facts.output:
            keys.append(_shape(node.facts.output))
        for key in keys:
            scopes = alike.setdefault(key, {})
            for scope, others in scopes.items():
                if scope == node.span.scope:
                    continue
                others[:] = [other for other in others if other.span.end >= node.span.start]
                for other in others:
                    taken = any(seen.span.scope == node.span.scope for seen in groups.of(other))
                    if not taken and _overlap(node, other) and _agree(node.facts, other.facts):
                        groups.join(other, node)
                        break
            scopes.setdefault(node.span.scope, []).append(node)


def _is_sum(group: Sequence[Node], around: set[Node]) -> bool:
    return len(group) == 1 and not group[0].facts.response_id and group[0] in around


def _overlap(one: Node, other: Node) -> bool:
    return one.span.start <= other.span.end and other.span.start <= one.span.end


def _within(inner: Node, outer: Node) -> bool:
    above = inner.parent
    while above is not None and above is not outer:
        above = above.parent
    return above is outer


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
        if _shape(one.output) != _shape(other.output):
            return False
        proof = True
    return proof


def _same_model(one: Facts, other: Facts) -> bool:
    mine = {name for name in (one.model, one.response_model) if name}
    theirs = {name for name in (other.model, other.response_model) if name}
    return not mine or not theirs or any(a.startswith(b) or b.startswith(a) for a in mine for b in theirs)


def _shape(output: Sequence[Message]) -> tuple[object, ...]:
    return (
        "\n".join(message.text.strip() for message in output if message.text.strip()),
        tuple(call.name for message in output for call in message.calls),
    )


def _call(group: list[Node], atoms: Atoms, reports: Mapping[str | None, Usage | None]) -> Call:
    if len(group) > 1:
        group.sort(key=_telling)
    history = next((node.facts.input for node in group if node.facts.input is not None), None)
    output = next((node.facts.output for node in group if node.facts.output), None) or ()
    asked = None if history is None else atoms.of(history)
    given = atoms.of(output)
    marks = beginnings([*(asked or ()), *given])
    cut = history[-1].cut if history else False
    return Call(group, asked, given, marks, cut, _usage(group, reports))


def _usage(group: Sequence[Node], reports: Mapping[str | None, Usage | None]) -> Usage | None:
    """The first count, with the parts that only others of the same sum give."""
    told = [node.facts.usage for node in group if node.facts.counted and node.facts.usage is not None]
    if reports:
        told += [usage for node in group if (usage := reports.get(node.facts.response_id)) is not None]
    if not told:
        return None
    first = told[0]
    same = [usage for usage in told if (usage.input, usage.output) == (first.input, first.output)]
    if len(same) == 1:
        return first
    return Usage(first.input, first.output, max(usage.cached for usage in same), max(usage.reasoning for usage in same))


def _telling(node: Node) -> tuple[object, ...]:
    """Sorts first the span that holds the most messages, then one with token counts, then the outer."""
    facts = node.facts
    asked = sum(not message.cut for message in facts.input or ())
    usage: Usage | None = facts.usage
    return -asked, not facts.output, usage is None, node.span.start, node.span.trace_id, node.span.span_id
