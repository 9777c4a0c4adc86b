"""What a tool's own words tell of: an error that says "this order has already been refunded", `renewals: 3`.

Who repeats that tells how things stand, not a deed of the speaker.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from harness.scoring.claims.acts import ANYTHING, NOUNS, OPEN, Acts, stem_of
from harness.scoring.claims.deeds import ADVERB, HYPOTHETICAL, WHEN, Deed, claimed, key_of
from harness.scoring.claims.evidence import written
from harness.scoring.claims.numbers import WORDS
from harness.scoring.claims.remembered import remembered_by
from harness.scoring.claims.sentences import unmarked
from tools_sandbox.call import Call, Json

_LONGEST, _OF_ERROR = 400, 2000
"""Characters of a text in a result that is read as a message (a longer one is a document), and of an error."""
_EARLIER = re.compile(
    r"\b(?:already|before(?:hand)?|previously|earlier|yesterday|ago|last\s[a-z]{3,9}|once|twice|times|too\soften|maximum"
    r"|on\s(?:the\s)?(?:\d|[a-z]{3,9}\s\d)|ya|anteriormente|ayer)\b|已经?|之前|此前"
)
_FRESH = re.compile(
    r"\b(?:has|have|is|are|was|were|'s|'ve|'re|been)\s(?:been\s)?(?:now|just)\b|\bsuccessfully\b|\bacaba\b|刚|成功"
)
_TIMES = re.compile(r"\b(?:(once|twice|thrice)|(\d{1,4}|[a-z]{3,9})[\s-]times)\b")
_AFTER = re.compile(rf"{WHEN.pattern}|\s{_TIMES.pattern}")
_ONCE = {"once": 1, "twice": 2, "thrice": 3}
_COUNT = re.compile(r"\bcount|times|s$")
_MOST = 100
"""A greater number counts something else."""
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_CLAUSE = re.compile(r"[,;:(.!?\n]|\b(?:because|since|as|that|but)\b|\s-\s")
_NOT_YET = re.compile(r"\b(?:to be|fail\w*|await\w*|pending|needs?|requires?|only|must)\b")
_PASSIVE = re.compile(rf"\b(?:is|are|was|were|been|got|'s|already)(?:\s{ADVERB}){{0,2}}\s$")
_TWICE = re.compile(r"\bduplicate\s([a-z]{3,20})\b|\b([a-z]{3,20})(?:\sfor\s\S{1,30})?\salready\sexists?\b")
_FALSE = re.compile(r"\W{1,4}(?:false|no|none|null|never|0)\b")
_WORD = re.compile(r"[a-z]{3,20}")
_ID = re.compile(r"(?<![\w-])#?(?=[\w-]{0,20}\d)[a-z]{1,8}[-_#]?\d[\w-]*|(?<![\w.,-])\d{5,}(?![\w-])")


def told_by(deed: Deed, call: Call, acts: Acts, keys: Collection[str]) -> bool:
    """Whether a claim only repeats what this call answered: its error, a message in its result, or a count there.

    The claim must tell how things stand: one that the speaker tells as their own deed, as new ("has now been …") or
    without a verb ("Refund issued") is none but with a word for an earlier time ("we already refunded it"). `keys` are
    the rows that it names: an error that names others, or was about others, tells nothing of them.
    """
    if not _stands(deed):
        return False
    if call.error is not None:
        return _about(call, keys) and _says(call.error.text[:_OF_ERROR], deed, acts)
    sign = acts.signs.get(deed.act) or re.compile(re.escape(deed.word))
    messages = (text for text in _messages(call.result) if sign.search(text.lower()))
    return _counts(call.result, deed, acts) or (
        _about(call, keys) and any(_says(text, deed, acts) for text in messages)
    )


def _stands(deed: Deed) -> bool:
    if _EARLIER.search(deed.clause):
        return not deed.own or re.match(r"we\b|we'", deed.clause) is not None
    return not (deed.own or deed.bare or _FRESH.search(deed.clause))


def _about(call: Call, keys: Collection[str]) -> bool:
    if not keys:
        return True
    about = written([call.arguments, call.result, call.error.text if call.error else None]).lower()
    return any(key.lower().lstrip("#") in about for key in keys) or not _ID.search(about)


def _says(text: str, deed: Deed, acts: Acts) -> bool:
    """Whether a tool's message says that the deed was done before. What it tells as done so many times may be done
    once more: then the claim must tell of earlier times too.
    """
    said, told = _times(deed.clause), _times(unmarked(text))
    if told is not None and (said or told) != told:
        return False
    return (told is None or _EARLIER.search(deed.clause) is not None) and key_of(deed) in _told(text, acts)


@remembered_by(str)
def _told(text: str, acts: Acts) -> frozenset[str]:
    """The acts, statuses and stems of verbs that a tool's message tells as done (`order already refunded`)."""
    lowered = unmarked(_CAMEL.sub(" ", text))
    found = {key for deed in claimed(text, acts) for key in (key_of(deed), deed.act)}
    found |= {NOUNS[noun] for match in _TWICE.finditer(lowered) if (noun := match[1] or match[2]) in NOUNS}
    for word in _WORD.finditer(lowered):
        before = _CLAUSE.split(lowered[max(0, word.start() - _LONGEST) : word.start()])[-1]
        if HYPOTHETICAL.search(before) or _NOT_YET.search(before) or _FALSE.match(lowered, word.end()):
            continue
        stands = word[0].endswith(("ed", "en", "wn")) and _AFTER.match(lowered, word.end())
        if stands or _PASSIVE.search(before) or " already " in f" {before}":
            found |= _keys(word[0], before, acts)
    return frozenset(found - {ANYTHING, OPEN})


def _keys(word: str, before: str, acts: Acts) -> set[str]:
    act = acts.act_of(word)
    if act == ANYTHING:
        nouns = (noun.removesuffix("s") for noun in _WORD.findall(before))
        return {NOUNS[noun] for noun in nouns if noun in NOUNS}
    told = {act or stem_of(word.removesuffix("ed"))} if act or word.endswith("ed") else set()
    return told | {word} & acts.statuses


def _counts(value: Json, deed: Deed, acts: Acts) -> bool:
    """Whether a result counts how often it was done (`renewals: 3`), and the claim tells of earlier times."""
    sign = acts.signs.get(deed.act)
    if sign is None or not _EARLIER.search(deed.clause):
        return False
    said = _times(deed.clause)
    return any(sign.search(name) and (said is None or said == count) for name, count in _counted(value))


def _counted(value: Json) -> Iterator[tuple[str, int]]:
    if isinstance(value, list):
        for member in value:
            yield from _counted(member)
    elif isinstance(value, dict):
        for name, member in value.items():
            spoken = unmarked(name)
            if isinstance(member, int) and not isinstance(member, bool):
                if 0 < member <= _MOST and _COUNT.search(spoken):
                    yield spoken, member
            else:
                yield from _counted(member)


def _messages(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        if " " in value.strip() and len(value) <= _LONGEST:
            yield value
    elif isinstance(value, (list, dict)):
        for member in value.values() if isinstance(value, dict) else value:
            yield from _messages(member)


def _times(lowered: str) -> int | None:
    """How many times a text says that something was done; None if it does not say."""
    found = _TIMES.search(lowered)
    if found is None:
        return None
    once, number = found.groups()
    if once:
        return _ONCE[once]
    return int(number) if number.isdigit() else WORDS.get(number)
