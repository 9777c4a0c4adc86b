"""Patterns that values are held against: data only; `tools_sandbox.matching` does the matching."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Word = Literal["equals", "mentions", "like", "between", "at_most", "at_least", "one_of", "any", "absent"]

WORDS: tuple[Word, ...] = ("equals", "mentions", "like", "between", "at_most", "at_least", "one_of", "any", "absent")


@dataclass(frozen=True, slots=True)
class Matcher:
    """Tests that one value must all pass, by word.

    Operands: `equals` any JSON value or Decimal; `mentions`, `like` text; `between` a pair, `at_most`, `at_least` a
    number, date or text that the field's type reads; `one_of` a list; `any` and `absent` True.
    """

    tests: dict[Word, Any]


@dataclass(frozen=True, slots=True)
class Subset:
    """A mapping that must have at least these members."""

    members: dict[str, Pattern]


@dataclass(frozen=True, slots=True)
class Listed:
    """A list (or a table's touched rows) matched one to one.

    `contains`: others may be left over. `ordered`: position by position.
    """

    items: tuple[Pattern, ...]
    contains: bool = False
    ordered: bool = False


Pattern = Matcher | Subset | Listed
