"""What an agent can know at a point of a conversation, as typed values that facts are held against."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation

from harness.scoring.claims.facts import TIME_UNITS, Day, Fact, extract, key_of
from tools_sandbox.call import Json

_MONEY = re.compile(r"price|amount|cost|total|fee|balance|fare|paid|refund|charge|value|limit")
_RATE = re.compile(r"percent|pct|rate|discount|share")
_LONG_RUN = re.compile(r"\d{5,}")
_TIME_UNIT = re.compile("|".join(TIME_UNITS))


@dataclass(slots=True)
class Known:
    """Typed values by kind.

    `numbers` maps a number to the currency signs it stood with ("" for none); `amounts` are those among them that
    are money; `totals` are sums of what the records of one list hold under one key; `largest` is the length of the
    longest list; `times` are minutes of the day, `weekdays` count from Monday; `shifted` says that a time was
    marked as being on the next day (`00:30+1`).
    """

    numbers: dict[Decimal, set[str]] = field(default_factory=dict)
    amounts: set[Decimal] = field(default_factory=set)
    totals: set[Decimal] = field(default_factory=set)
    percents: set[Decimal] = field(default_factory=set)
    durations: set[tuple[Decimal, Decimal, str]] = field(default_factory=set)
    days: set[Day] = field(default_factory=set)
    times: set[int] = field(default_factory=set)
    weekdays: set[int] = field(default_factory=set)
    ids: set[str] = field(default_factory=set)
    largest: int = 0
    shifted: bool = False

    def copy(self) -> Known:
        """An own copy, to learn more."""
        return Known(
            {number: set(signs) for number, signs in self.numbers.items()},
            set(self.amounts),
            set(self.totals),
            set(self.percents),
            set(self.durations),
            set(self.days),
            set(self.times),
            set(self.weekdays),
            set(self.ids),
            self.largest,
            self.shifted,
        )

    def learn(self, facts: Iterable[Fact]) -> None:
        """Add facts, of text or of JSON."""
        for fact in facts:
            if fact.kind == "date":
                self.days.update(fact.days)
            elif fact.kind == "id":
                self.ids.add(fact.key)
                self.ids.update(long_runs(fact.key))
            elif fact.kind == "percent":
                self.percents |= {fact.low, fact.high}
            elif fact.kind == "duration":
                self.durations.add((fact.low, fact.high, fact.unit))
            elif fact.kind == "time":
                self.times.add(int(fact.low))
                self.shifted = self.shifted or fact.unit == "+1"
            elif fact.kind == "weekday":
                self.weekdays.add(int(fact.low))
            elif fact.kind == "total":
                self.totals.add(fact.low)
            elif fact.kind == "size":
                self.largest = max(self.largest, int(fact.low))
            else:
                if fact.kind == "amount":
                    self.amounts |= {fact.low, fact.high}
                for number in (fact.low, fact.high):
                    self.numbers.setdefault(abs(number), set()).add(fact.unit if fact.kind == "amount" else "")

    def number(self, value: Decimal, sign: str = "") -> bool:
        """Whether a number is known, in this currency or without one."""
        signs = self.numbers.get(value)
        return signs is not None and (not sign or sign in signs or "" in signs)

    def duration(self, low: Decimal, high: Decimal, unit: str) -> bool:
        """Whether a duration is known, as it is or as an end of a known range; 48 hours are two days."""
        if (low, high, unit) in self.durations:
            return True
        if unit == "hour" and low % 24 == 0 and high % 24 == 0 and low:
            return self.duration(low / 24, high / 24, "day")
        ends = {end for a, b, of in self.durations if of == unit for end in (a, b)}
        return low in ends and high in ends

    def day(self, day: Day) -> bool:
        """Whether a calendar day is known; where a year is missing, the rest decides."""
        if day in self.days or (0, *day[1:]) in self.days:
            return True
        return day[0] == 0 and any(other[1:] == day[1:] for other in self.days)


def long_runs(key: str) -> list[str]:
    """Runs of five digits and more in an id: they name the same thing (`gift_card_2200803`, "ending in 2200803")."""
    return _LONG_RUN.findall(key)


def facts_in(value: Json, key: str = "") -> Iterator[Fact]:
    """Every fact of a JSON value that stands under `key`.

    A number under a key that names a unit (`window_days`) is a duration too, one under a key that names a rate is a
    percentage too. A list gives its length, and the totals of its records; a text with commas or lines is a list too.
    """
    if isinstance(value, str):
        yield from _facts_in_text(value, key)
    elif isinstance(value, dict):
        for name, member in value.items():
            if not name.isalpha():
                yield from _facts_in_text(name, "")
            yield from facts_in(member, f"{key.rpartition('.')[2]}.{name}")
    elif isinstance(value, list):
        yield Fact("size", low=Decimal(len(value)))
        yield from _totals(value)
        for member in value:
            yield from facts_in(member, key)
    elif isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        yield from _numbers(str(value), key)


def _facts_in_text(text: str, key: str) -> Iterator[Fact]:
    listed = max(text.count("\n"), text.count(",")) + 1
    if listed > 1:
        yield Fact("size", low=Decimal(listed))
    if any(map(str.isdigit, text)):
        yield Fact("id", key=key_of(text))
        yield from _numbers(text, key)
        yield from extract(text)
    elif " " in text or "@" in text:
        yield from extract(text)


def _numbers(text: str, key: str) -> Iterator[Fact]:
    number = decimal(text)
    if number is None:
        return
    named = key.lower()
    yield Fact("amount" if _MONEY.search(named) else "number", low=number, high=number)
    if _RATE.search(named):
        yield Fact("percent", low=number, high=number * 100)
    for word in _TIME_UNIT.findall(named):
        unit, times = TIME_UNITS[word]
        yield Fact("duration", low=number * times, high=number * times, unit=unit)


def _totals(records: list[Json]) -> Iterator[Fact]:
    columns: dict[str, list[Decimal]] = defaultdict(list)
    for record in records:
        for name, member in record.items() if isinstance(record, dict) else ():
            number = None if isinstance(member, bool) else decimal(str(member))
            if number is not None:
                columns[name].append(number)
    for numbers in columns.values():
        if len(numbers) > 1:
            total = sum(numbers, Decimal(0))
            yield Fact("total", low=total, high=total)


def decimal(text: str) -> Decimal | None:
    """The number that a text is; None if it is none, or one beyond all use."""
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() and abs(number.adjusted()) < 15 else None
