"""Values as a person wrote them, with the place they stand at, and the field types that read them.

YAML is data: nothing here guesses. A field declared as `Text` takes the raw source (`no`, `00123`, `1e3` stay as
written); a `Free` field types a plain scalar by JSON's grammar only.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, ClassVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    PlainSerializer,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import CoreSchema

RESERVED = ("$at", "$decimal")
"""Keys that stored items have for places and exact decimals: no file may have them."""
_NULLS = ("null", "")
_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?", re.ASCII)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_LONGEST_EXPONENT = 5


@dataclass(frozen=True, slots=True)
class Where:
    """A place in a file; line and column count from 1."""

    file: str
    line: int
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Scalar:
    """A YAML scalar, not yet interpreted. `plain` is False for quoted and block scalars."""

    raw: str
    plain: bool
    at: Where

    def __str__(self) -> str:
        return self.raw


class Mapping(dict[str, Any]):
    """A YAML mapping: keys are raw text, values are Scalar, Mapping or Sequence."""

    def __init__(self, items: dict[str, Any], at: Where, keys_at: dict[str, Where]) -> None:
        super().__init__(items)
        self.at = at
        self.keys_at = keys_at


class Sequence(list[Any]):
    """A YAML sequence: its members are Scalar, Mapping or Sequence."""

    def __init__(self, items: list[Any], at: Where) -> None:
        super().__init__(items)
        self.at = at


def free(value: Any) -> Any:
    """The JSON value of a node: plain scalars by JSON's grammar (decimals as Decimal), everything quoted as text."""
    if isinstance(value, Scalar):
        return _typed(value.raw) if value.plain else value.raw
    if isinstance(value, dict):
        if value.keys() == {"$decimal"} and not isinstance(value, Mapping):
            return Decimal(value["$decimal"])
        return {key: free(member) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [free(member) for member in value]
    return value


def _typed(raw: str) -> Any:
    """By JSON's grammar. Raises ValueError for a number that no other program could be handed: infinite, or nothing, as
    a float.
    """
    if raw in _NULLS:
        return None
    if raw in ("true", "false"):
        return raw == "true"
    if not _NUMBER.fullmatch(raw):
        return raw
    near = float(raw)
    digits, _, exponent = raw.lower().partition("e")
    if math.isinf(near) or (near == 0 and (re.search("[1-9]", digits) or len(exponent) > _LONGEST_EXPONENT)):
        shown = raw if len(raw) <= 20 else f"{raw[:20]}…"
        raise ValueError(f"`{shown}` is beyond what a number can be; quote it if it is text")
    return int(raw) if raw.lstrip("-").isdigit() else Decimal(raw)


def is_null(node: Any) -> bool:
    """Whether a node is `null`, or a place left empty."""
    return isinstance(node, Scalar) and node.plain and node.raw in _NULLS


def members(node: Any) -> Any:
    """The node itself, or an empty mapping where nothing was written."""
    return {} if is_null(node) else node


def place(node: Any) -> dict[str, Where]:
    """The `$at` member of an Item made from a short form."""
    return {"$at": node.at} if isinstance(node, Scalar | Mapping | Sequence) else {}


def portable(value: Any) -> Any:
    """The inverse of `free` for JSON storage: a Decimal becomes `{"$decimal": "1.50"}`, so that it survives exactly."""
    if isinstance(value, Decimal):
        return {"$decimal": str(value)}
    if isinstance(value, dict):
        return {key: portable(member) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [portable(member) for member in value]
    return value


def _raw(value: Any) -> Any:
    return value.raw if isinstance(value, Scalar) else value


def _number(value: Any) -> Any:
    if isinstance(value, Scalar):
        if not _NUMBER.fullmatch(value.raw):
            raise ValueError(f"expected a number such as 3 or 0.5, not `{value.raw}`")
        return _typed(value.raw)
    if isinstance(value, bool | dict | list):
        raise ValueError(f"expected a number, not {kind_of(value)}")
    return value


def _flag(value: Any) -> Any:
    if isinstance(value, Scalar):
        if value.raw not in ("true", "false"):
            raise ValueError(f"expected true or false, not `{value.raw}`")
        return value.raw == "true"
    return value


def _day(value: Any) -> Any:
    if isinstance(value, Scalar | str):
        if not _DAY.fullmatch(str(value)):
            raise ValueError(f"expected a day such as 2026-12-31, not {kind_of(value)}")
        try:
            return date.fromisoformat(str(value))
        except ValueError:
            raise ValueError(f"the calendar has no day {value}") from None
    if isinstance(value, date):
        return value
    raise ValueError(f"expected a day such as 2026-12-31, not {kind_of(value)}")


def kind_of(value: Any) -> str:
    """What a node is, in words for an error text."""
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list | tuple):
        return "a list"
    raw = str(value)
    return f"`{raw}`" if raw else "nothing"


SCALAR_SCHEMA: dict[str, Any] = {"type": ["string", "number", "boolean", "null"]}

Text = Annotated[str, BeforeValidator(_raw), WithJsonSchema(SCALAR_SCHEMA)]
"""Text as it stands in the file, whatever YAML would have made of it."""

Free = Annotated[Any, BeforeValidator(free), PlainSerializer(portable), WithJsonSchema({})]
"""Any JSON value."""

Whole = Annotated[int, BeforeValidator(_number)]
Number = Annotated[Decimal, BeforeValidator(_number)]
Flag = Annotated[bool, BeforeValidator(_flag)]
Day = Annotated[date, BeforeValidator(_day)]
"""A day of the calendar, `2026-12-31`."""
Raw = BeforeValidator(_raw)
"""For Literal fields: `Annotated[Literal["a", "b"], Raw]`."""


class _OneOrMany:
    """Marks a list of which a single item may be written bare."""

    def __get_pydantic_json_schema__(self, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        many = handler(core_schema)
        return {"anyOf": [many["items"], many]}


ONE_OR_MANY = (BeforeValidator(lambda node: node if isinstance(node, list) else [node]), _OneOrMany())
"""Annotations of a list field: `Annotated[list[Text], *ONE_OR_MANY]`."""


@dataclass(frozen=True, slots=True)
class Stray:
    """Stands in for the value of a key that its mapping does not have, so that the error can say what was meant."""

    key: str
    known: tuple[str, ...]
    at: Where


class Item(BaseModel):
    """Base of everything that a person writes: immutable, no unknown keys, and knows where it stands.

    Stored as JSON with `dump()` and read back with `model_validate`; only what was written is stored.
    `short_forms` are JSON Schemas of the shorter ways to write it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)
    short_forms: ClassVar[tuple[dict[str, Any], ...]] = ()

    at: Where | None = Field(None, alias="$at")

    @model_validator(mode="before")
    @classmethod
    def _remember_place(cls, value: Any) -> Any:
        if not isinstance(value, Mapping):
            return value
        known = cls.keys()
        strays = {key: Stray(key, known, value.keys_at[key]) for key in value if key not in known}
        return {**value, **strays, "$at": value.at}

    @classmethod
    def keys(cls) -> tuple[str, ...]:
        """The keys that a file may have here, in order of declaration."""
        return tuple(field.alias or name for name, field in cls.model_fields.items() if name != "at")

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        schema = handler(core_schema)
        handler.resolve_ref_schema(schema)["properties"].pop("$at", None)
        return {"anyOf": [schema, *cls.short_forms]} if cls.short_forms else schema

    def dump(self) -> dict[str, Any]:
        """JSON form; `type(self).model_validate(self.dump())` equals self."""
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True)


def without_places(value: Any) -> Any:
    """The dumped form of an Item with every place taken out: what a digest is made of."""
    if isinstance(value, dict):
        return {
            key: member if type(member) is str else without_places(member)
            for key, member in value.items()
            if key != "$at"
        }
    if isinstance(value, list):
        return [without_places(member) for member in value]
    return value
