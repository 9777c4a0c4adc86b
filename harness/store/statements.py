"""Inserting many rows within a transaction that is open.

The statements are those that SQLAlchemy would make, written out: to make and bind them takes it longer, each time anew,
than they take to run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, TypeVar

from sqlalchemy import Connection, CursorResult, Row, Table

from harness.store.rows import Values
from harness.store.tables import Json, scorings, written

_AT_ONCE = 100
"""Rows of one statement: no database takes any number of values in one."""
_MANY = 500
"""Values that a query names at once."""

_Value = TypeVar("_Value")


def portions(values: Sequence[_Value]) -> Iterator[Sequence[_Value]]:
    """Values, as many at a time as a query can name."""
    return (values[first : first + _MANY] for first in range(0, len(values), _MANY))


def insert(connection: Connection, table: Table, rows: Iterable[Values]) -> None:
    """Insert rows, all of the same columns."""
    for _ in _inserted(connection, table, rows):
        pass


def insert_new(connection: Connection, table: Table, rows: Iterable[Values], *back: str) -> Sequence[Row[Any]]:
    """Insert what is not there yet; gives those columns of the rows that were."""
    ending = f" on conflict do nothing returning {', '.join(back)}"
    return [row for result in _inserted(connection, table, rows, ending) for row in result]


def add_scorings(connection: Connection, by_episode: Mapping[int, Values]) -> None:
    """Insert a scoring of each of those episodes."""
    insert(connection, scorings, ({**scoring, "episode": pk} for pk, scoring in by_episode.items()))


def _inserted(
    connection: Connection, table: Table, rows: Iterable[Values], ending: str = ""
) -> Iterable[CursorResult[Any]]:
    mark = "?" if connection.dialect.paramstyle == "qmark" else "%s"
    as_json = _json_columns(table)
    every = iter(rows)
    while some := list(islice(every, _AT_ONCE)):
        statement = _insert(table.name, tuple(some[0]), len(some), mark) + ending
        values = [written(value) if name in as_json else value for row in some for name, value in row.items()]
        yield connection.exec_driver_sql(statement, tuple(values))


@lru_cache(maxsize=512)
def _insert(table: str, columns: tuple[str, ...], rows: int, mark: str) -> str:
    row = f"({', '.join([mark] * len(columns))})"
    return f"insert into {table} ({', '.join(columns)}) values {', '.join([row] * rows)}"  # noqa: S608  names of ours


@lru_cache
def _json_columns(table: Table) -> frozenset[str]:
    return frozenset(column.name for column in table.columns if isinstance(column.type, Json))
