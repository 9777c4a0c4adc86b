"""Typed facts in text: amounts, percentages, durations, dates, weekdays, times, ids and counts, each with its value and
its place.

Amounts, percentages, ids, times and numeric dates are read in any language, durations in English, Spanish and Chinese,
names of months and weekdays, number words and counted nouns in English. Bare numbers and measures (`16GB`) are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from harness.scoring.claims import numbers
from harness.scoring.claims.remembered import remembered_by, shape

Kind = Literal["amount", "percent", "duration", "date", "weekday", "time", "id", "count", "number", "total", "size"]
Day = tuple[int, int, int]
"""Year (0 where none is said), month, day."""


@dataclass(slots=True)  # as frozen ones, the many facts of an episode would take four times as long to make
class Fact:
    """One typed value in a text, at `start:end`. Not to be changed: it is remembered with its text.

    `low` and `high` bound a number (equal unless a range was written; zero for dates and ids). `unit`: of an amount the
    currency sign ("" where none stands), of a duration `hour`, `day`, `business day` or `month` (weeks are days, years
    are months), of a count the noun, of a time `12` if it may be before or after noon. `key`: an id's letters and
    digits, lower case. `days`: the readings of a date. A `weekday` is counted from Monday, 0, a `time` in minutes of
    the day. A `number` is a bare one; with `total` and `size` of JSON it is evidence, no fact.
    """

    kind: Kind
    start: int = 0
    end: int = 0
    low: Decimal = Decimal(0)
    high: Decimal = Decimal(0)
    unit: str = ""
    key: str = ""
    days: tuple[Day, ...] = ()


_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            ("january", "jan"),
            ("february", "feb"),
            ("march", "mar"),
            ("april", "apr"),
            ("may",),
            ("june", "jun"),
            ("july", "jul"),
            ("august", "aug"),
            ("september", "sept", "sep"),
            ("october", "oct"),
            ("november", "nov"),
            ("december", "dec"),
        ),
        start=1,
    )
    for name in names
}
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_CURRENCIES = {
    name: names.split()[0]
    for names in ("$ usd dollar dollars", "€ eur euro euros", "£ gbp pound pounds", "¥ jpy cny yen yuan 元", "chf")
    for name in names.split()
}
TIME_UNITS = {
    "hour": ("hour", 1),
    "hr": ("hour", 1),
    "day": ("day", 1),
    "week": ("day", 7),
    "month": ("month", 1),
    "year": ("month", 12),
    "yr": ("month", 12),
    "hora": ("hour", 1),
    "día": ("day", 1),
    "semana": ("day", 7),
    "mes": ("month", 1),
    "año": ("month", 12),
    "小时": ("hour", 1),
    "天": ("day", 1),
    "工作日": ("day", 1),
    "周": ("day", 7),
    "星期": ("day", 7),
    "个月": ("month", 1),
}
"""Units of time: the unit that each is counted in, and how many of those it is."""
_NO_NOUN = frozenset(
    (  # noqa: SIM905 a list of words reads best as text
        "is was has as this its us does his yes hours days weeks months years minutes seconds mins secs times inches "
        "digits options ways things steps methods questions details choices pieces cards includes contains"
    ).split()
)
"""Words after a number that are no counted things, or that are counted by the speaker alone (`two options`)."""


def _either(words: Iterable[str]) -> str:
    return "(?:" + "|".join(sorted(map(re.escape, words), key=len, reverse=True)) + ")"


_NUMBER = numbers.DIGITS
_SPELLED = _either(numbers.WORDS)
_TO = r"\s?(?:-|to|or|and|a|o|y|至|到)\s?"
_MONTH = rf"{_either(_MONTHS)}\b\.?"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_YEAR = r"(?:,?\s{1,2}\d{4}\b)?"
_ALPHABETIC = _either(unit for unit in TIME_UNITS if unit < "一")
_TIME_UNIT = (
    rf"(?:(?:business|working|calendar|full)\s?-?)?{_ALPHABETIC}(?:e?s)?\b(?!\sold\b)"
    r"(?:\s(?:hábiles|hábil|laborables|laborable))?"
)
_CHINESE_UNIT = rf"\s?个?{_either(unit for unit in TIME_UNITS if unit >= '一')}"
_MONEY_WORD = rf"(?:[€£¥$元]|{_either(name for name in _CURRENCIES if name.isascii() and name.isalpha())}\b)"
_CURRENCY_SIGN = r"(?:[$€£¥]|\b(?:usd|eur|gbp|jpy|cny|chf)\b)"
_NOUN = r"(?:[a-z]{2,24}s|people|children)\b"

_DIGITAL = {
    "link": r"https?://\S{1,400}",
    "email": r"[a-z0-9][a-z0-9._%+-]{0,63}@[a-z0-9][a-z0-9.-]{0,80}\.[a-z]{2,12}",
    "iso": r"(?<![\w.,])\d{4}[-/]\d{2}[-/]\d{2}(?!\d)",
    "time": r"(?<![\d:.,])\d{1,2}(?::\d{2}(?::\d{2})?(?:\s?[ap]\.?m\b)?|\s?[ap]\.?m\b)(?:\+1)?",
    "named": rf"\b{_MONTH}\s{{1,3}}{_DAY}(?![\d:]){_YEAR}|(?<![\w.,]){_DAY}\s{{1,3}}(?:of\s)?{_MONTH}{_YEAR}",
    "slashed": r"(?<![\w.,])(?:\d{1,2}/\d{1,2}/(?:\d{4}|\d{2})|\d{1,2}\.\d{1,2}\.\d{4})(?![\d/])",
    "phone": r"(?<![\w.#])(?:\+\d{1,3}(?:[\s.-]?\(?\d{1,4}\)?){2,6}"
    r"|(?:\d[-.\s])?\(?\d{3}\)?[-.\s]\d{3}[-.\s]\d{4})(?!\d)",
    "signed": rf"{_CURRENCY_SIGN}\s?{_NUMBER}",
    "tag": r"\#[a-z0-9][a-z0-9_-]{0,40}",
    "id": r"(?<![\w-])(?:(?=[a-z_-]{0,30}\d)[a-z][a-z0-9]{0,24}(?:[-_][a-z0-9]{1,24}){0,5}"
    r"|(?=\d{1,12}[a-z])[a-z0-9]{5,24}(?:-[a-z0-9]{1,24}){0,5}|\d{7,24}(?![.,]?\d))(?!\w)",
    "percent": rf"(?<![\w.]){_NUMBER}(?:{_TO}{_NUMBER})?\s?(?:%|percent\b|per\scent\b)",
    "money": rf"(?<![\w.]){_NUMBER}(?:{_TO}{_NUMBER})?\s?{_MONEY_WORD}",
    "duration": rf"(?<![\w.]){_NUMBER}(?:{_TO}{_NUMBER})?(?:[\s-]{{1,2}}{_TIME_UNIT}|{_CHINESE_UNIT})",
    "count": rf"(?<![\w.]){_NUMBER}\s{_NOUN}",
    "number": rf"(?<![\w.]){_NUMBER}(?!\w)",
}
_VERBAL = {
    "percent": rf"\b{_SPELLED}\s(?:percent|per\scent)\b",
    "money": rf"\b{_SPELLED}\s(?:dollars|euros|pounds)\b",
    "duration": rf"\b(?:(?!one\sday\b){_SPELLED}(?:{_TO}{_SPELLED})?(?:\s\(\d{{1,4}}\))?|within\s(?:an?|one))"
    rf"[\s-]{_TIME_UNIT}",
    "count": rf"\b{_SPELLED}\s{_NOUN}",
    "number": rf"\b{_SPELLED}\b",
    "weekday": rf"\b{_either(WEEKDAYS)}(?=s?\b)",
}


def _grammar(forms: dict[str, str]) -> re.Pattern[str]:
    # ASCII classes: a number may stand right beside a Chinese character, and other digits are not read.
    return re.compile("|".join(f"(?P<{name}>{form})" for name, form in forms.items()), re.ASCII)


_DIGITAL_FACT, _VERBAL_FACT = _grammar(_DIGITAL), _grammar(_VERBAL)
_TIME_WORD = re.compile(_either(TIME_UNITS))
_BUSINESS = re.compile("business|working|hábil|laborable|工作日")
_NUMBERS = re.compile(rf"{_NUMBER}|\b{_SPELLED}\b", re.ASCII)
_LEAD = re.compile(rf"#|{_either(_MONTHS)}|{_CURRENCY_SIGN}", re.ASCII)
"""What a fact begins with that has its first digit in the next word, or none."""
_SIGN, _LETTERS = re.compile(r"[0-9@]"), re.compile(r"[a-z]+")
_FAR = 80
_NOON = 12 * 60
_SPELLED_FIRST = frozenset(
    word for words in numbers.WORDS if words != "a hundred" for word in _LETTERS.findall(words)[:1]
) | {"within", *WEEKDAYS, *(f"{day}s" for day in WEEKDAYS)}
_MEASURE = re.compile(r"\d+[a-z]{1,4}")
_PLAIN = (
    {ord(dash): "-" for dash in "‐‑‒–—−"}
    | {ord(space): " " for space in "\u00a0\u202f\u2009\u2007"}
    | {0xFF10 + digit: str(digit) for digit in range(10)}
)


def plain(text: str) -> str:
    """Lower case, with one kind of dash, space and digit; as long as `text`, so that places in it are the same."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)
    return lowered if lowered.isascii() else lowered.translate(_PLAIN)


def key_of(text: str) -> str:
    """An id's letters and digits, lower case: what it is compared by."""
    lowered = text.lower()
    return lowered if lowered.isalnum() else "".join(filter(str.isalnum, lowered))


@remembered_by(str)
def extract(text: str) -> tuple[Fact, ...]:
    """Every fact and bare number of a text, in order, none overlapping. Linear in the length of the text."""
    return tuple(facts_at(places(text), text))


Place = tuple[str, int, int]
"""The form that a fact is written in, and where."""
Places = tuple[list[Place], list[Place]]
"""Places of facts with digits, and of those in words."""


def facts_at(there: Places, text: str) -> list[Fact]:
    """The facts that a text has at the places of its shape: not all, for there is no 31 June."""
    digital, verbal = there
    if not digital and not verbal:
        return []
    lowered = plain(text)
    found = list(_read_all(digital, text, lowered))
    if verbal:
        taken = {place for fact in found for place in range(fact.start, fact.end)}
        others = _read_all(verbal, text, lowered)
        found += (fact for fact in others if taken.isdisjoint((fact.start, fact.end - 1)))
        found.sort(key=lambda fact: fact.start)
    return found


@remembered_by(shape)
def places(text: str) -> Places:
    """Where texts of one shape may have facts."""
    return _find(text)


def _find(text: str) -> Places:
    lowered = plain(text)
    digital = [place for place in map(_place, _matches(lowered)) if _states(place, text)]
    if _SPELLED_FIRST.isdisjoint(_LETTERS.findall(lowered)):
        return digital, []
    return digital, list(map(_place, _VERBAL_FACT.finditer(lowered)))


def _place(match: re.Match[str]) -> Place:
    return match.lastgroup or "", match.start(), match.end()


def _states(place: Place, text: str) -> bool:
    form, start, end = place
    return form != "link" and (form != "id" or _is_id(text[start:end]))


def _matches(lowered: str) -> Iterator[re.Match[str]]:
    """Matches of the digital forms, tried only from the word with each digit or `@` on, or from the one before if it
    may belong to it: most of the speed.
    """
    place = 0
    while sign := _SIGN.search(lowered, place):
        token = max(lowered.rfind(" ", place, sign.start()), place)
        start = max(lowered.rfind(" ", place, token), place, sign.start() - _FAR)
        if not _LEAD.search(lowered, start, token):
            start = max(start, token)
        match = _DIGITAL_FACT.search(lowered, start)
        if match is None:
            return
        yield match
        place = match.end()


def _read_all(there: Iterable[Place], text: str, lowered: str) -> Iterator[Fact]:
    for form, start, end in there:
        said = lowered[start:end]
        if form in ("id", "email", "tag", "phone"):
            yield Fact("id", start, end, key=key_of(said))
        elif form in ("iso", "named", "slashed"):
            if days := _days(said):
                yield Fact("date", start, end, days=days)
        elif form == "time":
            minutes = _minutes(said)
            half = "12" if "m" not in said and minutes < _NOON + 60 else ""
            yield Fact("time", start, end, minutes, minutes, "+1" if said.endswith("+1") else half)
        elif form == "weekday":
            number = Decimal(WEEKDAYS.index(said))
            yield Fact("weekday", start, end, number, number)
        elif form == "number" and said.isdigit():
            number = Decimal(said)
            yield Fact("number", start, end, number, number)
        else:
            yield _quantity(form, said, text[start:end], start)


def _is_id(written: str) -> bool:
    """Whether letters with digits name a thing: `O-1001`, `HAT123`, `user_12`, `9534205511`; not `16GB`, `covid-19`."""
    if written.isdigit():
        return True
    if _MEASURE.fullmatch(written.lower()):
        return False
    return "_" in written or (any(map(str.isupper, written)) and sum(map(str.isdigit, written)) >= 2)


def _quantity(form: str, said: str, written: str, start: int) -> Fact:
    end = start + len(said)
    values = [numbers.read(number) for number in _NUMBERS.findall(said)] or [Decimal(1)]
    low, high = values[0], values[-1] if form != "count" and len(values) > 1 else values[0]
    if form == "percent":
        return Fact("percent", start, end, low, high)
    if form in ("signed", "money"):
        name = next(word for word in (*_LETTERS.findall(said), *said) if word in _CURRENCIES)
        return Fact("amount", start, end, low, high, _CURRENCIES[name])
    if form == "duration":
        unit, times = TIME_UNITS[_TIME_WORD.findall(said)[-1]]
        if _BUSINESS.search(said):
            unit = f"business {unit}"
        return Fact("duration", start, end, low * times, high * times, unit)
    if form == "count":
        noun = _LETTERS.findall(said)[-1]
        if noun not in _NO_NOUN and written.endswith(noun) and low > 1 and low == low.to_integral_value():
            return Fact("count", start, end, low, low, noun)
        end -= len(noun) + 1
    kind: Kind = "amount" if -low.as_tuple().exponent == 2 else "number"  # type: ignore[operator]
    return Fact(kind, start, end, low, low)


def _minutes(said: str) -> Decimal:
    hour, minute = (int(part) for part in (*re.findall(r"[0-9]+", said), "0")[:2])
    if "m" in said and hour <= 12:
        hour = hour % 12 + (12 if "p" in said else 0)
    return Decimal(60 * hour + minute)


def _days(said: str) -> tuple[Day, ...]:
    """The calendar days that a date may mean: `03/04/2026` is in March or in April."""
    digits = [int(part) for part in re.findall(r"[0-9]+", said)]
    month = next((_MONTHS[word] for word in _LETTERS.findall(said) if word in _MONTHS), None)
    if month is not None:
        readings = [(digits[1] if len(digits) > 1 else 0, month, digits[0])]
    elif digits[0] > 31:
        readings = [(digits[0], digits[1], digits[2])]
    else:
        a, b, year = digits
        year += 2000 if year < 100 else 0
        readings = [(year, b, a)] if "." in said else [(year, a, b), (year, b, a)]
    return tuple(dict.fromkeys(day for day in readings if _exists(day)))


def _exists(day: Day) -> bool:
    try:
        date(day[0] or 2000, day[1], day[2])
    except ValueError:
        return False
    return True
