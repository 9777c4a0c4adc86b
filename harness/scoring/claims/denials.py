"""Denials, in English: that something was done ("I could not cancel it"), that a thing stands so ("it is not paid").

Only what is plainly said of one thing is read: conditions, questions, quotations, what was so at first or in part, and
what is said of "the other one" are no denials. Several statuses told of a thing ("paid, or shipped") deny that it has
one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from harness.scoring.claims.acts import ANYTHING, NOUNS, Acts
from harness.scoring.claims.deeds import ADVERB, HYPOTHETICAL, NOTHING
from harness.scoring.claims.sentences import sentence_at, unmarked, unquoted


@dataclass(frozen=True, slots=True)
class Denial:
    """A denial at `start:end` of a text, about a `thing` in its words, lower case ("" where none is named).

    `act`: what is said not to have been done ("" for none; ANYTHING: the thing is as it was). `open`: it is said not to
    be possible, or of nothing by name, and so of this very turn. `denied`: a status that the thing is said not to have.
    `told`: statuses of which it is said to have one or another.
    """

    start: int
    end: int
    thing: str
    act: str = ""
    denied: str = ""
    told: tuple[str, ...] = ()
    open: bool = False


_THING = (
    r"(?:(?:(?:the|your|this|that)\s)?[a-z]{3,20}\s\#?[a-z0-9_-]{0,20}\d|(?:the|your|this|that)\s[a-z]{3,20}"
    rf"|{'|'.join(NOUNS)}|it|this|that|\#?[a-z0-9_-]{{1,20}}\d)\b"
)
_OF = rf"(?:\s(?:of|for)\s{_THING})?"
_DENIES = re.compile(
    r"""\b(?=[acdfhirstuw])(?:
        (?:(?:i|we)(?:\s(?:could|did|have|can)(?:\snot|n't)|\scan(?:'t|not)|'ve\snot|(?:'ve|\shave)\sbeen\sunable\sto
            |(?:'m|\sam|\sare|\swas|\swere)\s(?:unable|not\sable)\sto|\swas(?:n't)\sable\sto|\swere(?:n't)\sable\sto
            |\sfailed\sto)|(?<![a-z]\s)(?:unable|failed)\sto
            |the\ssystem\s(?:(?:refused|declined|failed)\sto|(?:did|would)(?:\snot|n't)\slet\s(?:me|us)))\s(?P<own>[a-z]{3,20})
      | (?:(?:has|have|was|were)(?:\snot|n't|\snever)(?:\sbeen)?|(?:could|can)(?:\snot|n't)\sbe|can(?:'t|not)\sbe)\s
            (?P<undone>[a-z]{3,20})
      | (?:is|are)(?:\snot|n't|\snever)(?:\syet|\scurrently)?\s(?P<isnt>[a-z]{3,20})
      | (?:is|are|was)\s(?P<un>un[a-z]{3,20})
      | (?P<failed>(?:has\s|have\s)?failed|did(?:\snot|n't)\s(?:go\sthrough|succeed|work)
            |(?:was|has\sbeen)\s(?:refused|rejected|declined|unsuccessful|not\ssuccessful))
      | (?:remains|stays|is\sstill)\s(?P<remains>active|open|uncancell?ed|in\splace|unchanged|as\sit\swas)
      | is\s(?:either\s)?(?P<told>[a-z]{3,20}(?:,\s[a-z]{3,20})*(?:,?\sor\s[a-z]{3,20})+)
    )\b""",
    re.VERBOSE,
)
_DID_NOTHING = re.compile(
    rf"\b(?=[inw])(?:(?:i|we)(?:'ve|\shave)?(?:\s{ADVERB}){{0,2}}\s(?P<did>[a-z]{{3,20}}){NOTHING}(?:\s(?!to\b)(?P<what>[a-z]{{3,20}}))?"
    r"|(?:nothing|no\s(?P<kind>[a-z]{3,20}))\s(?:has|have|was|were)(?:\sbeen)?\s(?P<done>[a-z]{3,20})\b)"
)
_NEGATIVES = ("no ", "nothing", "none", "neither", "zero")
"""One of them stands in every such denial: other texts are passed over quickly."""
_ON = re.compile(rf"(?:\s(?:at all|whatsoever))?(?:\s(?:to|in|on|of|for|with)\s(?P<thing>{_THING}))?")
_CHANGED = frozenset({"changed", "modified", "updated", "altered", "adjusted", "amended", "edited"})
_CHANGES = frozenset({"change", "modification", "update", "alteration", "adjustment", "amendment", "edit"})
"""To do this to nothing, and to make none of these, is to leave everything as it was."""
_CLAUSE = re.compile(r"[,;:(]")
_OBJECT = re.compile(rf"\s(?P<thing>{_THING}){_OF}")
_SUBJECT = re.compile(
    r"(?:^|[^\w\s]\s|\b(?:that|so|and|but|unfortunately|however|currently)\s)\W*"
    rf"(?P<thing>{_THING}){_OF}(?:\srequest)?,?$"
)
_FAR = 100
"""Characters before a verb that its subject stands in."""
_ENDS = re.compile(
    r"(?:\s(?:for you|now|right now|today|at this (?:time|point|moment)|at the moment))*\s?"
    r"(?:[!,;:\n)-]|\.(?!\d)|$|(?:because|as|since|due)\b)"
)
_GOES_ON = re.compile(rf"{_ENDS.pattern}|\s(?:yet\s?(?:[.!,;\n]|$)|(?:and|or)\b)")
_ELSE = re.compile(
    r"\b(?:other|others|another|rest|remaining|otherwise|else|except|apart|first|second|initially|earlier|previously|"
    r"originally|thought|sorry (?:that|to)|understand|hear|that is|part|each|only)\b"
)
"""Words before a denial that make it one of something else, of another time, or of what the user told."""
_SUPPOSED = re.compile(r"\b(?:if|once|when|whenever|unless|until|whether|while|in case|should|had)\b")
_OPEN = re.compile(r"\b(?:can|cannot|can't|am|are|'m)\b")
_UNCHANGED = frozenset({"unchanged", "as it was"})
_TAKES_TIME = frozenset({"refund", "charge", "send", "notify"})
"""Acts whose effect comes later: "it has not been refunded yet" may be true after the call."""
_WORDS = re.compile(r"[a-z]+")


def denials(text: str, acts: Acts) -> Iterator[Denial]:
    """The denials of a text, those that nothing was done last. Linear in the length of the text."""
    lowered = unquoted(unmarked(text))
    for match in _DENIES.finditer(lowered):
        if (first := _begins(lowered, match)) is not None:
            yield from _read(lowered, match, first, acts)
    for match in _DID_NOTHING.finditer(lowered) if any(map(lowered.__contains__, _NEGATIVES)) else ():
        if (first := _begins(lowered, match)) is not None:
            yield from _nothing(lowered, match, first, acts)


def _begins(lowered: str, match: re.Match[str]) -> int | None:
    """Where the sentence of a denial begins; None if it is a question, a condition, or about something else."""
    first, last = sentence_at(lowered, match.start(), match.end())
    before = lowered[first : match.start()]
    if lowered[last - 1 : last] == "?" or _SUPPOSED.search(before) or _ELSE.search(before):
        return None
    return None if HYPOTHETICAL.search(_CLAUSE.split(before)[-1]) else first


def _nothing(lowered: str, match: re.Match[str], first: int, acts: Acts) -> Iterator[Denial]:
    """That nothing was done ("I have paused nothing"), or to none of a kind ("no order was cancelled")."""
    verb, noun = match["did"] or match["done"], (match["what"] or match["kind"] or "").removesuffix("s")
    on = _ON.match(lowered, match.end())
    if on is None or not _GOES_ON.match(lowered, on.end()):
        return
    act, thing = acts.act_of(verb) or "", on["thing"] or ""
    if noun in _CHANGES or (verb in _CHANGED and not noun):
        act = ANYTHING
    elif act == ANYTHING:
        act = NOUNS.get(noun, "")
    else:
        thing = thing or noun
    if act and not (act in _TAKES_TIME and match["done"]):
        yield Denial(first, on.end(), thing, act, open=not on["thing"])


def _read(lowered: str, match: re.Match[str], first: int, acts: Acts) -> Iterator[Denial]:
    after = _OBJECT.match(lowered, match.end()) if match["own"] else None
    stop = after.end() if after else match.end()
    about = after or _SUBJECT.search(lowered[max(first, match.start() - _FAR) : match.start()].rstrip())
    if about is None or (match["own"] and after is None):
        return
    if not (_ENDS if match["own"] else _GOES_ON).match(lowered, stop):
        return
    thing = about["thing"]
    if match["told"]:
        told = tuple(word for word in _WORDS.findall(match["told"]) if word in acts.statuses)
        if len(set(told)) > 1:
            yield Denial(first, stop, thing, told=told)
        return
    act = _act(match, thing, about[0], acts)
    if (act in _TAKES_TIME and match["undone"]) or (match["isnt"] and act != "cancel"):
        act = ""
    said = match["undone"] or match["isnt"] or (match["un"] or "").removeprefix("un")
    denied = said if said in acts.statuses else ""
    if act or denied:
        yield Denial(first, stop, thing, act, denied, open=_OPEN.search(match[0]) is not None)


def _act(match: re.Match[str], thing: str, about: str, acts: Acts) -> str:
    if remains := match["remains"]:
        return ANYTHING if remains in _UNCHANGED else "cancel"
    noun = next((NOUNS[word] for word in _WORDS.findall(about) if word in NOUNS), "")
    if match["failed"]:
        return noun
    if verb := match["own"]:
        act = acts.act_of_verb(verb) or acts.act_of(verb) or ""
    else:
        act = acts.act_of(match["undone"] or match["isnt"] or "") or ""
    return noun if act == ANYTHING else act
