"""A user's facts, as the recogniser looks for them: which fact an ask for a slot means."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from harness.model.scenario import Answer
from harness.users.recognise.language import Language
from harness.users.recognise.languages import LANGUAGES
from tools_sandbox.text import mentions

# A fact that answers an ask of another kind too, where the user has none of that kind.
_STANDS_IN = {
    "user_id": "account_number",
    "account_number": "user_id",
    "postcode": "address",
    "order_id": "reservation_id",
    "reservation_id": "order_id",
}
# Kinds that ask how many, how much or when; of what, the words after that tell.
_MEASURES = frozenset({"quantity", "amount", "date", "time"})
_MEASURE = re.compile(r"\W?\d")
_BETWEEN = re.compile(r"(?:[ -][^\W\d_]+){0,2}[ -]")


@dataclass(frozen=True, slots=True)
class Named:
    """A slot named in a text: which, and where."""

    slot: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, eq=False)
class SlotBook:
    """The facts of one user, compiled once a scenario. Each is equal to itself alone.

    `facts`: names of all facts. `names`: fact name by built-in slot kind. `own`: facts that no built-in kind covers, by
    their words. `asked`: phrases that an author gave, by fact. `values`: what the user has, by fact.
    """

    facts: frozenset[str]
    names: Mapping[str, str]
    own: tuple[tuple[str, re.Pattern[str]], ...]
    asked: tuple[tuple[str, str], ...]
    values: Mapping[str, str]

    @classmethod
    def of(cls, knows: Mapping[str, str | None], answers: Mapping[str, Answer]) -> SlotBook:
        """The book of a user who `knows` these facts (None: the user does not have it).

        A fact belongs to the built-in slot kind that its name reads as (`mail`, `e_mail` and `correo` are all e-mail
        addresses). Of several facts of one kind the first stands for it; the others, and facts of no built-in kind,
        are known by the words of their names, and any fact by the phrases its answer is `asked` with.
        """
        facts = dict.fromkeys((*knows, *answers))
        names: dict[str, str] = {}
        own: list[tuple[str, re.Pattern[str]]] = []
        for fact in facts:
            kind = _kind(fact)
            if kind is None or kind in names:
                own.append((fact, _by_words(fact)))
            else:
                names[kind] = fact
        for kind, other in _STANDS_IN.items():
            if kind not in names and names.get(other) in facts:
                names[kind] = names[other]
        asked = tuple((fact, phrase) for fact, answer in answers.items() for phrase in answer.asked)
        values = {fact: value for fact, value in knows.items() if value}
        return cls(frozenset(facts), names, tuple(own), asked, values)

    def named(self, text: str, language: Language) -> list[Named]:
        """The slots named in a text, in order: fact names where the book has them, else built-in kinds. "How many
        nights" names the fact `nights`, if that is a number.
        """
        own = [Named(fact, *match.span()) for fact, pattern in self.own for match in pattern.finditer(text)]
        found = [*own]
        for match in language.slots.finditer(text):
            kind, (start, end) = match.lastgroup or "", match.span()
            overlaps = any(one.start < end and start < one.end for one in found)
            if overlaps or (kind in _MEASURES and any(self._measured(one, text, end, language) for one in own)):
                continue
            found.append(Named(self.names.get(kind, kind), start, end))
        return sorted(found, key=lambda named: named.start)

    def _measured(self, fact: Named, text: str, asked: int, language: Language) -> bool:
        """Whether a question for a measure, which ends at `asked`, is for a fact that is named right after it."""
        between = _BETWEEN.fullmatch(text, asked, fact.start) if asked < fact.start else None
        if between is None or language.edge.search(between[0]):
            return False
        value = self.values.get(fact.slot)
        return value is None or _MEASURE.match(value) is not None

    def asked_in(self, sentence: str) -> dict[str, tuple[int, int]]:
        """Facts that one of their author-given phrases asks for in this sentence, and where."""
        found: dict[str, tuple[int, int]] = {}
        for fact, phrase in self.asked:
            if fact not in found and (span := mentions(phrase, sentence)):
                found[fact] = span
        return found


def _kind(fact: str) -> str | None:
    """The built-in kind that the whole name of a fact reads as, in any language."""
    words = re.sub(r"[_\-.]+", " ", fact).strip()
    for language in LANGUAGES:
        match = language.slots.fullmatch(words)
        if match:
            return match.lastgroup
    return None


def _by_words(fact: str) -> re.Pattern[str]:
    words = r"[\s_-]*".join(re.escape(word) for word in re.split(r"[_\-.\s]+", fact) if word)
    return re.compile(rf"(?<![^\W_]){words}s?(?![^\W_])", re.IGNORECASE)
