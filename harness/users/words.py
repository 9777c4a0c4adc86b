"""Text as a set of keys: stems and concepts, so that "cancelling", "anular" and "取消" are one thing."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Set
from functools import lru_cache

from harness.users.lexicon import ACTS, BARE, BARE_CHINESE, LIGHT, PROCEED, THINGS

_WORD = re.compile(r"[^\W_]+")
_MARKS = re.compile(r"[\u0300-\u036f]")
# One suffix of an English or Spanish word; the search finds the longest first. Three letters always stay.
_SUFFIX = re.compile(
    r"(?<=\w\w\w)(?:ations?|at(?:e|es|ed|ing)|itions?|ions?|ings?|ments?|ies|ied|ed|es|s|"
    r"aciones|acion|iones|aremos|emos|amos|ando|ar(?:le|lo|la|los|las|se|selo)?|aria|a(?:ran|ra|re)|ad[oa]s?|os|as|[oae])$"
)
_DOUBLED = re.compile(r"([^\Waeiou])\1$")
_CHINESE = re.compile(r"[\u3400-\u9fff]")


def fold(text: str) -> str:
    """Compatibility forms unified, case and accents gone."""
    return _MARKS.sub("", unicodedata.normalize("NFKD", text).casefold())


def stem(word: str) -> str:
    """The part of a folded word that its forms share. Good enough to tell words apart, not a linguist's stem."""
    cut = _DOUBLED.sub(r"\1", _SUFFIX.sub("", word, count=1))
    return cut[:-1] if len(cut) > 3 and cut[-1] in "eyi" else cut


_GAP = r"(?:\w+ ){0,4}"
_CONCEPTS = (*ACTS, *THINGS)
# A word as the lexicon has it comes before its stem: a reservation is nothing to be done, to reserve is.
_EXACT = {word: concept.keys for concept in reversed(_CONCEPTS) for word in concept.words.split()}
_BY_STEM = {stem(word): concept.keys for concept in reversed(_CONCEPTS) for word in concept.words.split()}
_KEYS = {concept.name: concept.keys for concept in _CONCEPTS}
_PHRASES = re.compile(
    r"\b(?:"
    + "|".join(f"(?P<{concept.name}>{concept.phrases})" for concept in _CONCEPTS if concept.phrases).replace("~", _GAP)
    + r")\b"
)
_IN_CHINESE = re.compile(
    "|".join(f"(?P<{concept.name}>{concept.chinese})" for concept in reversed(_CONCEPTS) if concept.chinese)
)
_BARE_CHINESE = re.compile(BARE_CHINESE)

ACT_KEYS = frozenset(concept.name for concept in ACTS)
THING_KEYS = frozenset(concept.name for concept in THINGS)
LIGHT_KEYS = frozenset(map(stem, LIGHT.split()))
BARE_KEYS = frozenset(map(stem, BARE.split()))
PROCEED_KEYS = frozenset(map(stem, PROCEED.split()))


@lru_cache(maxsize=2048)
def keys(text: str) -> frozenset[str]:
    """Concepts of the lexicon, and the stems of all other words. Chinese gives concepts only."""
    folded = fold(text)
    return frozenset([*_phrases(folded), *_named(_words(folded))])


@lru_cache(maxsize=2048)
def name_keys(name: str) -> frozenset[str]:
    """The keys of a name: of a phrase that is a concept only the concept, so that "store credit" is not "credit"."""
    folded = fold(name)
    return frozenset([*_phrases(folded), *_named(_words(_PHRASES.sub(" ", folded)))])


@lru_cache(maxsize=2048)
def content(text: str) -> frozenset[str]:
    """The keys of what a yes/no question is about: without the words that any such question is made of. Chinese that no
    concept covers is one key for each stretch.
    """
    folded = fold(text)
    words = _words(_PHRASES.sub(" ", folded))
    found = {*_phrases(folded), *_named(word for word in words if stem(word) not in BARE_KEYS)}
    if _CHINESE.search(folded):
        rest = _BARE_CHINESE.sub(" ", _IN_CHINESE.sub(" ", folded))
        found.update(word for word in _WORD.findall(rest) if _CHINESE.search(word))
    return frozenset(found)


def chinese_acts(folded: str, acts: Set[str]) -> Iterator[tuple[int, int]]:
    """Where a folded text names one of these acts in Chinese."""
    return (match.span() for match in _IN_CHINESE.finditer(folded) if not acts.isdisjoint(_KEYS[match.lastgroup or ""]))


def chinese_beyond(folded: str, known: Set[str]) -> str:
    """A folded text without the Chinese for these concepts, and without the words of any yes/no question."""
    rest = _IN_CHINESE.sub(lambda match: match[0] if known.isdisjoint(_KEYS[match.lastgroup or ""]) else " ", folded)
    return _BARE_CHINESE.sub(" ", rest)


def _phrases(folded: str) -> Iterator[str]:
    patterns = (_PHRASES, _IN_CHINESE) if _CHINESE.search(folded) else (_PHRASES,)
    return (key for pattern in patterns for match in pattern.finditer(folded) for key in _KEYS[match.lastgroup or ""])


def _words(folded: str) -> Iterator[str]:
    return (word for word in _WORD.findall(folded) if not _CHINESE.search(word))


def _named(words: Iterable[str]) -> Iterator[str]:
    for word in words:
        if word in _EXACT:
            yield from _EXACT[word]
        else:
            root = stem(word)
            yield from _BY_STEM.get(root, (root,))
