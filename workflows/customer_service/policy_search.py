"""Searching the shop's policy: the numbered clauses of policy/*.md."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

POLICY = Path(__file__).parent / "policy"
_HEADING = re.compile(r"^## (?P<title>.+?) \{#(?P<clause>\w+)\}\n+(?P<text>.+?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)


@cache
def _clauses() -> tuple[dict[str, str], ...]:
    return tuple(
        {
            "source": file.name,
            "clause": found["clause"],
            "title": found["title"],
            "text": " ".join(found["text"].split()),
        }
        for file in sorted(POLICY.glob("*.md"))
        for found in _HEADING.finditer(file.read_text(encoding="utf-8"))
    )


def best_clauses(query: str, most: int = 2) -> list[dict[str, str]]:
    """The clauses that share most words with the query; a word of the title counts three times."""
    words = {word.rstrip("s") for word in re.findall(r"\w+", query.lower())} - {
        "a",
        "the",
        "of",
        "to",
        "for",
        "in",
        "is",
    }

    def score(clause: dict[str, str]) -> int:
        title, text = ({w.rstrip("s") for w in re.findall(r"\w+", clause[key].lower())} for key in ("title", "text"))
        return 3 * len(words & title) + len(words & text)

    ranked = sorted(_clauses(), key=lambda clause: (-score(clause), clause["clause"]))
    return [clause for clause in ranked[:most] if score(clause)]
