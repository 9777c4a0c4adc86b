"""From Python annotations to the plain types of a schema."""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import is_dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal, NewType, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from typing_extensions import TypeAliasType, get_type_hints, is_typeddict

from tools_sandbox.nearest import hint
from tools_sandbox.problem import SandboxProblem
from tools_sandbox.rows import Private, Row
from tools_sandbox.schema import ANY, FieldSchema, FieldType, TableSchema

_PLAIN: tuple[tuple[type, FieldType], ...] = (
    (bool, FieldType("boolean")),
    (int, FieldType("integer")),
    (float, FieldType("number")),
    (Decimal, FieldType("decimal")),
    (datetime, FieldType("datetime")),
    (date, FieldType("date")),
    (str, FieldType("text")),
)
"""Subclasses before their bases."""


def field_type(hint: Any, _within: tuple[type, ...] = ()) -> FieldType:
    """The type that values of a field with this annotation are compared by; `any` where JSON is all that is known."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return field_type(args[0], _within)
    if isinstance(hint, TypeAliasType):
        return field_type(hint.__value__, _within)
    if isinstance(hint, NewType):
        return field_type(hint.__supertype__, _within)
    if origin in (Union, types.UnionType):
        members = [member for member in args if member is not type(None)]
        only = field_type(members[0], _within) if len(members) == 1 else FieldType("any")
        return replace(only, nullable=only.nullable or len(members) < len(args))
    if origin is Literal:
        return _choice(args)
    kind = origin or hint
    if not isinstance(kind, type):
        return ANY
    if issubclass(kind, Enum):
        return _choice(tuple(member.value for member in kind))
    for plain, found in _PLAIN:
        if issubclass(kind, plain):
            return found
    if issubclass(kind, BaseModel):
        return _record(kind, {name: field.annotation for name, field in kind.model_fields.items()}, _within)
    if is_typeddict(kind):
        return _record(kind, get_type_hints(kind), _within)
    if issubclass(kind, Mapping):
        return FieldType("map", of=field_type(args[1], _within) if len(args) == 2 else None)
    if issubclass(kind, Sequence | Set) and not issubclass(kind, bytes):
        items = {arg for arg in args if arg is not ...}
        return FieldType("list", of=field_type(items.pop(), _within) if len(items) == 1 else None)
    return ANY


def _record(kind: type, members: Mapping[str, Any], within: tuple[type, ...]) -> FieldType:
    if kind in within:
        return FieldType("record")
    inner = (*within, kind)
    return FieldType("record", fields={name: field_type(member, inner) for name, member in members.items()})


def _choice(values: tuple[Any, ...]) -> FieldType:
    nullable = None in values
    present = tuple(value.value if isinstance(value, Enum) else value for value in values if value is not None)
    if all(isinstance(value, str) for value in present):
        return FieldType("text", nullable=nullable, choices=tuple(str(value) for value in present))
    kinds = {type(value) for value in present}
    if kinds == {int}:
        return FieldType("integer", nullable=nullable)
    return FieldType("boolean" if kinds == {bool} else "any", nullable=nullable)


def table_schema(model: type[Row]) -> TableSchema:
    """The shape of a table of these rows. Raises SandboxProblem for marks that can't be honoured."""
    problems: list[str] = []
    fields: dict[str, FieldSchema] = {}
    for name, field in model.model_fields.items():
        where = f"{model.__name__}.{name}"
        owner = next((mark.owner for mark in _marks(field)), None)
        if owner is not None and owner not in model.model_fields:
            problems.append(
                f"{where}: private(owner={owner!r}) names no field of it; {hint(owner, model.model_fields)}"
            )
        for inner in _models(field.annotation):
            if not issubclass(inner, Row):
                problems.append(f"{where}: {inner.__name__} can be changed in place; derive it from Row")
                continue
            problems += [
                f"{where}: {inner.__name__}.{below} is marked private, but only a table's own fields can be"
                for below, deep in inner.model_fields.items()
                if any(_marks(deep))
            ]
        fields[name] = FieldSchema(field_type(field.annotation), owner)
    if not fields:
        problems.append(f"{model.__name__} has no fields; the first one is the key")
    elif next(iter(fields.values())).type.name not in ("text", "integer"):
        problems.append(f"{model.__name__}.{next(iter(fields))}: the first field is the key, and a key is text")
    if problems:
        raise SandboxProblem(problems)
    return TableSchema(fields, account_of(fields))


def account_of(fields: Mapping[str, FieldSchema]) -> str | None:
    """The owner that all private marks of a table agree on."""
    owners = {field.owner for field in fields.values() if field.owner is not None}
    return owners.pop() if len(owners) == 1 else None


def _marks(field: FieldInfo) -> Iterator[Private]:
    yield from (mark for mark in field.metadata if isinstance(mark, Private))
    if get_origin(field.annotation) in (Union, types.UnionType):
        for member in get_args(field.annotation):
            yield from (mark for mark in getattr(member, "__metadata__", ()) if isinstance(mark, Private))


def _models(annotation: Any, seen: tuple[type, ...] = ()) -> Iterator[type]:
    """Every model or dataclass within an annotation, however deep."""
    if isinstance(annotation, type) and (issubclass(annotation, BaseModel) or is_dataclass(annotation)):
        if annotation not in seen:
            yield annotation
            for field in getattr(annotation, "model_fields", {}).values():
                yield from _models(field.annotation, (*seen, annotation))
    else:
        for member in get_args(annotation):
            yield from _models(member, seen)
