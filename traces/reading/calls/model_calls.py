"""A model call: its spans, its history and what came of it."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from traces.conversation import ModelCall
from traces.genai import Usage
from traces.reading.calls.atoms import OF_A_MODEL, Atom, beginnings, call_ids, words
from traces.reading.calls.left_out import alone
from traces.reading.tree.forest import Node

PREVIOUS = "gen_ai.request.previous_response.id"

_TOLD = ("model", "response_model", "response_id", "streamed", "finish", "error")
_ALL_TOLD = attrgetter(*_TOLD)


class Call:
    """A model call with all spans that tell of it, the one that tells the most of messages first.

    `node`: that one, with its times in nanoseconds since the epoch. `atoms`: its history, None where it was not
    captured; `cut`: only the beginning of it was. `given`: the atoms of its output; `clipped`: only the beginning of a
    message in it was captured. `marks`: the digests of the beginnings of both, one after the other. `usage`: what all
    of them tell of it. `alone`: the answers in its history without what asked for them: the server remembers what came
    before, or the library left it out. `gaps`: messages of its history are missing. `failed`: it may all the same
    have given something, if its stream broke off. `calls_tools`: they ran within it, for the client calls by itself
    those that the model asks for; only what a model was asked first and gave last is in its span then.
    """

    __slots__ = (
        *("alone", "atoms", "calls_tools", "clipped", "cut", "end", "failed", "gaps", "given", "marks", "node"),
        *("nodes", "start", "usage"),
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
        self.node = node = nodes[0]
        self.gaps = node.facts.gaps if len(nodes) == 1 else any(one.facts.gaps for one in nodes)
        self.failed = node.facts.error is not None
        self.calls_tools = False
        self.start, self.end = node.span.start, node.span.end

    def goes_by(self, atoms: list[Atom]) -> None:
        """Makes this its history."""
        self.atoms, self.alone = atoms, alone(atoms)
        self.marks = beginnings([*atoms, *self.given])

    def gave(self, given: list[Atom]) -> None:
        """Makes this the whole of its output."""
        self.given, self.clipped = given, False
        self.marks = beginnings([*(self.atoms or ()), *given])

    @property
    def answered(self) -> str | None:
        """The id of the call that its history begins to answer, else of the last that it answers without holding it."""
        if not self.atoms:
            return None
        told = self.atoms[0].answer or (self.alone[-1] if self.alone else None)
        return None if told is None else told.id

    @property
    def told_of(self) -> list[str]:
        """The ids of the calls that its history tells of, the latest first, if of the rest something is missing."""
        return list(dict.fromkeys(call_ids(reversed(self.atoms)))) if (self.gaps or self.cut) and self.atoms else []

    @property
    def state(self) -> int:
        """The digest of history and output: what the next call of this conversation begins with."""
        return self.marks[-1]

    @property
    def is_known_again(self) -> bool:
        """Whether its state is no other call's: its output is there, or its history has calls that go by ids."""
        if not self.atoms or self.cut:
            return False
        if self.given and not self.failed:
            return True
        return any(atom.call is not None and atom.call.id is not None for atom in self.atoms)

    @property
    def is_unheard(self) -> bool:
        """Whether what came of its history was not captured, or broke off: only a history that goes on tells that."""
        return bool(self.atoms) and (not self.given or self.failed) and not self.cut and not self.is_known_again

    @property
    def opening(self) -> int:
        """The digest of its history."""
        return self.marks[len(self.atoms or ())]

    def openings(self) -> list[int]:
        """The digests of what its history was each time that a model was asked, the longest first. One that the user
        spoke again behind had failed; what asked for an answer right behind the user's words was left out.
        """
        atoms = self.atoms or ()
        return [
            self.marks[at]
            for at in range(len(atoms) - 1, 0, -1)
            if atoms[at - 1].kind not in OF_A_MODEL and (atoms[at].kind in OF_A_MODEL or atoms[at - 1].kind == "user")
        ]

    @property
    def spoken(self) -> int | None:
        """The digest of the words in history and output, if tools were called on the way to them."""
        if self.cut or not self.given or self.given[-1].kind != "assistant":
            return None
        atoms = [*(self.atoms or ()), *self.given]
        said = words(atoms)
        return None if len(said) == len(atoms) and not self.calls_tools else beginnings(said)[-1]

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
