"""What a message refers to that only the other agent had said: options, figures, promises."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from harness.model.episode import Ask
from harness.users.words import BARE_KEYS, LIGHT_KEYS, keys
from tools_sandbox.text import mentions

_FIGURE = re.compile(r"[^\s,;:?!()\"“”。，？！]*\d[^\s,;:?!()\"“”。，？！]*")
_ORDINALS = (
    re.compile(r"\b(?:first|former|(?:option|number|choice) (?:1|one|a)|primer[oa]?)\b|第一", re.IGNORECASE),
    re.compile(r"\b(?:second|latter|(?:option|number|choice) (?:2|two|b)|segund[oa])\b|第二", re.IGNORECASE),
    re.compile(r"\b(?:third|(?:option|number|choice) (?:3|three|c)|tercer[oa]?)\b|第三", re.IGNORECASE),
)
_PROMISED = re.compile(
    r"\b(?:you(?:['’]ve| have)? (?:just )?(?:said|promised|told|mentioned|offered|agreed|suggested)"
    r"|(?:me )?(?:dijiste|dijo|prometi[oó]|ofreci[oó]))\b[^.?!]*|你(?:说|答应|承诺)[^。？！]*",
    re.IGNORECASE,
)
_POINTED_AT = re.compile(r"\b(?:the|that|this|your|el|la|ese|esa|este|esta|su)\s+([^\W\d_]{4,})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Missing:
    """What is referred to and is not there, in words, and the words that refer to it."""

    why: str
    quote: str


def missing_reference(
    text: str,
    own: Sequence[str],
    then: Sequence[str],
    asked_then: Sequence[Ask],
    now: Sequence[str],
    asked_now: Sequence[Ask],
) -> Missing | None:
    """The first thing that a message refers to, that the agent had said `then`, and not the user's `own` words before,
    and that is not in what it says `now`; None if there is none.
    """
    return next(
        (
            found
            for sign in (
                _options(text, asked_then, now, asked_now),
                _figures(text, own, then, now),
                _promises(text, own, then, now),
            )
            for found in sign
        ),
        None,
    )


def _options(text: str, then: Sequence[Ask], now: Sequence[str], asked_now: Sequence[Ask]) -> Iterator[Missing]:
    offered = [option for ask in then for option in ask.options]
    for option in offered:
        if mentions(option, text) and not any(mentions(option, said) for said in now):
            yield Missing(f"it picks “{option}”, which the agent does not offer", text)
    for place, ordinal in enumerate(_ORDINALS):
        if place >= len(offered) or (found := ordinal.search(text)) is None:
            continue
        there = [ask.options[place] for ask in asked_now if len(ask.options) > place]
        if not any(keys(option) & keys(offered[place]) for option in there):
            yield Missing(f"it picks “{offered[place]}” by its place, where the agent offers something else", found[0])


def _figures(text: str, own: Sequence[str], then: Sequence[str], now: Sequence[str]) -> Iterator[Missing]:
    for figure in _FIGURE.findall(text):
        if _said(figure, then) and not _said(figure, own) and not _said(figure, now):
            yield Missing(f"it refers to {figure}, which the agent has not said", figure)


def _promises(text: str, own: Sequence[str], then: Sequence[str], now: Sequence[str]) -> Iterator[Missing]:
    heard, known = (frozenset().union(*map(keys, texts)) for texts in (then, [*own, *now]))
    for found in _PROMISED.finditer(text):
        meant = keys(found[0]) & heard - LIGHT_KEYS - BARE_KEYS
        if meant and meant.isdisjoint(known):
            yield Missing("it refers to what the agent has not said", found[0])
    for found in _POINTED_AT.finditer(text):
        meant = keys(found[1]) - LIGHT_KEYS - BARE_KEYS
        if meant and meant <= heard and meant.isdisjoint(known):
            yield Missing("it refers to what the agent has not spoken of", found[0])


def _said(figure: str, texts: Sequence[str]) -> bool:
    return any(mentions(figure, text) for text in texts)
