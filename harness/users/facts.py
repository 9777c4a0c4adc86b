"""What the user knows, and how each fact is said."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from decimal import Decimal

from harness.model.scenario import User
from harness.users.dates import as_date, days
from harness.users.details import money
from harness.users.recognise import SlotBook
from harness.users.sayings import Sayings
from harness.users.words import fold
from tools_sandbox.text import mentions

Knows = Mapping[str, str | None]
"""Facts by slot; None: the user does not have it."""

_HOLE = re.compile(r"\{([^{}]+)\}")
_MASK = re.compile(r"[*•●＊]+|(?<=\w)\.{3}|…")
_WORD = re.compile(r"[^\W_]+")
_COUNT = re.compile(r"\d{1,3}")


@dataclass(frozen=True, slots=True)
class Template:
    """A text with `{names}` of facts in it. `parts` alternate between text and name."""

    parts: tuple[str, ...]

    @classmethod
    def of(cls, text: str, names: Collection[str]) -> Template:
        """Only braces around one of these names are filled in; all others stay as they are."""
        if "{" not in text:
            return cls((text,))
        parts = [""]
        for index, piece in enumerate(_HOLE.split(text)):
            if index % 2 == 0:
                parts[-1] += piece
            elif piece in names:
                parts += [piece, ""]
            else:
                parts[-1] += f"{{{piece}}}"
        return cls(tuple(parts))

    def filled(self, knows: Knows) -> str:
        """The text with what the user knows now; the name in its braces stays where that is nothing."""
        if len(self.parts) == 1:
            return self.parts[0]
        return "".join(
            part if index % 2 == 0 else (knows.get(part) or f"{{{part}}}") for index, part in enumerate(self.parts)
        )


@dataclass(frozen=True, slots=True)
class Facts:
    """How the facts of one user are said, compiled once a scenario.

    `kinds`: the usual slot kind of each fact that has one. `own`: answers in the author's words.
    """

    sayings: Sayings
    kinds: Mapping[str, str]
    own: Mapping[str, Template]

    @classmethod
    def of(cls, user: User, names: Collection[str], book: SlotBook, sayings: Sayings) -> Facts:
        """For a user who knows facts of these names, now or after a change."""
        kinds: dict[str, str] = {}
        for kind, fact in book.names.items():
            kinds.setdefault(fact, kind)
        own = {slot: Template.of(answer.say, names) for slot, answer in user.answers.items() if answer.say is not None}
        return cls(sayings, kinds, own)

    def clause(self, slot: str, value: str) -> str:
        """A known fact as a clause without a full stop."""
        known = self.sayings.facts.get(self._kind(slot))
        if known:
            return known.format(value)
        if slot.endswith("s") and _COUNT.fullmatch(value):
            return f"{value} {_words(slot)}"
        return self.sayings.other_fact.format(_words(slot), value)

    def lacking(self, slot: str) -> str:
        """That the user does not have it."""
        return self.sayings.lacking.format(self.sayings.names.get(self._kind(slot), _words(slot)))

    def _kind(self, slot: str) -> str:
        """The usual kind that a fact is called by; empty: it is called by its own name."""
        kind = self.kinds.get(slot, "")
        return "" if kind in self.sayings.by_name else kind


def _words(slot: str) -> str:
    return re.sub(r"\bid\b", "ID", re.sub(r"[_\-.]+", " ", slot).strip())


def same_fact(said: str, fact: str) -> bool:
    """Whether a value that was read back, or an option, stands for a fact: the same letters and digits; the same
    number, amount or day; the words of the fact or part of them; its last digits; or the fact with a part masked.
    """
    one, other = fold(said), fold(fact)
    letters, wanted = _joined(one), _joined(other)
    if not letters:
        return False
    if letters == wanted or mentions(fact, said) is not None:
        return True
    if _MASK.search(one):
        return _unmasked(one, other)
    if day := as_date(fact):
        return any(found.may_be(day) for found in days(said))
    if amounts := [*money(said)]:
        return _number(fact) in amounts
    if letters.isdigit():
        digits = "".join(char for char in wanted if char.isdigit())
        return len(letters) >= 4 and digits.endswith(letters)
    return "@" not in fact and {*_WORD.findall(one)} <= {*_WORD.findall(other)}


def _joined(folded: str) -> str:
    return "".join(_WORD.findall(folded))


def _number(fact: str) -> Decimal | None:
    return next(money(f"${fact.strip('$€£¥ ')}"), None) if any(char.isdigit() for char in fact) else None


def _unmasked(masked: str, fact: str) -> bool:
    pieces = _MASK.split(masked.strip(" .,?!\"'"))
    return any(pieces) and re.fullmatch(".*".join(map(re.escape, pieces)), fact) is not None
