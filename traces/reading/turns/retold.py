"""Which call a history tells of again, though it goes on from none that holds it: as messages are missing in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

from traces.dialects.content.values import as_text
from traces.dialects.facts import AskedCall
from traces.reading.calls.atoms import Atom
from traces.reading.compare import canonical
from traces.reading.drafts import Asked

_One = TypeVar("_One")
_Key = tuple[str | None, str]


class Retold:
    """The calls of a conversation that go by ids, each of which histories may tell of again."""

    def __init__(self) -> None:
        self._calls: dict[_Key, _Tellings[Asked]] = {}
        self._atoms: Sequence[Atom] = ()
        self._answers: dict[str | None, list[str]] = {}
        self._told: dict[_Key, _Tellings[None]] = {}
        self._at = 0

    def add(self, asked: Asked) -> None:
        """One more."""
        if asked.call.id is not None:
            self._calls.setdefault(_key(asked.call), _Tellings()).add(asked.call, asked)

    def find(self, atoms: Sequence[Atom], at: int) -> Asked | None:
        """The call that the history tells of at this place, if it is known. Of one history ever later places are asked
        about. What it tells more often than all others did is new, and so is what was answered otherwise: some models
        count ids from 1 again.
        """
        call = atoms[at].call
        known = None if call is None else self._calls.get(_key(call))
        if call is None or known is None:
            return None
        same, told = known.like(call), len(self._up_to(atoms, at)[_key(call)].like(call))
        found = same[told - 1] if told <= len(same) else None
        if found is None or found.answer is None:
            return found
        answers = self._answers.get(call.id, ())
        return found if len(answers) < told or answers[told - 1] == as_text(found.answer.content) else None

    def _up_to(self, atoms: Sequence[Atom], at: int) -> dict[_Key, _Tellings[None]]:
        """What a history has told up to a place in it."""
        if self._atoms is not atoms:
            self._atoms, self._told, self._at, self._answers = atoms, {}, 0, {}
            for atom in atoms:
                if atom.answer is not None:
                    self._answers.setdefault(atom.answer.id, []).append(as_text(atom.answer.content))
        for atom in atoms[self._at : at + 1]:
            if atom.call is not None:
                self._told.setdefault(_key(atom.call), _Tellings()).add(atom.call, None)
        self._at = at + 1
        return self._told


class _Tellings(Generic[_One]):
    """What calls of one id and name stand for, in the order in which they are told."""

    def __init__(self) -> None:
        self._new: list[tuple[AskedCall, _One]] = []
        self._all: list[_One] = []
        self._by_arguments: dict[str | None, list[int]] = {}

    def add(self, call: AskedCall, one: _One) -> None:
        """One more."""
        self._new.append((call, one))

    def like(self, call: AskedCall) -> Sequence[_One]:
        """Those that may be this call: of a cut one the arguments may be missing."""
        for other, one in self._new:
            self._by_arguments.setdefault(_arguments(other), []).append(len(self._all))
            self._all.append(one)
        self._new.clear()
        kinds = {_arguments(call), None}
        if call.arguments is None or self._by_arguments.keys() <= kinds:
            return self._all
        places = sorted([place for arguments in kinds for place in self._by_arguments.get(arguments, ())])
        return [self._all[place] for place in places]


def _key(call: AskedCall) -> _Key:
    return call.id, call.name


def _arguments(call: AskedCall) -> str | None:
    return None if call.arguments is None else canonical(call.arguments)
