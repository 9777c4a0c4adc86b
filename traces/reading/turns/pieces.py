"""Replies that a history tells again in the pieces in which they were streamed: as messages that follow each other, or
as lines.
"""

from __future__ import annotations

from collections.abc import Sequence

from traces.reading.calls.atoms import Atom


class Pieces:
    """A history as far as it may be pieces. It is asked about ever later places in it."""

    def __init__(self, atoms: Sequence[Atom]) -> None:
        self._atoms = atoms
        self._end = 0
        self._told = ""

    def make_up(self, reply: str | None, at: int) -> bool:
        """Whether the assistant's text at this place is one of several that are this reply together."""
        if reply is None or reply == self._atoms[at].text:
            return False
        if at >= self._end:
            self._told = self._around(at)
        return self._told == reply.replace("\n", "")

    def _around(self, at: int) -> str:
        """What the assistant says there without a break, but for those of lines."""
        first, end, atoms = at, at + 1, self._atoms
        while first and atoms[first - 1].kind == "assistant":
            first -= 1
        while end < len(atoms) and atoms[end].kind == "assistant":
            end += 1
        self._end = end
        return "".join([atom.text for atom in atoms[first:end]]).replace("\n", "")
