"""Claims that something was done or stands done, in English: "I have refunded …", "your order is cancelled".

Only the finished deed counts: promises ("I will"), conditions ("once it has been refunded"), negations, questions,
deeds of others ("you have cancelled") and what somebody is quoted with are no claims. Spanish and Chinese are read by
`harness.scoring.claims.languages`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from harness.scoring.claims import languages
from harness.scoring.claims.acts import ANYTHING, BUILT_IN, NOUNS, OPEN, STATES, STATUS, Acts, stem_of
from harness.scoring.claims.sentences import sentence_at, unmarked, unquoted


@dataclass(frozen=True, slots=True)
class Deed:
    """A claim at `start:end` of a text: which act, and the words that say of what, lower case.

    `word` is what claims it: a participle, a status (of a STATUS), the stem of a verb that is not listed (of an OPEN).
    `own`: the speaker tells it as their own deed; else a thing that was read may show it as well as a call. `state`: it
    tells how a person stands ("you are booked"). `bare`: told without a verb of its own ("Refund issued.").
    """

    act: str
    start: int
    end: int
    clause: str
    word: str = ""
    own: bool = True
    state: bool = False
    bare: bool = False


ADVERB = (
    r"(?:now|also|just|already|successfully|since|then|both|all|fully|officially|indeed|"
    r"(?:gone|went)\sahead\sand|taken\sthe\sliberty\sof)"
)
_CLAIM = re.compile(
    rf"""\b(?=[aghiwy'])(?:
        (?P<own>(?:i|we)(?:'ve|\shave)?)(?:\s{ADVERB}){{0,3}}(?P<able>\s(?:(?:was|were|been)\sable\sto|managed\sto|did))?
      | (?P<done>(?:has|have|(?<=[a-z])'s|(?<=[a-z])'ve)(?:\s{ADVERB}){{0,2}}\sbeen)
      | (?P<firm>(?:is|are|(?<=[a-z])'s|(?<=[a-z])'re)\s(?:all\s)?now|(?:is|are|was|were)(?=\ssuccessfully))
      | (?P<people>you(?:'re|\sare)(?:\sall)?)
      | (?P<stands>is|are|(?<=[a-z])'s)
      | (?P<was>was|were|got)
      | (?P<through>has|have|(?<=[a-z])'s|(?=went))(?=(?:\s{ADVERB})?\s?(?:gone|come|went)\sthrough\b)
    )\b(?:\s{ADVERB}){{0,3}}\s?(?P<verb>(?:(?:gone|come|went)\sthrough|on\s(?:its|the|their)\sway|[a-z]{{3,20}})\b)""",
    re.VERBOSE,
)
_STARTS = r"(?:^|(?<=[.!:]\s)|(?<=\n))(?:\d\.\s|[^\w\n]{1,6})?(?:(?:all\s)?(?:done|set|good)[,!:]\s)?"
_ENDS = r"(?=[^\w\n.!?:(>→]{0,6}(?:[.!](?!\d)|$|\n))"
_SUM = r"[$€£]?\d[\d.,]{0,12}(?:(?<=\d)\s?(?:€|euros?|dollars|usd|eur|gbp))?"
_BARE = re.compile(
    rf"{_STARTS}(?P<thing>(?:(?:your|the|full)\s)?(?:order|refund|payment|booking|reservation|"
    r"subscription|cancellation|return|exchange|card|case|ticket)(?:\s\#?[\w-]{0,16}\d)?"
    rf"(?:\sof\s(?:{_SUM}|[a-z]{{3,5}}ty(?:[\s-](?!is|has|was|be)[a-z]{{3,7}}){{0,4}}?))?)(?:\s{ADVERB})?\s"
    rf"(?P<verb>[a-z]{{4,20}})(?:\s(?:successfully|for\syou|(?:for|of)\s{_SUM}|in\sfull|to\syour\s[a-z]{{3,12}})){{0,2}}{_ENDS}"
    rf"|{_STARTS}(?P<first>[a-z]{{6,12}})(?::|\s-)?\s(?={_SUM}|order\s)"
    rf"|\bconsider\s(?:it|that|this|(?:your|the)\s[a-z]{{3,12}}|yourself)\s(?P<taken>[a-z]{{4,20}}){_ENDS}"
)
"""The same without a verb of its own: "Order cancelled.", "Refunded: 49.90", "Consider it refunded." """
_ALSO = re.compile(
    rf"(?:,|\band)\s(?:(?:i|we)\s)?(?:have\s)?(?:{ADVERB}\s){{0,2}}(?P<verb>[a-z]{{3,20}})\b"
    r"(?!\s(?:on|in|at|by|within|from|with|during|before|after)\b)"
)
HYPOTHETICAL = re.compile(
    r"\b(?:if|once|when|after|until|unless|before|whether|as soon as|in case|should|would|could|can|will|"
    r"may(?! \d)|might|must|not|cannot|never|no|none|nothing|nobody|neither|nor|any|every|whenever|isn't|hasn't|"
    r"haven't|wasn't|weren't|didn't|couldn't|can't|unable|how|which|where|(?:please|you) confirm|"
    r"make sure|ensure|you(?:'ve|'d| have)? (?:said|say|mentioned|told|wrote|stated|reported|indicated|believe|think|"
    r"want|wanted|like|prefer))\b"
)
"""Words before a claim, in its clause, that make it a condition, a promise, a negation or somebody else's words."""
NOTHING = (
    r"(?:\s(?:you|them))?(?:\s(?:absolutely|exactly))?\s(?:nothing|none|neither|(?:no|zero)(?=\s[a-z]))\b"
    r"(?!\s(?:but|except|other than|apart from|fewer than|less than|more than|later than|doubt)\b)"
)
"""What stands behind a verb that was done to nothing: "I have changed nothing", "I made no changes"."""
_NOTHING = re.compile(NOTHING)
_OF_OTHERS = re.compile(r"\b(?:(?<!^)that|which|who|they)\s?$|\byou\s$")
_NOT_TO_YOU = frozenset({"notify", "verify", OPEN})
_ASKS = re.compile(r"\W*(?:has|have|was|were|did|do|does|is|are|can|could|would|will|what|which|when|how|why|who)\b")
_CLAUSE = re.compile(r"[,;:(]|\b(?:(?<!please )(?<!you )confirm|inform you|know|see) that\b")
_CLAUSE_END = re.compile(r"[;:!?\n]|\.(?=\s|$)|,\s(?:but|so|if|please|which)\b|\s(?:but|because|since)\b")
_BY_OTHERS = re.compile(
    r"\s(?:by\s(?:the\s)?(?:airline|carrier|merchant|seller|bank|you)\b|more than|less than|over\s\W?\d)"
)
_STANDS = re.compile(
    r"(?:\s(?:now|already|successfully|in full|for you|to you|as (?:you )?(?:requested|asked|wished)))*"
    r"(?:\s?(?:[.!,;:)\n]|$)|\s(?:and|but|-)\s)"
)
"""What follows a word that says how one thing stands; "is refunded to the card that was used" is how things go."""
WHEN = re.compile(rf"{_STANDS.pattern}|\s(?:on|in|at|for|by|today|yesterday|last|\d)")
"""What follows a word that tells how one thing stands or what it once underwent ("refunded on 3 May")."""
_ONE = re.compile(
    r"^(?!.*\b(?:an?|all)\s).*(?:\b(?:you|your|the|this|it|these|those|both|everything|order)\b|\d\b|^that\b)"
)
"""A subject that is one known thing, not a kind of things ("orders are shipped …")."""
_A_SUM = re.compile(rf"\ba (?:full |partial )?(?:refund|credit) of {_SUM}\s?$")
"""A subject that is one known sum, told as past: "a refund of 49.90 was …"."""
_TOLD_AS_PAST = ("refund", "cancel", "escalate")
"""Acts that "your … was …" claims; what else was once done is told of things as they were found."""
_CONFIRMED = frozenset({"complete", "completed", "confirmed", "done", "through"})
_SEEN = frozenset({"confirmed", "received", "got", "through"})
"""What the speaker has confirmed or received is no deed of theirs."""
_HANDS = frozenset({"handed", "passed", "put", "turned", "brought"})
_OVER = re.compile(
    r"\b(?:over|on|off|along|through|in)\b|\bto (?:an?|our|my|the) (?:\w+ )?(?:human|person|agent|colleague|team)"
)
_GIVES_BACK = frozenset(
    "returned transferred sent moved forwarded released removed reversed undone waived deducted dropped".split()  # noqa: SIM905
)
_GIVES = frozenset({"given", "gave", "granted"})
_BACK = _HANDS | _GIVES | {"paid"}
"""Verbs that give money back only with the word "back"."""
_MONEY = re.compile(
    r"\b(?:money|amount|refunds?|payment(?! (?:request|link|method|detail|plan|option|form))|funds|charges?|fees?|"
    r"price|cost|balance|dollars|euros|pounds|usd|eur|gbp)\b|"
    r"[$€£¥]\s?\d|\d[.,]\d\d\b(?!\s?%)"
)
_HARMLESS = frozenset(
    (  # noqa: SIM905 a list of words reads best as text
        "checked searched looked reviewed received noted noticed understood identified located retrieved pulled "
        "gathered obtained collected calculated computed compared determined considered explored listed outlined "
        "summarized summarised provided shared explained mentioned described stated asked offered suggested "
        "recommended advised tried attempted wanted needed hoped waited worked finished learned learnt realized "
        "realised assumed missed used accessed loaded picked selected narrowed filtered sorted analyzed analysed "
        "examined inspected investigated traced tracked matched validated assessed evaluated apologized apologised "
        "thanked appreciated helped assisted answered responded replied addressed covered included attached "
        "highlighted counted totaled totalled estimated concluded confirmed detected discovered observed "
        "encountered exhausted presented displayed clarified specified requested reached contacted experienced "
        "expected loved enjoyed lived followed focused discussed promised indicated organized organised prepared "
        "planned decided figured viewed visited quoted named called scanned browsed queried consulted studied monitored"
    ).split()
)
"""What is done with words, eyes and thoughts changes nothing and needs no call behind it."""
_OBJECT = re.compile(r"\s(?:you|your|my|our|the|this|that|it|them|an?|both|another)\b")
_PARTICIPLE = re.compile(r"[a-z]{2,17}ed|frozen|reset|withdrawn|rebuilt|undone")
_IDENTITY = re.compile(r"\bidentity|who you are|authenticated|verified your account")
_WORDS = re.compile(r"[a-z]+")


def claimed(text: str, acts: Acts) -> tuple[Deed, ...]:
    """The finished deeds that a text claims, in order. Linear in the length of the text."""
    lowered = unquoted(unmarked(text))
    found = [deed for match in _CLAIM.finditer(lowered) for deed in _read(lowered, match, acts)]
    found += (
        Deed(act, match.start(), match.end(), match[0], match[match.lastgroup or 0], own=False, bare=True)
        for match in _BARE.finditer(lowered)
        if (act := _bare(lowered, match, acts))
    )
    found += (
        Deed(act, start, end, lowered[start:end], word, own)
        for act, start, end, word, own in languages.claimed(lowered, acts.statuses)
    )
    return tuple(sorted(found, key=lambda deed: deed.start))


def key_of(deed: Deed) -> str:
    """What two tellings of the same have in common: the act, or the word where the act has no name."""
    return deed.word if deed.act in (STATUS, OPEN) else deed.act


def told_of(text: str, acts: Acts) -> set[str]:
    """What a user tells of: the acts that a thing has undergone ("my order was cancelled"), and statuses."""
    lowered = unmarked(text)
    found = {key_of(deed) for deed in claimed(text, acts) if not deed.own and deed.act != ANYTHING}
    for word in _WORDS.finditer(lowered):
        if word[0] in acts.statuses:
            first, last = sentence_at(lowered, word.start(), word.end())
            if lowered[last - 1 : last] != "?" and not HYPOTHETICAL.search(lowered[first : word.start()]):
                found.add(word[0])
    return found


def _read(lowered: str, match: re.Match[str], acts: Acts) -> Iterator[Deed]:
    """The deeds that one place of a text claims: one, or several of one speaker ("cancelled … and refunded")."""
    first, last = sentence_at(lowered, match.start(), match.end())
    before = _CLAUSE.split(lowered[first : match.start()])[-1]
    if HYPOTHETICAL.search(before) or _BY_OTHERS.match(lowered, match.end()):
        return
    if not match["own"] and _NOTHING.match(lowered, match.end()):
        return
    if lowered[last - 1 : last] == "?" and _ASKS.match(lowered, first):
        return
    end = _CLAUSE_END.search(lowered, match.end(), last)
    stop = end.start() if end else last
    if match["own"]:
        yield from _own(lowered, match, stop, acts)
        return
    act = _found(match, before, lowered[first : match.start()], lowered[match.end() : stop], acts)
    if act is not None:
        word = stem_of(match["verb"].removesuffix("ed")) if act == OPEN else match["verb"]
        word = "shipped" if act == STATUS and word not in acts.statuses else word
        people = match["people"] is not None
        yield Deed(act, first, stop, lowered[first:stop], word, own=False, state=people)


def _own(lowered: str, match: re.Match[str], stop: int, acts: Acts) -> Iterator[Deed]:
    perfect = "have" in match["own"] or "'ve" in match["own"] or " ahead and " in match[0]
    verbs = [(match.start(), match.end(), match["verb"])]
    verbs += ((also.start(), also.end(), also["verb"]) for also in _ALSO.finditer(lowered, match.end(), stop))
    for place, after, verb in verbs:
        clause, rest = lowered[place:stop], lowered[after:stop]
        act = acts.act_of_verb(verb) if match["able"] else acts.act_of(verb)
        if verb in _SEEN or _NOTHING.match(lowered, after):
            continue
        if verb == "set" and rest.startswith(" up "):
            act = "create"
        elif (act is None or act in BUILT_IN) and _moves_money(verb, rest):
            act = "refund"
        elif verb in _HANDS:
            act = "escalate" if _OVER.search(rest) else None
        elif act is None and perfect and verb not in _HARMLESS and _PARTICIPLE.fullmatch(verb) and _OBJECT.match(rest):
            yield Deed(OPEN, place, stop, clause, stem_of(verb.removesuffix("ed")))
            continue
        if (named := _named(act, clause, verb)) is not None:
            yield Deed(named, place, stop, clause, verb)


def _bare(lowered: str, match: re.Match[str], acts: Acts) -> str | None:
    verb = match[match.lastgroup or 0]
    if match["taken"] and HYPOTHETICAL.search(lowered[sentence_at(lowered, *match.span())[0] : match.start()]):
        return None
    act = acts.participles.get(verb)
    if match["verb"]:
        return _named(act, match["thing"], verb)
    return act if match["taken"] or act in _TOLD_AS_PAST else None


def _found(match: re.Match[str], before: str, subject: str, rest: str, acts: Acts) -> str | None:
    """The act that a thing is said to have undergone ("has been refunded", "is cancelled"); None: no claim."""
    verb, act = match["verb"], acts.act_of(match["verb"])
    others = _OF_OTHERS.search(before)
    if others and (others[0].strip() != "you" or not match["done"] or (act or OPEN) in _NOT_TO_YOU):
        return None
    if match["people"] and act != "refund":
        return act if act in acts.of_people else None
    if verb.startswith("on ") or verb.endswith(" through"):
        return _under_way(verb, before, acts)
    if verb == "back" and match["stands"] and _MONEY.search(before):
        return "refund"
    summed = match["was"] and _A_SUM.search(before)
    if (match["done"] or match["firm"] or summed) and _moves_money(verb, before + rest):
        return "refund"
    if match["done"] and verb in _HANDS:
        return "escalate" if _OVER.search(rest) else None
    if act == "verify" or (act is None and verb not in acts.statuses):
        opened = match["done"] and "your " in before and _PARTICIPLE.fullmatch(verb) and verb not in _HARMLESS
        return OPEN if act is None and opened else _named(act, f"{subject} {verb}", verb)
    standing = match["stands"] and verb in _CONFIRMED
    settled = match["done"] or match["firm"] or standing or summed or rest.startswith(" successfully")
    one = match["people"] or _ONE.search(before)
    if not settled and not (one and (WHEN if match["was"] else _STANDS).match(rest)):
        return None
    named = (
        STATUS if act is None else _named(act, rest if verb in _GIVES else before if match["was"] else subject, verb)
    )
    if match["was"] and not settled and verb not in acts.statuses and named not in _TOLD_AS_PAST:
        return None
    if match["stands"] and named == ANYTHING and verb not in _CONFIRMED:
        return None
    return named


def _moves_money(verb: str, about: str) -> bool:
    back = " back" in about
    if verb in _BACK and back and about.startswith((" you ", " it ")):
        return True
    return (verb in _GIVES_BACK or (verb in _BACK and back)) and _MONEY.search(about) is not None


def _under_way(verb: str, before: str, acts: Acts) -> str | None:
    noun = _noun(before)
    if noun is None and _MONEY.search(before):
        noun = "refund"
    if noun is None and verb.startswith("on ") and "shipped" in acts.statuses and _ONE.search(before):
        return STATUS
    return noun


def _named(act: str | None, about: str, verb: str) -> str | None:
    """The act, or that of the noun that stands with a participle that says no more than that something was done."""
    if act == "verify" and not _IDENTITY.search(about):
        return None
    if act != ANYTHING:
        return act
    return _noun(about) or (None if verb in STATES else ANYTHING)


def _noun(about: str) -> str | None:
    words = [word if word in NOUNS else word.removesuffix("s") for word in _WORDS.findall(about)]
    return next((NOUNS[word] for word in words if word in NOUNS), None)
