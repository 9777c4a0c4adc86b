"""What the recogniser needs to know of a language. Adding a language is one module that fills this in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Language:
    """The patterns of one language, for folded text: lower case, straight quotes."""

    code: str
    marks: frozenset[str]
    """Words (of Chinese, characters) that tell the language of a text: it is in the one with most of them."""
    cues: re.Pattern[str]
    """Without one of these a sentence neither asks nor closes."""
    closing: re.Pattern[str]
    """Offers of more help, openings of the floor, goodbyes."""
    heads: re.Pattern[str]
    """What an ask begins with, in named groups. `propose`: a yes is wanted to an act. `confirm`: a yes, or a fact to be
    confirmed. `await`: what is done once the user has confirmed. `request`: something is to be told. `soft`: the same,
    but it asks only if it names a slot ("once you have your order number"). `act`: something is to be done.
    """
    slots: re.Pattern[str]
    """The usual slots, one named group a kind."""
    edge: re.Pattern[str]
    """What parts two asks, or two slots, in one sentence."""
    aside: re.Pattern[str]
    """A noun before a slot that is what is really wanted: "the colour of the item"."""
    purpose: re.Pattern[str]
    """Where a sentence stops to say what is asked and begins to say what for."""
    wh: re.Pattern[str]
    """Question words."""
    pick: re.Pattern[str]
    """Words that want one out of several: which, choose. In the group `weigh`, words that weigh options which stand
    beside them: prefer.
    """
    consent: re.Pattern[str]
    """What follows "confirm" when a yes to an act is wanted."""
    summary: re.Pattern[str]
    """What follows "confirm" when a yes to all that was said before is wanted: the details."""
    open_confirm: re.Pattern[str]
    """What follows "confirm" when some other answer is wanted: if the parcel came, how it broke."""
    assertion: re.Pattern[str]
    """What follows "confirm" when a statement is to be confirmed."""
    condition: re.Pattern[str]
    """What follows a request when a yes or no is wanted, so that no slot in it is asked for."""
    bare: re.Pattern[str]
    """An ask for consent that names no act; it repeats an ask made before."""
    follow_up: re.Pattern[str]
    """An open ask that repeats, or offers a way out of, an ask made before."""
    pointer: re.Pattern[str]
    """Asks for what the sentence before has named: "could you provide those?"."""
    tag: re.Pattern[str]
    """Asks whether what was said is right."""
    claim: re.Pattern[str]
    """Asks whether a value is the user's."""
    copula: re.Pattern[str]
    """What stands between a slot and its value."""
    either: re.Pattern[str]
    """An "or" at the end."""
    conjunction: re.Pattern[str]
    """What stands between the options of a choice, where what follows makes it one."""
    comma: re.Pattern[str]
    """What stands between the options before that."""
    polar: re.Pattern[str]
    """Questions that a yes or no answers, so that no slot in them is asked for."""
    open_question: re.Pattern[str]
    """Questions that never give a choice, whatever "or" they have: did you …, is there …"""
    refusal: re.Pattern[str]
    """A request is turned down."""
    setback: re.Pattern[str]
    """Something did not work and can be tried again, or depends: no refusal."""


_QUOTES = str.maketrans("‘’“”", "''\"\"")


def folded(text: str) -> str:
    """The text in lower case and with straight quotes, each character at its place."""
    if text.isascii():
        return text.lower()
    low = text.translate(_QUOTES).lower()
    return low if len(low) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in low)


def words(text: str) -> frozenset[str]:
    """The words of a text that are parted by spaces."""
    return frozenset(text.split())


def any_of(*sources: str) -> re.Pattern[str]:
    """One pattern that matches any of the sources."""
    return re.compile("|".join(f"(?:{source})" for source in sources))


def named(groups: Mapping[str, tuple[str, ...]], *, spaced: bool = True) -> re.Pattern[str]:
    """One pattern with a named group for each entry; where several match at one place, the earlier entry wins.

    In a language that parts words by spaces a match begins where a word does, which also makes the search fast: `re`
    can skip an alternative by its first letter only if no test stands before that letter.
    """
    body = "|".join(f"(?P<{name}>{'|'.join(sources)})" for name, sources in groups.items())
    return re.compile(rf"(?<!\w)(?:{body})" if spaced else body)
