"""Rows of tables, and the mark for private fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, WrapValidator

from tools_sandbox.frozen import FrozenDict, freeze
from tools_sandbox.values import to_json, with_numbers

_FIXED = frozenset({str, int, float, bool, type(None), Decimal, date, datetime})
"""The usual types of fields that hold nothing to be frozen."""


class Row(BaseModel):
    """A row of a table, and any record within one: immutable through and through, no unknown fields.

    The first field is the key. A number given for a text field is read as text.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        allow_inf_nan=False,
        validate_by_name=True,
        validate_by_alias=True,
        coerce_numbers_to_str=True,
    )

    def model_post_init(self, _: Any) -> None:
        """Freeze what the row holds."""
        members = self.__dict__
        if _FIXED.issuperset(map(type, members.values())):
            return
        for name, value in members.items():
            if type(value) not in _FIXED:
                members[name] = freeze(value)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A row with some fields changed, validated like any other; `deep` makes no difference."""
        return self.model_validate({**self.__dict__, **(update or {})})


@dataclass(frozen=True, slots=True)
class Private:
    """The mark that `private` makes."""

    owner: str


def private(*, owner: str) -> Private:
    """Mark a field as a private datum of the account that the field `owner` of the same row names:
    `email: Annotated[str, private(owner="customer_id")]`.
    """
    return Private(owner)


def _as_it_came(given: Any, check: Callable[[Any], Any]) -> Any:
    check(given)
    return given


as_written = WrapValidator(_as_it_came)
"""The mark for a record that is checked by its TypedDict and kept as it came: its members in the order that they were
written in and, where the type ignores others (`@with_config(extra="ignore")`), those too. For a backend that hands on
what it was sent: `passengers: list[Annotated[Passenger, as_written]]`, in a row or as an argument of a tool.
"""


def free_row(fields: Mapping[str, Any]) -> FrozenDict:
    """A row of a table without a model: frozen JSON, decimals as numbers."""
    row: FrozenDict = freeze(to_json(with_numbers(fields)))
    return row
