"""Personal data that shows in a text by its own form, or by the words before it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
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

_EMAIL = re.compile(r"(?<![\w.+%-])[\w.+%-]{1,64}@(?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,24}(?![\w-])")
_DIGITS = re.compile(r"(?<![\w.,:/#$€£%+-])\d(?:[ -]?\d){11,18}(?!\w|[-.,:/]\d)")
_IBAN = re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?!\w)", re.IGNORECASE)
_PHONE = re.compile(
    r"(?:(?<![\w.,:/#$€£%-])|(?<=,)(?=\+))(?:\+|\(\+?)?\d(?:[ .()/-]{0,3}\d){5,14}"
    r"(?:\s?(?:x|ext\.?)\s?\d{1,6})?(?!\w|[-.,:/%]\d)"
)
_TELLS_PHONE = re.compile(
    r"(?:phone|mobile|\bcell|\bcall(?:ed|ing)?\b|\btel\b|telephone|whatsapp|\bfax|\btext (?:me|us)|reach (?:me|us)"
    r"|tel[ée]fono|m[óo]vil|celular|ll[aá]m[ae]|电话|手机|号码).{0,40}$",
    re.IGNORECASE | re.DOTALL,
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

    for each in _DIGITS.finditer(text):
        digits = re.sub(r"\D", "", each[0])
        if digits.startswith(_ISSUERS) and len(set(digits)) > 1 and luhn.is_valid(digits):
            yield Found("card", *each.span())


def _ibans(text: str) -> Iterator[Found]:
    from stdnum import iban

    for each in _IBAN.finditer(text):
        # Words that follow may be of its form too: the longest beginning that passes the check is it.
        for end in range(len(each[0]), 14, -1):
            if (
                each[0][end - 1] != " "
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
        if not 7 <= len(digits) <= 15 or _is_a_day(each[0]):
            continue
        told = _TELLS_PHONE.search(text, max(0, each.start() - 60), each.start()) is not None
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
