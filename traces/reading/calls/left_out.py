"""Histories that hold an answer without what asked for it: the server remembers that, or a library left it out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from traces.dialects.facts import Answer
from traces.reading.calls.atoms import Atom


def alone(atoms: Sequence[Atom]) -> list[Answer]:
    """The answers that a history holds without what asked for them."""
    answers = [atom.answer for atom in atoms if atom.answer is not None]
    if not answers:
        return answers
    asked = {atom.call.id for atom in atoms if atom.call is not None}
    if None not in asked and asked.issuperset([answer.id for answer in answers]):
        return []
    before = _Asked()
    found = []
    for atom in atoms:
        if atom.answer is not None and not before.holds(atom.answer):
            found.append(atom.answer)
        before.take(atom)
    return found


def filled(
    atoms: Sequence[Atom], by_id: Mapping[str | None, Sequence[Atom]], by_history: Mapping[int, Sequence[Atom]]
) -> list[Atom]:
    """The history with what asked for such an answer before it: by the call's id, without one what came of the very
    history up to there, by its digest. A text that is there, though its calls aren't, is not told twice.
    """
    whole: list[Atom] = []
    before = _Asked()
    mark = 0
    for atom in atoms:
        new = [atom]
        if atom.answer is not None and not before.holds(atom.answer):
            given = by_history.get(mark, ()) if atom.answer.id is None else by_id.get(atom.answer.id, ())
            last = whole[-1].digest if whole else None
            new[:0] = [one for one in given if one.digest != last]
        for one in new:
            before.take(one)
            mark = hash((mark, one.digest))
        whole += new
    return whole


class _Asked:
    """What a history has asked for up to here."""

    def __init__(self) -> None:
        self._ids: set[str | None] = set()
        self._waiting = 0

    def take(self, atom: Atom) -> None:
        """Goes on by one piece."""
        if atom.call is not None:
            self._ids.add(atom.call.id)
            self._waiting += 1
        elif atom.answer is not None:
            self._waiting -= 1

    def holds(self, answer: Answer) -> bool:
        """Whether something asked for this answer: by its id, unless one of both has none."""
        return answer.id in self._ids or (self._waiting > 0 and (answer.id is None or None in self._ids))
