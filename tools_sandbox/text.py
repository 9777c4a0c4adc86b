"""Whether a text mentions a phrase: whole words, case folded, numbers as numbers, in any order.

Words that the phrase writes without a space between them (`O-1001`, `5-7`, `ana@example.com`, `10%`) must stand side by
side in the text; currency signs are words of their own. Numbers compare by value: `49.90`, `49.9` and `49,90` are one
number, `1,000` is `1000`. A comma before exactly three digits groups thousands; a point before exactly three digits is
read both ways (`1.000` is 1 and 1000); a number with leading zeros is a word, so `00123` is not `123`. Scripts that are
written without spaces (Chinese, Japanese, Thai …) match within a run of such characters.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from tools_sandbox.words import Word, Words

_ZEROS = bytes.maketrans(b"123456789", b"000000000")


def zeroed(text: str) -> str:
    """The text with a zero for every digit: what it says but for its figures, each at its place."""
    # Bytes are translated ten times faster than text, and no other character has a digit's byte in it.
    return text.encode("utf-8", "surrogatepass").translate(_ZEROS).decode("utf-8", "surrogatepass")


def mentions(phrase: str, text: str) -> tuple[int, int] | None:
    """The shortest stretch of the text that holds all words of the phrase, as (start, end); None if one is missing.

    A phrase without any word (only punctuation) is looked for as it stands.
    """
    wanted, letters = _wanted(phrase)
    if not wanted:
        at = text.find(phrase.strip()) if phrase.strip() else -1
        return (at, at + len(phrase.strip())) if at >= 0 else None
    if text.isascii():  # most texts lack a word of most phrases, which is told without splitting them
        lowered = text.lower()
        for word in letters:
            if word not in lowered:
                return None
    words = Words.of(text)
    places: list[list[tuple[int, int]]] = []
    for chunk in wanted:
        found = _places(chunk, words)
        if not found:
            return None
        places.append(found)
    return _shortest(places)


def _places(chunk: Sequence[Word], words: Words) -> list[tuple[int, int]]:
    last = len(chunk) - 1
    found = []
    for at in words.candidates(chunk[0]):
        there = words.all[at : at + len(chunk)]
        if len(there) == len(chunk) and all(
            word.stands_for(wanted, first=step == 0, last=step == last)
            for step, (word, wanted) in enumerate(zip(there, chunk, strict=True))
        ):
            found.append((there[0].start, there[-1].end))
    return found


def _shortest(places: list[list[tuple[int, int]]]) -> tuple[int, int]:
    """The shortest span with one place of every list in it: sweep over all starts, always moving the leftmost on."""
    if len(places) == 1:
        return min(places[0], key=lambda span: span[1] - span[0])
    at = [0] * len(places)
    now = [spans[0] for spans in places]
    best = min(now)[0], max(end for _, end in now)
    while True:
        leftmost = now.index(min(now))
        at[leftmost] += 1
        if at[leftmost] == len(places[leftmost]):
            return best
        now[leftmost] = places[leftmost][at[leftmost]]
        start, end = min(now)[0], max(end for _, end in now)
        if end - start < best[1] - best[0]:
            best = start, end


@lru_cache(maxsize=4096)
def _wanted(phrase: str) -> tuple[tuple[tuple[Word, ...], ...], tuple[str, ...]]:
    """What must stand side by side, and those of the words that are no numbers."""
    chunks: list[tuple[Word, ...]] = []
    for part in phrase.split():
        chunk: list[Word] = []
        for word in Words(part).all:
            if word.is_currency:
                chunks += [tuple(chunk), (word,)]
                chunk = []
            else:
                chunk.append(word)
        chunks.append(tuple(chunk))
    wanted = tuple(dict.fromkeys(chunk for chunk in chunks if chunk))
    return wanted, tuple(word.text for chunk in wanted for word in chunk if not word.values)
