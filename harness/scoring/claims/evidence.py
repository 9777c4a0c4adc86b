"""What has been seen at a point of a conversation: texts and JSON, read for typed values only when a fact needs it.

Most of what an honest agent says stands word for word in what it saw, and that is quick to find.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from harness.scoring.claims.facts import Fact, plain
from harness.scoring.claims.known import Known, facts_in
from tools_sandbox.call import Json

_written = json.JSONEncoder(ensure_ascii=False, default=str).encode


class Evidence:
    """Grows with the conversation. `known` and `texts` are what there is from the start; neither is changed."""

    def __init__(self, known: Known | None = None, texts: Sequence[str] = ()) -> None:
        self._known = known
        self._own = False
        self._texts = list(texts)
        self._unread: list[Json] = []

    def add(self, value: Json, text: str | None = None) -> None:
        """Add a text or a JSON value; `text` is `as_text(value)` where the caller has it already."""
        self._unread.append(value)
        self._texts.append(as_text(value) if text is None else text)

    def learn(self, facts: Iterable[Fact]) -> None:
        """Add values that follow from the others."""
        self.known.learn(facts)

    @property
    def known(self) -> Known:
        """Everything read so far, as typed values."""
        if not self._own:
            self._known, self._own = self._known.copy() if self._known else Known(), True
        assert self._known is not None
        for value in self._unread:
            self._known.learn(facts_in(value))
        self._unread.clear()
        return self._known

    def holds(self, quoted: str) -> bool:
        """Whether words stand in what was seen, not as a part of a longer word or number."""
        wanted = plain(quoted)
        return any(wanted in text and _whole(wanted, text) for text in self._texts)


def as_text(value: Json) -> str:
    """A text, or JSON written out, in the form that words are looked up in: line breaks are spaces."""
    written = value if isinstance(value, str) else _written(value)
    return plain(written).replace("\n", " ")


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
