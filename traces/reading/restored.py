"""Histories whose beginning was dropped by a limit on the number of attributes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile

from traces.reading.atoms import Atom


def restored(atoms: Sequence[Atom], told: Iterable[Sequence[Atom]]) -> list[Atom]:
    """The history with what an earlier one held before the words that it begins with; as it is where none did.

    `told`: the earlier ones, the likeliest first. Of one that holds those words more than once, the longest end counts.
    """
    begun = [atom.digest for atom in atoms]
    for before in told:
        digests = [atom.digest for atom in before]
        for at, digest in enumerate(digests):
            if digest == begun[0] and digests[at:] == begun[: len(digests) - at]:
                return [*before[:at], *atoms]
        if _answers(atoms[0], before):
            return [*before, *atoms]
    return list(atoms)


def _answers(atom: Atom, before: Sequence[Atom]) -> bool:
    """Whether this is an answer to one of the calls that a history ends with."""
    asked = [last.call.id for last in takewhile(lambda last: last.call is not None, reversed(before)) if last.call]
    return atom.answer is not None and atom.answer.id is not None and atom.answer.id in asked
