"""Model calls, each once, however many instrumentations saw it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from operator import attrgetter
from typing import Any

from traces.conversation import ModelCall
from traces.dialects.pairing import ITEM
from traces.genai import Usage
from traces.reading.atoms import Atom, Atoms, beginnings, words
from traces.reading.copies import copies
from traces.reading.forest import Node
from traces.reading.left_out import alone, filled
from traces.reading.mended import mended

PREVIOUS = "gen_ai.request.previous_response.id"

_TOLD = ("model", "response_model", "response_id", "streamed", "finish", "error")
_ALL_TOLD = attrgetter(*_TOLD)
_OF_A_MODEL = ("assistant", "call")
_LOOKED_AT = 16
"""So many of the calls before one are looked at for what it may lack: it is mostly in the last."""
_PLACE = attrgetter("start", "node.span.trace_id", "node.span.span_id")


class Call:
    """A model call with all spans that tell of it, the one that tells the most of messages first.

    `node`: that one, with its times in nanoseconds since the epoch. `atoms`: its history, None where it was not
    captured; `cut`: only the beginning of it was. `given`: the atoms of its output; `clipped`: only the beginning of a
    message in it was captured. `marks`: the digests of the beginnings of both, one after the other. `usage`: what all
    of them tell of it. `alone`: the answers in its history without what asked for them: the server remembers what came
    before, or the library left it out. `gaps`: messages of its history may be missing.
    """

    __slots__ = (
        *("alone", "atoms", "clipped", "cut", "end", "gaps", "given", "marks", "node", "nodes", "start", "usage"),
    )

    def __init__(
        self,
        nodes: list[Node],
        atoms: list[Atom] | None,
        given: list[Atom],
        marks: list[int],
        cut: bool,
        clipped: bool,
        usage: Usage | None,
    ) -> None:
        self.nodes, self.atoms, self.given, self.marks, self.usage = nodes, atoms, given, marks, usage
        self.cut, self.clipped = cut, clipped
        self.alone = alone(atoms) if atoms else []
        self.gaps = any(node.facts.gaps for node in nodes)
        self.node = node = nodes[0]
        self.start, self.end = node.span.start, node.span.end

    def goes_by(self, atoms: list[Atom]) -> None:
        """Makes this its history."""
        self.atoms, self.alone = atoms, alone(atoms)
        self.marks = beginnings([*atoms, *self.given])

    @property
    def answered(self) -> str | None:
        """The id of the call that its history begins to answer, else of the last that it answers without holding it."""
        if not self.atoms or not self.alone:
            return None
        return (self.atoms[0].answer or self.alone[-1]).id

    @property
    def told_of(self) -> list[str]:
        """The ids of the calls that its history tells of, the latest first, if of the rest something may be missing."""
        return list(dict.fromkeys(_ids(reversed(self.atoms)))) if (self.gaps or self.cut) and self.atoms else []

    @property
    def state(self) -> int:
        """The digest of history and output: what the next call of this conversation begins with."""
        return self.marks[-1]

    @property
    def is_known_again(self) -> bool:
        """Whether its state is no other call's: its output is there, or its history has calls that go by ids."""
        if not self.atoms or self.cut:
            return False
        return bool(self.given) or any(atom.call is not None and atom.call.id is not None for atom in self.atoms)

    @property
    def is_unheard(self) -> bool:
        """Whether what came of its history was not captured: only a history that goes on from it tells that."""
        return bool(self.atoms) and not self.given and not self.cut and not self.is_known_again

    def openings(self) -> list[int]:
        """The digests of what its history was each time that a model was asked, the longest first."""
        atoms = self.atoms or ()
        return [
            self.marks[at]
            for at in range(len(atoms) - 1, 0, -1)
            if atoms[at].kind in _OF_A_MODEL and atoms[at - 1].kind not in _OF_A_MODEL
        ]

    @property
    def spoken(self) -> int | None:
        """The digest of the words in history and output, if tools were called on the way to them."""
        if self.cut or not self.given or self.given[-1].kind != "assistant":
            return None
        atoms = [*(self.atoms or ()), *self.given]
        said = words(atoms)
        return None if len(said) == len(atoms) else beginnings(said)[-1]

    def heard(self) -> list[int]:
        """The digests of the words of its history up to each reply in it, the longest first."""
        said = words(self.atoms or ())
        marks = beginnings(said)
        return [marks[at + 1] for at in range(len(said) - 1, -1, -1) if said[at].kind == "assistant"]

    def first(self, name: str) -> Any:
        """The first value that one of its spans gives for a field of `Facts`."""
        for node in self.nodes:
            value = getattr(node.facts, name)
            if value is not None:
                return value
        return None

    @property
    def previous(self) -> str | None:
        """The id of the response whose history the server remembers for this call; of the first of an agent's, that
        which the agent's span names.
        """
        for node in self.nodes:
            found = node.facts.previous or node.span.attributes.get(PREVIOUS)
            if isinstance(found, str):
                return found
        above = self.node.parent
        while above is not None and above.facts.kind != "tool":
            if above.facts.previous is not None:
                return above.facts.previous
            above = above.parent
        return None


def collapse(nodes: Iterable[Node]) -> list[Call]:
    """The model calls among the spans of any number of traces, each once, in the order of their starts."""
    nodes = list(nodes)
    reports: dict[str | None, Usage | None] = {
        node.facts.response_id: node.facts.usage
        for node in nodes
        if node.facts.kind == "other" and node.facts.response_id is not None
    }
    atoms = Atoms()
    calls = [_call(group, atoms, reports) for group in copies([node for node in nodes if node.facts.kind == "model"])]
    calls.sort(key=_PLACE)
    _restore(calls)
    _name_asked(calls)
    _put_back(calls)
    return calls


def _restore(calls: Sequence[Call]) -> None:
    """Puts into histories that may lack messages what earlier calls held of them: such as hold the same tool calls,
    else the last ones of the conversation or the trace.
    """
    if not any(call.gaps for call in calls):
        return
    latest: dict[str, Call] = {}
    for at, call in enumerate(calls):
        whole = [*(call.atoms or ()), *call.given]
        if call.gaps and call.atoms:
            like = dict.fromkeys(latest[name] for name in _ids(reversed(call.atoms)) if name in latest)
            kin = (other for other in reversed(calls[:at]) if _is_kin(other.node, call.node) and other not in like)
            told = ([*(one.atoms or ()), *one.given] for one in chain(like, islice(kin, _LOOKED_AT)))
            call.goes_by(mended(call.atoms, told))
        latest.update(dict.fromkeys(_ids(whole), call))


def _ids(atoms: Iterable[Atom]) -> Iterator[str]:
    """The ids of the tool calls that are asked for or answered."""
    for atom in atoms:
        told = atom.call or atom.answer
        if told is not None and told.id is not None:
            yield told.id


def _is_kin(one: Node, other: Node) -> bool:
    if one.span.trace_id == other.span.trace_id:
        return True
    return one.facts.conversation is not None and one.facts.conversation == other.facts.conversation


def _name_asked(calls: Sequence[Call]) -> None:
    """Gives tool calls that were asked for under the ids of their items the ids that later histories tell."""
    asking = [call for call in calls if any(map(_is_item, call.given))]
    if not asking:
        return
    told = (atom.call for call in calls for atom in call.atoms or () if atom.call is not None)
    ids = {call.item: call.id for call in told if call.item is not None}
    for call in asking:
        call.given = [
            replace(atom, call=replace(atom.call, id=ids[atom.call.id]))
            if atom.call is not None and atom.call.id in ids
            else atom
            for atom in call.given
        ]


def _put_back(calls: Sequence[Call]) -> None:
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


def model_call(call: Call) -> ModelCall:
    """The call as the view shows it."""
    usage = call.usage
    nodes = call.nodes
    told = [call.first(name) for name in _TOLD] if len(nodes) > 1 else _ALL_TOLD(call.node.facts)
    model, response_model, response_id, streamed, finish, error = told
    return ModelCall(
        model,
        response_model,
        response_id,
        usage,
        None if usage is not None else _why_no_usage(call),
        call.start,
        call.end,
        streamed,
        finish,
        None if error is None else ": ".join(filter(None, (error.type, error.message))) or "the span is an error",
        nodes[0].agent or next((node.agent for node in nodes if node.agent), None),
        tuple([atom.call.id for atom in call.given if atom.call is not None and atom.call.id is not None]),
        (*[node.span for node in nodes if not node.lost], *[log for node in nodes for log in node.facts.logs]),
        bool(call.given) and not call.clipped,
    )


def _why_no_usage(call: Call) -> str:
    notes = [note for node in call.nodes for note in node.facts.notes if "token counts" in note]
    return notes[0] if notes else f"the span `{call.node.span.name}` gives no token counts"


def _call(group: list[Node], atoms: Atoms, reports: Mapping[str | None, Usage | None]) -> Call:
    if len(group) > 1:
        group.sort(key=_telling)
        history = next((node.facts.input for node in group if node.facts.input is not None), None)
        output = next((node.facts.output for node in group if node.facts.output), ())
        first = next((node.facts.output for node in group if node.facts.output is not None), ())
    else:
        history, output = group[0].facts.input, group[0].facts.output or ()
        first = output
    asked = None if history is None else atoms.of(history)
    given = atoms.of(output)
    marks = beginnings([*(asked or ()), *given])
    cut = history[-1].cut if history else False
    clipped = any(message.cut for message in first)
    return Call(group, asked, given, marks, cut, clipped, _usage(group, reports))


def _usage(group: Sequence[Node], reports: Mapping[str | None, Usage | None]) -> Usage | None:
    """The first count, with the parts that only others of the same sum give. Who counts 0 and 0 was told nothing."""
    counts = [node.facts.usage for node in group if node.facts.counted]
    if reports:
        counts += [reports.get(node.facts.response_id) for node in group]
    told = [usage for usage in counts if usage is not None and (usage.input or usage.output)]
    if not told:
        return None
    first = told[0]
    if len(told) == 1:
        return first
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
