"""Merging what a scenario is given into tables.

A key is a dotted path (`orders.O-1001`, `orders.O-1001.status`) or a table with its rows nested below it. Mappings are
merged, lists replace, null deletes: a row, a member of a map, or the value of a field that may be null; another field
falls back to its default. A list, or null, given for a whole table replaces all its rows.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from tools_sandbox.nearest import hint
from tools_sandbox.problem import explain
from tools_sandbox.rows import Row
from tools_sandbox.schema import ANY, FieldType
from tools_sandbox.shape import field_type
from tools_sandbox.table import Table
from tools_sandbox.values import show, to_json

Tables = Mapping[str, Table[Any]]


def merge(tables: Tables, given: Iterable[tuple[Sequence[str], Any]]) -> list[str]:
    """Merge values at paths into tables that may be written to; what can't be is said in the list, path first.

    A path is a table, a key (one step, or several if it has dots) and fields. What is given for one row at several
    paths is put together before the row is checked.
    """
    problems: list[str] = []
    rows: dict[tuple[str, str], Any] = {}
    for (name, *rest), value in given:
        table = tables.get(name)
        if table is None:
            problems.append(f"{show(name)[1:-1]}: no such table; {hint(name, tables)}")
        elif rest:
            key, fields = split_key(table, rest)
            _put_together(rows, (name, key), _nested(fields, value))
        elif isinstance(value, Mapping):
            for key, row in value.items():
                _put_together(rows, (name, key), row)
        elif value is None or isinstance(value, list):
            problems += _replace(table, value or [])
        else:
            problems.append(f"{name}: a table takes rows by key, not {show(value)}")
    for (name, key), value in rows.items():
        problems += _merge_row(tables[name], key, value)
    return problems


def _nested(fields: Sequence[str], value: Any) -> Any:
    for field in reversed(fields):
        value = {field: value}
    return value


def _put_together(members: dict[Any, Any], name: Any, value: Any) -> None:
    old = members.get(name)
    if isinstance(old, Mapping) and isinstance(value, Mapping):
        together = dict(old)
        for below, deep in value.items():
            _put_together(together, below, deep)
        value = together
    members[name] = value


def split_key(table: Container[str], steps: Sequence[str]) -> tuple[str, Sequence[str]]:
    """The key that a path below a table begins with, and the rest: an existing row's (which may have dots in it), else
    the first step.
    """
    for end in range(1, len(steps) + 1):
        key = ".".join(steps[:end])
        if key in table:
            return key, steps[end:]
    return steps[0], steps[1:]


def _merge_row(table: Table[Any], key: str, value: Any) -> list[str]:
    old = table.get(key)
    where = f"{table.name}.{key}"
    if value is None:
        if old is None:
            return [f"{where}: there is no such row to delete; {hint(key, table)}"]
        table.delete(key)
        return []
    if not isinstance(value, Mapping):
        return [f"{where}: a row is a mapping of its fields, not {show(value)}"]
    kind = _row_type(table)
    fields = dict(old.__dict__ if isinstance(old, Row) else old or {})
    for name, member in value.items():
        _merge_member(fields, name, member, kind)
    if table.model is not None and old is None:
        fields.setdefault(next(iter(table.model.model_fields)), key)
    return _put(table, key, fields, where)


def _merge_member(members: dict[str, Any], name: str, value: Any, kind: FieldType) -> None:
    below = kind.fields.get(name, kind.of or ANY)
    if value is None:
        if kind.name == "record" and below.nullable:
            members[name] = None
        else:
            members.pop(name, None)
        return
    old = members.get(name)
    if isinstance(value, Mapping) and isinstance(old, Mapping | Row):
        merged = dict(to_json(old))
        for member, deep in value.items():
            _merge_member(merged, member, deep, below)
        value = merged
    members[name] = value


def _replace(table: Table[Any], rows: Sequence[Any]) -> list[str]:
    for key in list(table):
        table.delete(key)
    if table.model is None and rows:
        return [f"{table.name}: its rows have no key of their own; give them as a mapping by key"]
    problems: list[str] = []
    for index, row in enumerate(rows):
        where = f"{table.name}[{index}]"
        name = next(iter(table.model.model_fields)) if table.model is not None else ""
        if not isinstance(row, Mapping) or row.get(name) is None:
            problems.append(f"{where}: a row is a mapping of its fields, `{name}` among them, not {show(row)}")
        else:
            problems += _put(table, str(row[name]), row, where)
    return problems


def _put(table: Table[Any], key: str, fields: Mapping[str, Any], where: str) -> list[str]:
    try:
        table.put(key, fields)
    except ValidationError as error:
        names = table.model.model_fields if table.model is not None else ()
        return [f"{where}.{line}" for line in explain(error, names, "field")]
    except ValueError as problem:
        return [str(problem)]
    return []


def _row_type(table: Table[Any]) -> FieldType:
    return FieldType("map") if table.model is None else field_type(table.model)
