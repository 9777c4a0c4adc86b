"""A user's facts, as the recogniser looks for them: which fact an ask for a slot means."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from harness.model.scenario import Answer
from harness.users.recognise.language import Language
from harness.users.recognise.languages import LANGUAGES

# Where a user lacks the first kind of fact, a fact of the second kind answers as well.
_NEAREST = {
    "user_id": ("account_number",),
    "account_number": ("user_id",),
    "postcode": ("address",),
    "order_id": ("reservation_id",),
    "reservation_id": ("order_id",),
}


@dataclass(frozen=True, slots=True)
class SlotBook:
    """The facts of one user, compiled once a scenario.

    `names`: fact name by built-in slot kind. `own`: facts that no built-in kind covers, each by its words.
    `asked`: facts by the phrases that an author gave. `values`: what the user knows, by fact name.
    """

    names: Mapping[str, str]
    own: tuple[tuple[str, re.Pattern[str]], ...]
    asked: tuple[tuple[str, re.Pattern[str]], ...]
    values: Mapping[str, str]

    @classmethod
    def of(cls, knows: Mapping[str, str | None], answers: Mapping[str, Answer]) -> SlotBook:
        """The book of a user who `knows` these facts (None: knows of it but does not have it).

        A fact belongs to the built-in slot kind that its name reads as (`mail`, `e_mail` and `email` are all e-mail
        addresses); the first of several facts of one kind stands for it, the others are known by their own words.
        """
        names: dict[str, str] = {}
        own: list[tuple[str, re.Pattern[str]]] = []
        for fact in dict.fromkeys((*knows, *answers)):
            kind = _kind(fact)
            if kind is None or kind in names:
                own.append((fact, _phrase(_words(fact))))
            else:
                names[kind] = fact
        for kind, others in _NEAREST.items():
            for other in others:
                if kind not in names and other in names:
                    names[kind] = names[other]
        asked = [(fact, _phrase(phrase)) for fact, answer in answers.items() for phrase in answer.asked]
        values = {fact: value for fact, value in knows.items() if value}
        return cls(names, tuple(own), tuple(asked), values)

    def slots(self, text: str, language: Language) -> list[str]:
        """The slots named in a text, in order, each once: fact names where the book has them, else built-in kinds."""
        found: list[tuple[int, int, str]] = []
        for fact, pattern in self.own:
            found += [(match.start(), match.end(), fact) for match in pattern.finditer(text)]
        for match in language.slots.finditer(text):
            if not any(start < match.end() and match.start() < end for start, end, _ in found):
                kind = match.lastgroup or ""
                found.append((match.start(), match.end(), self.names.get(kind, kind)))
        return list(dict.fromkeys(slot for _, _, slot in sorted(found)))

    def asked_for(self, sentence: str) -> list[str]:
        """Facts one of whose author-given phrases is in the sentence."""
        return list(dict.fromkeys(fact for fact, pattern in self.asked if pattern.search(sentence)))


def _words(fact: str) -> str:
    return re.sub(r"[_\-.]+", " ", fact).strip()


def _kind(fact: str) -> str | None:
    """The built-in kind that a fact's name reads as, in any language: the whole name, not a part of it."""
    words = _words(fact)
    for language in LANGUAGES:
        match = language.slots.fullmatch(words)
        if match:
            return match.lastgroup
    return None


def _phrase(phrase: str) -> re.Pattern[str]:
    words = [re.escape(word) for word in phrase.split()]
    body = r"[\s_-]+".join(words)
    return re.compile(rf"(?<!\w){body}s?(?!\w)" if phrase.isascii() else body, re.IGNORECASE)
