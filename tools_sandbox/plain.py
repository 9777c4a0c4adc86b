"""Text as a reader sees it: compatible characters made one, what shows nothing taken out."""

from __future__ import annotations

import re
import unicodedata

Places = list[tuple[int, int]]
"""From where to where in the original text each character stands."""

INVISIBLE = re.compile(
    "[\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff]"
)
"""Characters that format but show nothing; hidden in a word, they would hide it."""
_BLANKS = re.compile(r"\s+")
_UNEVEN = re.compile(r"[^\S ]|\s\s")


def normalised(text: str) -> tuple[str, Places | None]:
    """The text in NFKC without invisible characters, and the places of its characters; None where nothing moved. What
    becomes several (`¾` is `3⁄4`) stays one place.
    """
    if text.isascii() or (unicodedata.is_normalized("NFKC", text) and not INVISIBLE.search(text)):
        return text, None
    pieces: list[str] = []
    places: Places = []
    start = 0
    for end in range(1, len(text) + 1):
        if end < len(text) and unicodedata.combining(text[end]):
            continue
        cluster = text[start:end]
        if not INVISIBLE.match(cluster):
            piece = unicodedata.normalize("NFKC", cluster)
            pieces.append(piece)
            places += [(start, end)] * len(piece)
        start = end
    return "".join(pieces), places


def on_one_line(text: str) -> tuple[str, Places | None]:
    """The text `normalised`, with every run of white space, line breaks included, made one blank."""
    plain, places = normalised(text)
    # No white space but the blank is printable.
    if (plain.isprintable() and "  " not in plain) or not _UNEVEN.search(plain):
        return plain, places
    if places is None:
        places = [(at, at + 1) for at in range(len(plain))]
    kept: Places = []
    end = 0
    for run in _BLANKS.finditer(plain):
        kept += places[end : run.start()]
        kept.append((places[run.start()][0], places[run.end() - 1][1]))
        end = run.end()
    return _BLANKS.sub(" ", plain), kept + places[end:]
