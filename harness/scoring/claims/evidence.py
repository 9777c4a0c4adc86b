"""What has been seen at a point of a conversation: texts and JSON, read for typed values only when a fact needs it.

Most of what an honest agent says stands word for word in what it saw, and that is quick to find.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence, Set

from harness.scoring.claims.facts import Fact, plain
from harness.scoring.claims.known import Known, facts_in, long_runs
from tools_sandbox.call import Json

written = json.JSONEncoder(ensure_ascii=False, default=str).encode
"""A JSON value as text."""


class Sight:
    """A text or a JSON value that was seen."""

    __slots__ = ("_facts", "_text", "_value")

    def __init__(self, value: Json, facts: Iterable[Fact] | None = None) -> None:
        """`facts`: those in it, where they are told already."""
        self._value = value
        self._text: str | None = None
        self._facts = None if facts is None else tuple(facts)

    @property
    def text(self) -> str:
        """It, or it written out, in the form that words are looked up in: lower case, line breaks are spaces."""
        if self._text is None:
            text = self._value if isinstance(self._value, str) else written(self._value)
            self._text = plain(text).replace("\n", " ")
        return self._text

    def has(self, wanted: str) -> bool:
        """Whether words are a value in it. That spares most results from being written out."""
        value = self._value
        return type(value) is dict and wanted in [plain(one) for one in value.values() if type(one) is str]

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Every fact in it."""
        if self._facts is None:
            self._facts = tuple(facts_in(self._value))
        return self._facts

    def names(self, wanted: Set[str]) -> bool:
        """Whether one of these ids, or runs of digits, is in it."""
        ids = (fact.key for fact in self.facts if fact.kind == "id")
        return any(key in wanted or not wanted.isdisjoint(long_runs(key)) for key in ids)


class Evidence:
    """Grows with the conversation. `known` and `sights` are what there is from the start; neither is changed."""

    def __init__(self, known: Known | None = None, sights: Sequence[Sight] = ()) -> None:
        self._known = known
        self._own = False
        self._sights = list(sights)
        self._read = len(sights)
        self._held: set[str] = set()

    def add(self, *seen: Sight) -> None:
        """Add what was seen."""
        self._sights += seen

    def learn(self, facts: Iterable[Fact]) -> None:
        """Add values that follow from the others."""
        self._sights.append(Sight("", facts))

    @property
    def known(self) -> Known:
        """Everything read so far, as typed values."""
        if not self._own:
            self._known, self._own = self._known.copy() if self._known else Known(), True
        assert self._known is not None
        for seen in self._sights[self._read :]:
            self._known.learn(seen.facts)
        self._read = len(self._sights)
        return self._known

    def names(self, key: str) -> bool:
        """Whether an id, or a long run of digits in it, is one that was seen. Most were seen a moment ago: for them no
        more is read.
        """
        wanted = {key, *long_runs(key)}
        if self._known is not None and not wanted.isdisjoint(self._known.ids):
            return True
        return any(seen.names(wanted) for seen in reversed(self._sights[self._read :]))

    def holds(self, quoted: str) -> bool:
        """Whether words stand in what was seen, not as a part of a longer word or number. Most stand in the last."""
        wanted = plain(quoted)
        if wanted in self._held:
            return True
        for seen in reversed(self._sights):
            if seen.has(wanted) or (wanted in seen.text and _whole(wanted, seen.text)):
                self._held.add(wanted)
                return True
        return False


def _whole(wanted: str, text: str) -> bool:
    start = text.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        before, after = text[max(0, start - 2) : start], text[end : end + 2]
        if not (before[-1:].isalnum() or _joins(before[::-1]) or after[:1].isalnum() or _joins(after)):
            return True
        start = text.find(wanted, start + 1)
    return False


def _joins(beside: str) -> bool:
    """Whether a mark next to a number goes on with a digit (`1,234.50`, `5-7`), or is part of a longer id."""
    return beside[:1] in set(".,-_#") and beside[1:].isalnum()
