"""What a sentence does something to: "cancel your *class*", "la cancelación de su *clase*", "取消您的*课程*"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set

from harness.users.lexicon import ANY_OBJECT, DETERMINERS, ENDS_AN_OBJECT, SPANISH_DETERMINERS
from harness.users.words import BARE_KEYS, THING_KEYS, chinese_acts, chinese_beyond, fold, keys, stem

_TOKEN = re.compile(r"[^\W_]+(?:[-'’.@_][^\W_]+)*|[^\s\w]|\n")
_HAN = re.compile(r"[\u3400-\u9fff]")
_SPANISH_THE = frozenset(SPANISH_DETERMINERS.split())
_THE = _SPANISH_THE | frozenset(DETERMINERS.split())
_OF = frozenset(("of", "de", "del"))
_STOP = _OF | frozenset(ENDS_AN_OBJECT.split())
_ANY = frozenset(ANY_OBJECT.split())
_ANY_CHINESE = re.compile(
    r"全部|全额|整个|当前|新|这|该|一下|一|个|笔|份|张|金额|款项?|钱|[美欧]?元|立即|马上|[年月日号点]|\d+|\W+"
)
_CHINESE_STOP = re.compile(r"[，。；？！,.;?!]|[到至给并和与或后]|以及|并且|然后")
_CHINESE_TAKES = re.compile(r"[把将]")


def others(text: str, acts: Set[str], known: Set[str]) -> frozenset[str]:
    """The things that a text does one of these acts to, but for those with `known` keys: a word, or in Chinese what is
    left of a stretch. "It", an id, a number, and a thing that is left out are no others. If an item is known, so is
    whatever is not known for another thing: a shop's items have all kinds of names.
    """
    found = frozenset(thing for thing in _objects(text, acts, known) if not keys(thing) & known)
    return frozenset(filter(_is_thing, found)) if "item" in known else found


def _is_thing(word: str) -> bool:
    """Whether a word is one for something in the lexicon."""
    return bool(keys(word) & THING_KEYS)


def _objects(text: str, acts: Set[str], known: Set[str]) -> Iterator[str]:
    folded = fold(text)
    tokens = _TOKEN.findall(folded)
    for place, token in enumerate(tokens):
        if not _HAN.search(token) and keys(token) & acts:
            yield from _object(tokens, place)
    if _HAN.search(folded):
        yield from _in_chinese(folded, acts, known)


def _object(tokens: Sequence[str], place: int) -> Iterator[str]:
    behind, end = _phrase(tokens, place + 1)
    if not behind and end == place + 1 and tokens[end : end + 1] and tokens[end] in _OF:
        behind, _ = _phrase(tokens, end + 1)
    if behind:
        yield behind
    elif end == place + 1 and (before := _noun_before(tokens, place)):
        yield before


def _phrase(tokens: Sequence[str], place: int) -> tuple[str | None, int]:
    """The noun of the phrase that begins here: the last one, in Spanish the first; and where the phrase ends."""
    end, spanish, nouns = place, False, []
    while end < len(tokens) and tokens[end] not in _STOP and tokens[end][0].isalnum():
        spanish = spanish or tokens[end] in _SPANISH_THE
        if _is_noun(tokens[end]):
            nouns.append(tokens[end])
        end += 1
    return (nouns[0 if spanish else -1] if nouns else None), end


def _noun_before(tokens: Sequence[str], place: int) -> str | None:
    """The noun in "your class cancellation" and "your class cancelled"."""
    word = tokens[place - 1] if place and not tokens[place].endswith("ing") else ""
    return word if word and word[0].isalnum() and word not in _STOP and _is_noun(word) else None


def _is_noun(word: str) -> bool:
    return not (
        word in _THE
        or word in _ANY
        or any(map(str.isdigit, word))
        or "@" in word
        or word.endswith(("ly", "mente"))
        or stem(word) in BARE_KEYS
    )


def _in_chinese(folded: str, acts: Set[str], known: Set[str]) -> Iterator[str]:
    for start, end in chinese_acts(folded, acts):
        behind = _CHINESE_STOP.split(folded[end:], maxsplit=1)[0]
        *_, taken = _CHINESE_TAKES.split(_CHINESE_STOP.split(folded[:start])[-1])
        for stretch in (behind, taken if _CHINESE_TAKES.search(folded[:start]) else ""):
            left = _ANY_CHINESE.sub("", chinese_beyond(stretch, known))
            if _HAN.search(left):
                yield left
