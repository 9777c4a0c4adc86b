"""Histories in which messages may be missing: a limit dropped the oldest, or a record of one never came."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile

from traces.reading.calls.atoms import Atom


def mended(atoms: Sequence[Atom], told: Iterable[Sequence[Atom]]) -> list[Atom]:
    """The history with all that an earlier one held of what it retells; as it is where it retells none of them.

    `told`: the earlier ones, each with what came of it, the likeliest first. What was said can't be unsaid: so a
    history that holds nothing but words of an earlier one, up to where that ended, goes on from there.
    """
    for before in told:
        if not any(atom.kind != "user" for atom in before):
            continue
        if _retold(before, atoms)[0] == len(before):
            break  # nothing of it is missing
        if (news := _news(atoms, before)) is not None:
            return [*before, *atoms[news:]]
    return list(atoms)


def _news(atoms: Sequence[Atom], before: Sequence[Atom]) -> int | None:
    """How many of the atoms retell the earlier history; None if they don't, or don't up to its end.

    The end itself may be missing: the calls, if they are answered, or the reply, if the user speaks next.
    """
    retold, reached = _retold(atoms, before)
    news = atoms[retold] if retold < len(atoms) else None
    if news is not None and _answers(news, before):
        return retold
    if news is not None and news.kind == "user" and before[-1].kind == "assistant" and reached == len(before) - 1:
        spoken = any(atom.kind != "user" for atom in atoms[:retold])
        return retold if spoken or 0 < retold == reached else None
    while retold and before[-1].digest != atoms[retold - 1].digest:
        retold -= 1
    return retold if any(atom.kind != "user" for atom in atoms[:retold]) else None


def _retold(atoms: Sequence[Atom], before: Sequence[Atom]) -> tuple[int, int]:
    """How many of the first atoms another history holds in this order, and behind how many of its own."""
    retold = reached = 0
    for at, atom in enumerate(before, 1):
        if retold < len(atoms) and atom.digest == atoms[retold].digest:
            retold, reached = retold + 1, at
    return retold, reached


def _answers(atom: Atom, before: Sequence[Atom]) -> bool:
    """Whether this is an answer to one of the calls that a history ends with."""
    asked = [last.call.id for last in takewhile(lambda last: last.call is not None, reversed(before)) if last.call]
    return atom.answer is not None and atom.answer.id is not None and atom.answer.id in asked
