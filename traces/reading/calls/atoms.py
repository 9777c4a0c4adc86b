"""The history of a model call in its smallest pieces, and digests of all its beginnings to tell which extends which."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from traces.dialects.content.values import as_text
from traces.dialects.facts import Answer, AskedCall, Message
from traces.reading.compare import canonical

OF_A_MODEL = ("assistant", "call")
"""The kinds of atoms that a model makes."""


@dataclass(slots=True, eq=False)
class Atom:
    """One piece of a history: a text of the user or the assistant, a call, or an answer. `digest`: of what is in it.

    Instrumentations pack the same pieces into messages differently, so messages themselves don't compare.
    """

    kind: Literal["user", "assistant", "call", "answer"]
    digest: int
    text: str = ""
    call: AskedCall | None = None
    answer: Answer | None = None
    calling: bool = False
    """Of an assistant's text: whether its message asks for tools too."""


class Atoms:
    """Makes atoms of messages; those of a message that many histories share are made once."""

    def __init__(self) -> None:
        self._made: dict[int, tuple[Message, tuple[Atom, ...]]] = {}

    def of(self, messages: Iterable[Message]) -> list[Atom]:
        """The atoms of these messages, those of the system left out: it is no part of what was said."""
        found: list[Atom] = []
        known = self._made
        for message in messages:
            made = known.get(id(message))
            if made is None:
                known[id(message)] = made = (message, tuple(_atoms(message)))
            found += made[1]
        return found


def beginnings(atoms: Iterable[Atom], first: int = 0) -> list[int]:
    """A digest of every beginning of a history, from the empty one on."""
    found = [first]
    for atom in atoms:
        first = hash((first, atom.digest))
        found.append(first)
    return found


def words(atoms: Iterable[Atom]) -> list[Atom]:
    """What user and assistant said to each other: some applications keep no more of a turn than that."""
    return [atom for atom in atoms if atom.kind == "user" or (atom.kind == "assistant" and not atom.calling)]


def call_ids(atoms: Iterable[Atom]) -> Iterator[str]:
    """The ids of the tool calls that are asked for or answered."""
    for atom in atoms:
        told = atom.call or atom.answer
        if told is not None and told.id is not None:
            yield told.id


def _atoms(message: Message) -> Iterable[Atom]:
    if message.role == "system":
        return
    if message.text.strip() or (message.role == "user" and not message.answers):
        kind: Literal["user", "assistant"] = "user" if message.role == "user" else "assistant"
        yield Atom(kind, hash((kind, message.text.strip())), message.text, calling=bool(message.calls))
    for call in message.calls:
        yield Atom("call", hash(("call", call.item or call.id or (call.name, canonical(call.arguments)))), call=call)
    for answer in message.answers:
        yield Atom("answer", hash(("answer", answer.id, as_text(answer.content))), answer=answer)
