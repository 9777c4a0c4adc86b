"""Text that must, or must not, stand in a message."""

from __future__ import annotations

from tools_sandbox.like import like
from tools_sandbox.patterns import Matcher
from tools_sandbox.text import mentions

Span = tuple[int, int]


def found(match: Matcher, text: str) -> Span | None:
    """Where a text has what is asked for (all of it, within this one message); None if it has not."""
    spans = []
    for word, words in match.tests.items():
        span = mentions(words, text) if word == "mentions" else like(words, text)
        if span is None:
            return None
        spans.append(span)
    return (min(start for start, _ in spans), max(end for _, end in spans)) if spans else None


def quoted(text: str, span: Span, around: int = 30) -> str:
    """A piece of a text with a little of what is around it, on one line."""
    start, end = max(0, span[0] - around), min(len(text), span[1] + around)
    piece = " ".join(text[start:end].split())
    return f"{'…' if start else ''}{piece}{'…' if end < len(text) else ''}"
