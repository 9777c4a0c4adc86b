"""Whether what an agent can know supports a fact: as it stands, or by a derivation that a careful person would make.

An amount may be a difference or sum of amounts, or an amount times a count; a date another one and a known duration,
a weekday that of such a date; a duration the time between two known dates or times. Derivations of amounts start from
the supported amounts of the reply itself, since sums over all that tools ever returned would support nearly any
figure.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal
from itertools import chain, combinations, islice, permutations

from harness.scoring.claims.evidence import Evidence
from harness.scoring.claims.facts import Day, Fact, plain
from harness.scoring.claims.known import Known

_ABOUT = re.compile(r"(?:about|around|approximately|approx\.?|roughly|nearly|almost|some|~|circa)\s?$")
_EXAMPLE_WORDS = ("e.g.", "for instance", "such as", "example", "format", "like")
_EXAMPLE = re.compile(rf"(?:{'|'.join(map(re.escape, _EXAMPLE_WORDS))})\W{{0,6}}(?:\w+\W{{1,3}}){{0,3}}$")
_SHIFT = re.compile(r"next day|day after|following day|day before|previous day|tomorrow|yesterday|overnight|\+1")
_LABEL = re.compile(r"([A-Za-z]+)\W{1,6}$")
_MULTIPLES = range(2, 10)
_POOL, _MANY = 2000, 40
"""Values that a derivation starts from at most; above the second a costly one is not tried: all would be derivable."""
_MOST_PERCENT = 1000
_DAYS = ("day", "business day")
_DAY, _HALF_DAY = 24 * 60, 12 * 60
_FIRST_YEAR, _LAST_YEAR, _LONGEST = 1900, 2200, 400
"""Dates are only reckoned between these years and over at most so many days."""


def example(text: str, fact: Fact) -> bool:
    """Whether the fact only shows how something is written (`an order number, e.g. #W1234567`)."""
    if fact.kind != "id":
        return False
    before = plain(text[max(0, fact.start - 60) : fact.start])
    return any(map(before.__contains__, _EXAMPLE_WORDS)) and _EXAMPLE.search(before) is not None


def unsupported(text: str, facts: Sequence[Fact], evidence: Evidence) -> list[Fact]:
    """The facts of one reply that nothing seen supports, in order. Bare numbers are no facts."""
    return underivable(text, unseen(text, facts, evidence), facts, evidence, evidence)


def unseen(text: str, facts: Sequence[Fact], evidence: Evidence) -> list[Fact]:
    """The facts of one reply whose words do not stand in what was seen, in order."""
    return [fact for fact in facts if not evidence.holds(text[fact.start : fact.end])]


def underivable(text: str, open_: list[Fact], facts: Sequence[Fact], evidence: Evidence, met: Evidence) -> list[Fact]:
    """Those of the unseen facts (`open_`) of one reply that nothing seen supports. `met` is what was seen in the
    conversation alone.
    """
    if not open_:
        return []
    open_ = [fact for fact in open_ if not _stands(text, fact, facts, evidence)]
    if any(fact.kind == "duration" for fact in open_):
        known, own = evidence.known, met.known
        open_ = [fact for fact in open_ if fact.kind != "duration" or not _reckoned_time(fact, facts, known, own)]
    if any(fact.kind == "amount" for fact in open_):
        open_ = list(_not_derived(text, open_, facts, evidence.known))
    return open_


def _stands(text: str, fact: Fact, facts: Sequence[Fact], evidence: Evidence) -> bool:
    if fact.kind == "id":
        return evidence.names(fact.key)
    known = evidence.known
    if fact.kind == "amount":
        return all(known.number(end, fact.unit) for end in (fact.low, fact.high)) or _rounded(text, fact, known)
    if fact.kind == "percent":
        return {fact.low, fact.high} <= known.percents
    if fact.kind == "count":
        return known.number(fact.low) or fact.low <= known.largest
    if fact.kind == "duration":
        return known.duration(fact.low, fact.high, fact.unit) or _elapsed(fact, known)
    if fact.kind == "date":
        return any(known.day(day) for day in fact.days) or _reckoned(text, fact.days, known)
    if fact.kind == "weekday":
        return _falls_on(int(fact.low), facts, known)
    if fact.kind == "time":
        return _shown(int(fact.low), fact.unit == "12", known)
    return True


def _rounded(text: str, fact: Fact, known: Known) -> bool:
    if not _ABOUT.search(plain(text[max(0, fact.start - 16) : fact.start])):
        return False
    return any(abs(number - fact.low) <= fact.low / 20 for number in known.numbers)


def _not_derived(text: str, open_: Iterable[Fact], facts: Sequence[Fact], known: Known) -> Iterator[Fact]:
    """Those of `open_` that are no derived amounts."""
    sums = _sums_by_label(text, facts)
    amounts = [fact.low for fact in facts if fact.kind == "amount"][:_MANY]
    unknown = {fact.low for fact in open_ if fact.kind == "amount"}
    given = [value for value in amounts if value not in unknown]
    for fact in open_:
        if fact.kind != "amount" or fact.low != fact.high:
            yield fact
        elif fact.low in sums or _derived(fact.low, given, amounts, known):
            given.append(fact.low)
        else:
            yield fact


def _derived(value: Decimal, given: Sequence[Decimal], amounts: Sequence[Decimal], known: Known) -> bool:
    """Whether an amount is a multiple, a sum, a difference or a share of amounts. `given` are the supported ones of the
    reply, `amounts` all of it.
    """
    if value in known.totals:
        return True
    pool = {*islice(chain(given, known.totals, known.amounts), _POOL)}
    counts = [times for times in _MULTIPLES if times <= known.largest or known.number(Decimal(times))]
    if any(value / times in pool for times in counts):
        return True
    if any(value - one in pool or one - value in pool for one in pool):
        return True
    steps = {abs(a - b) for a, b in combinations(given, 2)} | {a + b for a, b in combinations(given, 2)}
    if any(value / times in steps for times in _MULTIPLES) or any(
        value - one in steps or one - value in steps for one in given
    ):
        return True
    shares = [percent / 100 for percent in known.percents if percent <= _MOST_PERCENT]
    if any(value in (_cents(a * share), _cents(a - a * share)) for a in pool for share in shares):
        return True
    if value % 1 and len(pool) <= _MANY and any(value - a - b in pool for a, b in combinations(pool, 2)):
        return True
    return value in _running_sums(amounts, value)


def _sums_by_label(text: str, facts: Sequence[Fact]) -> set[Decimal]:
    """Sums of amounts that stand after the same word (`Savings: $5 … Savings: $7 …`), with and without the last."""
    columns: dict[str, list[Decimal]] = defaultdict(list)
    for fact in facts:
        if fact.kind == "amount" and (label := _LABEL.search(text[max(0, fact.start - 24) : fact.start])):
            columns[label[1].lower()].append(fact.low)
    return {sum(column, -last) for column in columns.values() if len(column) > 2 for last in (Decimal(0), column[-1])}


def _running_sums(amounts: Sequence[Decimal], value: Decimal) -> Iterator[Decimal]:
    """Sums of the amounts right before the value, as a breakdown lists them: two of them, three, and so on."""
    place = amounts.index(value) if value in amounts else 0
    total = Decimal(0)
    for amount in reversed(amounts[:place]):
        total += amount
        yield total


def _cents(value: Decimal) -> Decimal:
    return value.quantize(Decimal("0.01"))


def _elapsed(fact: Fact, known: Known) -> bool:
    """Whether a duration is the time between two known days, or between two times of day (in full hours)."""
    if fact.low != fact.high:
        return False
    if fact.unit == "hour" and len(known.times) <= _MANY:
        return any(fact.low in (Decimal(gap) / 60, gap // 60) for gap in _gaps(known.times))
    return fact.unit == "day" and fact.low in _days_between(known)


def _reckoned_time(fact: Fact, facts: Sequence[Fact], known: Known, met: Known) -> bool:
    """Whether a duration is the sum or difference of two known ones in its unit, at least one of which is the time
    between two known days, was met in the conversation, or stands in the reply itself (`facts`): two figures of the
    policy alone make no third.
    """
    if fact.low != fact.high:
        return False
    ends = _ends(known, fact.unit)
    own = _ends(met, fact.unit) | (
        ends & {end for other in facts if other.unit == fact.unit for end in (other.low, other.high)}
    )
    if fact.unit == "day":
        own |= _days_between(met)
    every = ends | own
    return len(every) <= _MANY and any(
        fact.low in (one + other, abs(one - other)) for one in own for other in every if one != other
    )


def _ends(known: Known, unit: str) -> set[Decimal]:
    return {end for low, high, of in known.durations if of == unit for end in (low, high)}


def _days_between(known: Known) -> set[Decimal]:
    dates = [date(*day) for day in known.days if day[0]]
    if len(dates) > _MANY:
        return set()
    return {Decimal(abs((a - b).days)) for a, b in combinations(dates, 2)}


def _gaps(times: Iterable[int]) -> Iterator[int]:
    return ((later - earlier) % 1440 for earlier, later in permutations(times, 2))


def _shown(minutes: int, either_half: bool, known: Known) -> bool:
    """Whether a time of day is a known one, or one and a known number of hours later or earlier."""
    halves = {minutes, (minutes + _HALF_DAY) % _DAY} if either_half else {minutes}
    if not halves.isdisjoint(known.times):
        return True
    hours = {int(end * 60) for low, high, unit in known.durations if unit == "hour" for end in (low, high)}
    shifts = [sign * shift for shift in sorted(hours)[:_MANY] for sign in (1, -1)]
    return any((time + shift) % _DAY in halves for time in islice(known.times, _MANY) for shift in shifts)


def _falls_on(weekday: int, facts: Sequence[Fact], known: Known) -> bool:
    """Whether a weekday is a known one, or that of a known day, or of one that the reply names itself (`facts`), or
    reckons by a duration that it names.
    """
    if weekday in known.weekdays:
        return True
    days = [date(*day) for day in known.days if _FIRST_YEAR < day[0] < _LAST_YEAR]
    named = [day for fact in facts for day in fact.days if day[0] or day[1:] != (2, 29)]
    years = {day.year for day in days}
    named_days = (date(day[0] or year, *day[1:]) for day in named[:_MANY] for year in years)
    steps = [fact for fact in facts if fact.unit in _DAYS and fact.high <= _LONGEST][:_MANY]
    moved = (day for fact in steps for start in days[:_MANY] for day in _moved(start, fact.unit, int(fact.high)))
    return any(day.weekday() == weekday for day in chain(days, named_days, moved))


def _reckoned(text: str, readings: Sequence[Day], known: Known) -> bool:
    """Whether a reading of a date is a known day and a known duration later or earlier."""
    steps = {(unit, int(end)) for low, high, unit in known.durations if unit in _DAYS for end in (low, high)}
    if known.shifted or _SHIFT.search(plain(text)):
        steps.add(("day", 1))
    starts = [date(*day) for day in known.days if _FIRST_YEAR < day[0] < _LAST_YEAR]
    reached = {
        other
        for unit, count in islice(sorted(steps), _MANY)
        if count <= _LONGEST
        for start in starts[:_MANY]
        for other in _moved(start, unit, count)
    }
    return any(
        (other.month, other.day) == day[1:] and day[0] in (0, other.year) for other in reached for day in readings
    )


def _moved(start: date, unit: str, count: int) -> tuple[date, ...]:
    if unit == "day":
        return start - timedelta(count), start + timedelta(count)
    day = start
    while count > 0:
        day += timedelta(1)
        count -= day.weekday() < 5
    return (day,)
