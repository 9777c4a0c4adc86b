"""Holding values against patterns: one value, or a list of patterns paired with a list of values, optimally."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from tools_sandbox.like import like
from tools_sandbox.patterns import Listed, Matcher, Pattern, Subset, Word
from tools_sandbox.schema import ANY, FieldType
from tools_sandbox.text import mentions
from tools_sandbox.values import ABSENT, read, same, show

__all__ = ["ABSENT", "Mismatch", "Pair", "Pairing", "describe", "mismatches", "pair"]


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One place where a value does not fit: a dotted path (empty: the value itself), what was expected and what is
    there, both worded for a person.
    """

    path: str
    expected: str
    actual: str

    def __str__(self) -> str:
        where = f"{self.path}: " if self.path else ""
        return f"{where}expected {self.expected}, got {self.actual}"


@dataclass(frozen=True, slots=True)
class Pair:
    """A pattern and a value that belong together, by index, and where they differ (empty: the value fits)."""

    pattern: int
    value: int
    mismatches: tuple[Mismatch, ...] = ()


@dataclass(frozen=True, slots=True)
class Pairing:
    """The best one-to-one pairing: most values that fit, then fewest mismatches. Indices of what is left over."""

    pairs: tuple[Pair, ...]
    patterns_left: tuple[int, ...]
    values_left: tuple[int, ...]


def mismatches(pattern: Pattern, value: Any, kind: FieldType = ANY, path: str = "") -> list[Mismatch]:
    """Where a value does not fit a pattern; empty if it does. `value` is JSON (or typed by `read`), or ABSENT.

    `kind` is the type that both sides are read through before they are compared. Null and ABSENT are one here: there is
    no value.
    """
    if isinstance(pattern, Matcher):
        missed = {word: operand for word, operand in pattern.tests.items() if not _TESTS[word](operand, value, kind)}
        return [Mismatch(path, describe(Matcher(missed)), show(value))] if missed else []
    if isinstance(pattern, Subset):
        return _subset(pattern, value, kind, path)
    return _listed(pattern, value, kind, path)


def describe(pattern: Pattern) -> str:
    """A pattern in words, on one line."""
    if isinstance(pattern, Matcher):
        return " and ".join(_words(word, operand) for word, operand in pattern.tests.items())
    if isinstance(pattern, Subset):
        return "{" + ", ".join(f"{name}: {describe(member)}" for name, member in pattern.members.items()) + "}"
    items = ", ".join(describe(item) for item in pattern.items)
    return f"a list with [{items}]" if pattern.contains else f"[{items}]"


def pair(patterns: Sequence[Pattern], values: Sequence[Any], kind: FieldType = ANY) -> Pairing:
    """Pair patterns with values one to one. Values that fit nothing are paired with the pattern they miss least."""
    return assign([[tuple(mismatches(pattern, value, kind)) for value in values] for pattern in patterns], len(values))


def assign(misses: Sequence[Sequence[tuple[Mismatch, ...]]], columns: int) -> Pairing:
    """The best pairing of a table of mismatches: a row a pattern, a column a value."""
    chosen = _first_fits(misses)
    if chosen is None:
        chosen = _optimum(misses)
    used = set(chosen.values())
    return Pairing(
        tuple(Pair(row, column, misses[row][column]) for row, column in sorted(chosen.items())),
        tuple(row for row in range(len(misses)) if row not in chosen),
        tuple(column for column in range(columns) if column not in used),
    )


def _first_fits(misses: Sequence[Sequence[tuple[Mismatch, ...]]]) -> dict[int, int] | None:
    """The first free value that fits, pattern by pattern; None if that leaves one without."""
    chosen: dict[int, int] = {}
    free = list(range(len(misses[0]))) if misses else []
    for row, line in enumerate(misses):
        fit = next((column for column in free if not line[column]), None)
        if fit is None:
            return None
        chosen[row] = fit
        free.remove(fit)
    return chosen


def _optimum(misses: Sequence[Sequence[tuple[Mismatch, ...]]]) -> dict[int, int]:
    """Hungarian method on the number of mismatches; one that fits outweighs any sum of those."""
    if len(misses) == 1:
        counts = [len(miss) for miss in misses[0]]
        return {0: counts.index(min(counts))} if counts else {}
    from scipy.optimize import linear_sum_assignment  # slow to import and seldom needed

    heavy = 1 + sum(max((len(miss) for miss in line), default=0) for line in misses)
    rows, columns = linear_sum_assignment([[heavy + len(miss) if miss else 0 for miss in line] for line in misses])
    return {int(row): int(column) for row, column in zip(rows, columns, strict=True)}


def _subset(pattern: Subset, value: Any, kind: FieldType, path: str) -> list[Mismatch]:
    if not isinstance(value, Mapping):
        return [Mismatch(path, describe(pattern), show(value))]
    of = kind.of or ANY
    found: list[Mismatch] = []
    for name, member in pattern.members.items():
        below = f"{path}.{name}" if path else name
        found += mismatches(member, value.get(name, ABSENT), kind.fields.get(name, of), below)
    return found


def _listed(pattern: Listed, value: Any, kind: FieldType, path: str) -> list[Mismatch]:
    if not isinstance(value, list | tuple):
        return [Mismatch(path, describe(pattern), show(value))]
    of = kind.of or ANY
    if pattern.ordered and not pattern.contains:
        table = [(index, index) for index in range(min(len(pattern.items), len(value)))]
        pairing = Pairing(
            tuple(Pair(row, column, tuple(mismatches(pattern.items[row], value[column], of))) for row, column in table),
            tuple(range(len(table), len(pattern.items))),
            tuple(range(len(table), len(value))),
        )
    else:
        pairing = pair(pattern.items, value, of)
    found = [
        Mismatch(_join(f"{path}[{one.value}]", miss.path), miss.expected, miss.actual)
        for one in pairing.pairs
        for miss in one.mismatches
    ]
    found += [Mismatch(f"{path}[]", describe(pattern.items[index]), "nothing") for index in pairing.patterns_left]
    if not pattern.contains:
        found += [Mismatch(f"{path}[{index}]", "nothing", show(value[index])) for index in pairing.values_left]
    return found


def _join(path: str, below: str) -> str:
    return path + below if not below or below.startswith("[") else f"{path}.{below}"


def _equals(operand: Any, value: Any, kind: FieldType) -> bool:
    return same(operand, None if value is ABSENT else value, kind)


def _one_of(operand: Any, value: Any, kind: FieldType) -> bool:
    return any(_equals(choice, value, kind) for choice in operand)


def _is_there(_: Any, value: Any, __: FieldType) -> bool:
    return value is not ABSENT and value is not None


def _is_absent(_: Any, value: Any, __: FieldType) -> bool:
    return value is ABSENT or value is None


def _mentions(operand: str, value: Any, _: FieldType) -> bool:
    text = _as_text(value)
    return text is not None and mentions(operand, text) is not None


def _like(operand: str, value: Any, _: FieldType) -> bool:
    text = _as_text(value)
    return text is not None and like(operand, text) is not None


def _as_text(value: Any) -> str | None:
    """What text matchers look at: text, numbers as written; None for everything else."""
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int | float | Decimal) and not isinstance(value, bool) else None


def _at_most(operand: Any, value: Any, kind: FieldType) -> bool:
    ordered = _comparable(operand, value, kind)
    return ordered is not None and bool(ordered[1] <= ordered[0])


def _at_least(operand: Any, value: Any, kind: FieldType) -> bool:
    ordered = _comparable(operand, value, kind)
    return ordered is not None and bool(ordered[1] >= ordered[0])


def _between(operand: Any, value: Any, kind: FieldType) -> bool:
    return _at_least(operand[0], value, kind) and _at_most(operand[1], value, kind)


_ORDERED = ("integer", "number", "decimal", "date", "datetime")
_GUESSES = (FieldType("number"), FieldType("datetime"))


def _comparable(operand: Any, value: Any, kind: FieldType) -> tuple[Any, Any] | None:
    """Both sides in a form that has an order, or None. Without a type that has one, two numbers (text of a number
    counts) or two dates or times.
    """
    for guess in (kind,) if kind.name in _ORDERED else _GUESSES:
        try:
            both = read(operand, guess), read(value, guess)
        except (ValueError, TypeError):
            continue
        if isinstance(both[0], datetime) and (both[0].utcoffset() is None) != (both[1].utcoffset() is None):
            return None
        return None if None in both else both
    return None


_TESTS: Mapping[Word, Callable[[Any, Any, FieldType], bool]] = {
    "equals": _equals,
    "mentions": _mentions,
    "like": _like,
    "between": _between,
    "at_most": _at_most,
    "at_least": _at_least,
    "one_of": _one_of,
    "any": _is_there,
    "absent": _is_absent,
}


def _words(word: Word, operand: Any) -> str:
    if word == "equals":
        return show(operand)
    if word == "between":
        return f"between {show(operand[0])} and {show(operand[1])}"
    if word in ("any", "absent"):
        return "any value" if word == "any" else "no value"
    if word == "one_of":
        return "one of " + ", ".join(show(choice) for choice in operand)
    return f"{word.replace('_', ' ')} {show(operand)}"
