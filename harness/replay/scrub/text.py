"""Personal data that shows in a text by its own form, or by the words before it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from harness.replay.scrub.stand_ins import Kind


@dataclass(frozen=True, slots=True)
class Found:
    """A value in a text, from `start` to `end`."""

    kind: Kind
    start: int
    end: int


Finder = Callable[[str], Iterator[Found]]

_HAN = r"\u3400-\u9fff"
"""Characters of a script that puts no space between its words and what follows them."""
_ALONE, _ENDS = rf"(?<![^\W{_HAN}])", rf"(?![^\W{_HAN}])"
_MAIL_WORD = rf"(?:(?![{_HAN}])[\w.+%-])"
_EMAIL = re.compile(
    rf"(?<!{_MAIL_WORD})(?={_MAIL_WORD}){_MAIL_WORD}{{1,64}}(?:(?<=\w)'{_MAIL_WORD}{{1,64}})?"
    rf"@(?:[\w-]{{1,63}}\.){{1,8}}(?:xn--[a-z\d-]{{2,59}}|[^\W\d_]{{2,24}})(?![^\W_]|-)"
)
_DIGITS = re.compile(rf"(?<!\d[.,]){_ALONE}(?<![.$€£%+-])\d(?:[ -]?\d){{11,}}{_ENDS}(?![-.]\d)")
_IBAN = re.compile(rf"{_ALONE}[A-Z]{{2}}\d{{2}}(?:[ -]?[A-Z0-9]){{11,30}}{_ENDS}", re.IGNORECASE)
_PHONE = re.compile(
    rf"(?:{_ALONE}(?<!\d[.,:])(?<![/#$€£%-])|(?<=[,/])(?=\+))(?:\+|\(\+?)?\d(?:[ .()/-]{{0,3}}\d){{5,14}}"
    rf"(?:\s?(?:x|ext\.?)\s?\d{{1,6}})?{_ENDS}(?![-.,:/%]\d)"
)
_TELLS_PHONE = re.compile(
    r"(?:\bphone|mobile|\bcell|\bcall(?:ed|ing)?\b|\btel\b|telephone|whatsapp|\bfax|\b(?:text|ring) (?:me|us|him|her)"
    r"|reach (?:me|us|him|her)|\bdial|\bsms\b|hotline|landline|answer(?:ing|s)? (?:at|on|under)"
    r"|\b(?:my|his|her|our|their|contact) number|\b(?:office|home|work)(?: number)?:"
    r"|mi n[úu]mero|tel[ée]fono|m[óo]vil|celular|ll[aá]m[ae]|电话|手机|号码).{0,40}$",
    re.IGNORECASE | re.DOTALL,
)
_IS_PHONE = re.compile(
    r"[ (–-]{0,3}(?:is )?(?:my |his |her |our |their )?"
    r"(?:phone|mobile|cell|telephone|tel|fax|landline|office|home|work)\b",
    re.IGNORECASE,
)
_TELLS_ID = re.compile(
    r"(?:passport|driv(?:er'?s?|ing) licen[cs]e|licen[cs]e (?:number|no)|social security|\bssn\b|national id"
    r"|tax(?:payer)? id|\bdni\b|\bnie\b|\bcurp\b|pasaporte|护照|身份证)[^\d\n]{0,24}?"
    r"(?P<id>(?=[A-Za-z-]{0,8}\d)[A-Za-z\d](?:[ -]?[A-Za-z\d]){4,19})(?!\w)",
    re.IGNORECASE,
)
_SSN = re.compile(r"(?<![\w.-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])")
_WORD = r"[A-ZÀ-ÖØ-ÞΑ-ΩА-ЯŁŚŞĞÇČŠŽ][\w'’-]*"
_TELLS_NAME = re.compile(
    r"(?i:\bmy (?:full )?name(?:'s| is)|\bi am called|\bme llamo|\bmi nombre (?:completo )?es)[ :]{1,3}"
    rf"(?P<name>{_WORD}(?: (?:(?:de|del|la|van|von|der|bin|al|da|dos) ){{0,2}}{_WORD}){{0,4}})"
    r"|(?:我叫|我的名字(?:是|叫)) ?(?P<chinese>[\u4e00-\u9fff·]{2,8})"
)
_REGIONS = (
    "US", "GB", "DE", "FR", "ES", "IT", "NL", "BE", "CH", "AT", "SE", "DK", "NO", "FI", "PL", "PT", "GR", "CZ", "HU",
    "IE", "AU", "NZ", "ZA", "IN", "CN", "JP", "BR", "MX", "AR", "CL", "CO", "IL", "RU", "EE", "SI", "GL", "IS",
)  # fmt: skip
"""Where a number without its country may be from, the likeliest first."""

_ISSUERS = ("0", "2", "3", "4", "5", "6", "1800")
"""How the numbers of payment cards begin (ISO/IEC 7812-1, and JCB's old ones)."""


def found_in(text: str) -> Iterator[Found]:
    """All that shows by itself; what two finders claim is given by both, the surer one first."""
    for finder in (_ibans, _cards, _emails, _ids, _phones, _names):
        yield from finder(text)


def _emails(text: str) -> Iterator[Found]:
    if "@" in text:
        yield from (Found("email", *each.span()) for each in _EMAIL.finditer(text))


def _cards(text: str) -> Iterator[Found]:
    from stdnum import luhn

    for run in _DIGITS.finditer(text):
        groups = [(each.start() + run.start(), each.end() + run.start()) for each in re.finditer(r"\d+", run[0])]
        done = run.start()
        for start, end in _as_cards(groups):
            digits = re.sub(r"\D", "", text[start:end])
            if start >= done and digits.startswith(_ISSUERS) and len(set(digits)) > 1 and luhn.is_valid(digits):
                yield Found("card", start, end)
                done = end


def _as_cards(groups: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The parts of a run of digits that are written as cards are, from the left, of those that begin alike those of 16
    digits first, then the longer: a number or a code may stand before and behind.
    """
    sizes = [end - start for start, end in groups]
    for first in range(len(groups)):
        parts = [(sizes[first:last], last) for last in range(first + 1, min(first + 6, len(groups) + 1))]
        fits = [(sum(part), last) for part, last in parts if len(part) == 1 or _is_card_like(part)]
        if first == 0:
            fits.append((sum(sizes), len(groups)))
        for size, last in sorted(fits, key=lambda each: (each[0] != 16, -each[0])):
            if 12 <= size <= 19:
                yield groups[first][0], groups[last - 1][1]


def _is_card_like(sizes: Sequence[int]) -> bool:
    """In fours, or in four, six and the rest."""
    return (set(sizes[:-1]) == {4} and sizes[-1] <= 7) or (list(sizes[:2]) == [4, 6] and len(sizes) == 3)


def _ibans(text: str) -> Iterator[Found]:
    from stdnum import iban

    for each in _IBAN.finditer(text):
        # Words that follow may be of its form too: the longest beginning that passes the check is it.
        for end in range(len(each[0]), 14, -1):
            if (
                each[0][end - 1] not in " -"
                and not text[each.start() + end :][:1].isalnum()
                and iban.is_valid(each[0][:end], check_country=False)
            ):
                yield Found("iban", each.start(), each.start() + end)
                break


def _ids(text: str) -> Iterator[Found]:
    yield from (Found("id", *each.span()) for each in _SSN.finditer(text))
    yield from (Found("id", *each.span("id")) for each in _TELLS_ID.finditer(text))


def _phones(text: str) -> Iterator[Found]:
    for each in _PHONE.finditer(text):
        digits = re.sub(r"\D", "", re.split("x|ext", each[0])[0])
        if not 7 <= len(digits) <= 15 or _is_a_day(each[0].lstrip("(")):
            continue
        before = _TELLS_PHONE.search(text, max(0, each.start() - 60), each.start())
        told = before is not None or _IS_PHONE.match(text, each.end()) is not None
        if told or each[0].lstrip("(").startswith("+") or (_is_grouped(each[0]) and _is_a_number_somewhere(each[0])):
            yield Found("phone", *each.span())


def _names(text: str) -> Iterator[Found]:
    for each in _TELLS_NAME.finditer(text):
        yield Found("name", *each.span("name" if each["name"] else "chinese"))


def _is_a_day(text: str) -> bool:
    return re.match(r"(?:19|20)\d\d[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./](?:19|20)\d\d", text) is not None


def _is_grouped(text: str) -> bool:
    """Whether it is written as phone numbers are: in three groups or more, hardly ever of one digit."""
    groups = re.findall(r"\d+", text.replace("(0)", ""))
    return len(groups) > 2 and min(map(len, groups[1:])) > 1


@cache
def _is_a_number_somewhere(text: str) -> bool:
    import phonenumbers

    for region in _REGIONS:
        try:
            if phonenumbers.is_valid_number(phonenumbers.parse(text, region)):
                return True
        except phonenumbers.NumberParseException:
            continue
    return False
