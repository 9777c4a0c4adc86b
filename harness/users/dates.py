"""Calendar days in a sentence, in the ways that English, Spanish and Chinese write them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

_MONTHS = (
    ("jan", "ene"), ("feb", "feb"), ("mar", "mar"), ("apr", "abr"), ("may", "may"), ("jun", "jun"),
    ("jul", "jul"), ("aug", "ago"), ("sep", "sep"), ("oct", "oct"), ("nov", "nov"), ("dec", "dic"),
)  # fmt: skip
_NUMBER = {name: number for number, names in enumerate(_MONTHS, 1) for name in names}
_NAME = (
    r"(?:jan(?:uary)?|ene(?:ro)?|feb(?:ruary|rero)?|mar(?:ch|zo)?|apr(?:il)?|abr(?:il)?|may(?:o)?|june?|junio|july?|julio|"
    r"aug(?:ust)?|ago(?:sto)?|sep(?:t|tember|tiembre)?|oct(?:ober|ubre)?|nov(?:ember|iembre)?|dec(?:ember)?|dic(?:iembre)?)\.?"
)
_DAY = re.compile(
    rf"\b(?P<y1>\d{{4}})-(?P<m1>\d\d)-(?P<d1>\d\d)(?!\d)"
    rf"|(?:(?P<y2>\d{{4}})\s*年\s*)?(?P<m2>\d{{1,2}})\s*月\s*(?P<d2>\d{{1,2}})\s*[日号]"
    rf"|\b(?P<m3>{_NAME}) (?:the )?(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (?P<y3>\d{{4}})\b)?"
    rf"|\b(?P<d4>\d{{1,2}})(?:st|nd|rd|th)?(?: of| de)? (?P<m4>{_NAME})(?!\w)(?:(?:,| de| del)? (?P<y4>\d{{4}})\b)?"
    rf"|\b(?P<a5>\d{{1,2}})[/.](?P<b5>\d{{1,2}})[/.](?P<y5>\d{{4}})\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Day:
    """A day as written: `year` is None where it was left out."""

    year: int | None
    month: int
    day: int

    def may_be(self, wanted: date) -> bool:
        """Whether it can be this day."""
        return (self.month, self.day) == (wanted.month, wanted.day) and self.year in (None, wanted.year)


def days(text: str) -> Iterator[Day]:
    """The days in a text; both readings of 3/4/2026."""
    for found in _DAY.finditer(text):
        if found["a5"]:
            one, other, year = int(found["a5"]), int(found["b5"]), int(found["y5"])
            yield Day(year, one, other)
            yield Day(year, other, one)
            continue
        form = next(form for form in "1234" if found[f"d{form}"])
        month, year_text = found[f"m{form}"], found[f"y{form}"]
        number = int(month) if month.isdigit() else _NUMBER[month[:3].lower()]
        yield Day(int(year_text) if year_text else None, number, int(found[f"d{form}"]))


def as_date(value: object) -> date | None:
    """The day that an ISO date (or the start of an ISO time) means; None for anything else."""
    if isinstance(value, date):
        return value
    if not isinstance(value, str) or not re.match(r"\d{4}-\d\d-\d\d(?!\d)", value):
        return None
    try:
        return date.fromisoformat(value[:10])
    except ValueError:
        return None
