"""Whether a proposal tells an expected argument value, or another one of the same sort."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Protocol

from harness.users.dates import as_date, days
from harness.users.words import keys
from tools_sandbox.matching import mismatches
from tools_sandbox.patterns import Matcher, Pattern
from tools_sandbox.schema import ANY, FieldType, ToolSpec
from tools_sandbox.text import mentions

_CURRENCY = r"(?:[$€£¥]|usd|eur|gbp|cny|rmb|euros?|dollars?|pounds?|d[oó]lares|pesos|元|块|美元|欧元)"
_MONEY = re.compile(
    rf"[$€£¥]\s?(\d[\d.,]*)|(?<![a-z0-9.,-])(\d[\d.,]*)\s?{_CURRENCY}(?![a-z])|(?<![a-z0-9.,-])(\d[\d.,]*[.,]\d\d)(?![\w%-])",
    re.IGNORECASE,
)
_DECIMALS = re.compile(r"[.,](?=\d{1,2}$)")
_ID = re.compile(r"(?P<letters>[^\W\d_]{1,8}(?:[-_#]|(?=\d\d)))(?P<digits>\d+)|(?P<number>\d{5,})")
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")


class Detail(Protocol):
    """One expected argument value as a sentence may tell it."""

    def told(self, text: str) -> bool | None:
        """True: the sentence tells it; False: it tells another value of that sort; None: neither."""
        ...


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount of money."""

    wanted: Pattern
    kind: FieldType

    def told(self, text: str) -> bool | None:
        """Amounts are told from other numbers by a currency or by two decimals."""
        amounts = [*money(text)]
        return any(not mismatches(self.wanted, amount, self.kind) for amount in amounts) if amounts else None


@dataclass(frozen=True, slots=True)
class OnDay:
    """A date."""

    wanted: date

    def told(self, text: str) -> bool | None:
        """A day written in any usual way."""
        found = [*days(text)]
        return any(day.may_be(self.wanted) for day in found) if found else None


@dataclass(frozen=True, slots=True)
class Shaped:
    """An id or e-mail address: others are known by their shape."""

    values: frozenset[str]
    shape: re.Pattern[str]

    def told(self, text: str) -> bool | None:
        """Every text of that shape is such an id."""
        found = self.shape.findall(text)
        return any(value.casefold() in self.values for value in found) if found else None


@dataclass(frozen=True, slots=True)
class Chosen:
    """One of the few values that an argument can have."""

    wanted: frozenset[str]
    others: tuple[frozenset[str], ...]

    def told(self, text: str) -> bool | None:
        """By the words of the values."""
        said = keys(text)
        if self.wanted <= said:
            return True
        return False if any(other <= said for other in self.others) else None


@dataclass(frozen=True, slots=True)
class Worded:
    """Any other text."""

    value: str

    def told(self, text: str) -> bool | None:
        """Only that it is there: what else the sentence says can't be told for another value."""
        return True if mentions(self.value, text) else None


def details_of(arguments: Mapping[str, Pattern], spec: ToolSpec) -> tuple[Detail, ...]:
    """The argument values of an expected call that a sentence can tell."""
    return tuple(
        detail
        for name, wanted in arguments.items()
        if isinstance(wanted, Matcher)
        for detail in _details(wanted, spec.arguments.get(name, ANY))
    )


def money(text: str) -> Iterator[Decimal]:
    """The amounts of money in a text."""
    for found in _MONEY.finditer(text):
        number = next(group for group in found.groups() if group).rstrip(".,")
        whole, *rest = _DECIMALS.split(number)
        yield Decimal(re.sub(r"[.,]", "", whole) + "".join(f".{digits}" for digits in rest))


def _details(wanted: Matcher, kind: FieldType) -> Iterator[Detail]:
    tests = wanted.tests
    if kind.name in ("decimal", "number") or any(isinstance(value, Decimal) for value in tests.values()):
        yield Amount(wanted, kind if kind is not ANY else FieldType("decimal"))
        return
    operand = tests.get("equals", tests.get("one_of"))
    values = [value for value in (operand if isinstance(operand, list) else [operand]) if isinstance(value, str)]
    if not values:
        return
    if len(values) == 1 and (day := as_date(values[0])):
        yield OnDay(day)
    elif len(values) == 1 and values[0] in kind.choices:
        others = (keys(choice.replace("_", " ")) for choice in kind.choices if choice != values[0])
        yield Chosen(keys(values[0].replace("_", " ")), tuple(others))
    elif shape := _shape(values[0]):
        yield Shaped(frozenset(value.casefold() for value in values), shape)
    elif len(values) == 1:
        yield Worded(values[0])


def _shape(value: str) -> re.Pattern[str] | None:
    if _MAIL.fullmatch(value):
        return _MAIL
    found = _ID.fullmatch(value)
    if not found:
        return None
    body = (
        rf"\d{{{len(found['number'])}}}" if found["number"] else re.escape(found["letters"]) + r"\d+"
    )  # a bare number is taken for an id only at the same length
    return re.compile(rf"(?<![^\W_\u3400-\u9fff])(?<![.,-]){body}(?![\w-]*\d)", re.IGNORECASE)
