"""Values as a person wrote them, with the place they stand at, and the field types that read them.

YAML is data: nothing here guesses. A field declared as `Text` takes the raw source (`no`, `00123`, `1e3` stay as
written); a `Free` field types a plain scalar by JSON's grammar only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    SerializerFunctionWrapHandler,
    WithJsonSchema,
    model_serializer,
    model_validator,
)

_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?")


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
    """A YAML sequence."""

    def __init__(self, items: list[Any], at: Where) -> None:
        super().__init__(items)
        self.at = at


def free(value: Any) -> Any:
    """The JSON value of a node: plain scalars by JSON's grammar (decimals as Decimal), everything quoted as text."""
    if isinstance(value, Scalar):
        return _typed(value.raw) if value.plain else value.raw
    if isinstance(value, dict):
        if value.keys() == {"$decimal"}:
            return Decimal(value["$decimal"])
        return {key: free(member) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [free(member) for member in value]
    return value


def _typed(raw: str) -> Any:
    if raw in ("null", ""):
        return None
    if raw in ("true", "false"):
        return raw == "true"
    if _NUMBER.fullmatch(raw):
        return int(raw) if raw.lstrip("-").isdigit() else Decimal(raw)
    return raw


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


def _scalar_as_json(value: Any) -> Any:
    return free(value) if isinstance(value, Scalar) else value


Text = Annotated[str, BeforeValidator(_raw)]
"""Text as it stands in the file, whatever YAML would have made of it."""

Free = Annotated[Any, BeforeValidator(free), PlainSerializer(portable), WithJsonSchema({})]
"""Any JSON value."""

Whole = Annotated[int, BeforeValidator(_scalar_as_json)]
Number = Annotated[Decimal, BeforeValidator(_scalar_as_json)]
Flag = Annotated[bool, BeforeValidator(_scalar_as_json)]
Raw = BeforeValidator(_raw)
"""For Literal fields: `Annotated[Literal["a", "b"], Raw]`."""


class Item(BaseModel):
    """Base of everything that a person writes: immutable, no unknown keys, and knows where it stands.

    Stored as JSON with `dump()` and read back with `model_validate`; only what was written is stored.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    at: Where | None = Field(None, alias="$at")

    @model_validator(mode="before")
    @classmethod
    def _remember_place(cls, value: Any) -> Any:
        return {**value, "$at": value.at} if isinstance(value, Mapping) else value

    @model_serializer(mode="wrap")
    def _leave_out_defaults(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        written = {
            "$at" if name == "at" else type(self).model_fields[name].alias or name for name in self.model_fields_set
        }
        return {key: value for key, value in handler(self).items() if key in written}

    def dump(self) -> dict[str, Any]:
        """JSON form; `type(self).model_validate(self.dump())` equals self."""
        return self.model_dump(mode="json", by_alias=True)


def without_places(value: Any) -> Any:
    """The dumped form of an Item with every place taken out: what a digest is made of."""
    if isinstance(value, dict):
        return {key: without_places(member) for key, member in value.items() if key != "$at"}
    if isinstance(value, list):
        return [without_places(member) for member in value]
    return value


def walk(value: Any) -> Iterator[Scalar]:
    """Every scalar below a node, in order of writing."""
    if isinstance(value, Scalar):
        yield value
    elif isinstance(value, dict):
        for member in value.values():
            yield from walk(member)
    elif isinstance(value, list):
        for member in value:
            yield from walk(member)
