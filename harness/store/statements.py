"""The statements that several methods of the store have in common, each within a transaction that is open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any

from sqlalchemy import Connection, Executable, Row, Table, insert

from harness.store.rows import Values
from harness.store.tables import scorings

_ADD_SCORING = insert(scorings)


def insert_new(connection: Connection, table: Table, rows: Sequence[Values], *back: str) -> Sequence[Row[Any]]:
    """Insert what is not there yet; gives those columns of the rows that were."""
    return connection.execute(_insert_new(connection.dialect.name, table, back), rows).all()


@cache  # what SQLAlchemy works out of a statement, it keeps with the object
def _insert_new(dialect: str, table: Table, back: tuple[str, ...]) -> Executable:
    # SQLite and PostgreSQL both have it, and only one of them is imported: that takes a tenth of a second.
    into = import_module(f"sqlalchemy.dialects.{dialect}").insert(table)
    new: Executable = into.on_conflict_do_nothing().returning(*(table.c[name] for name in back))
    return new


def add_scorings(connection: Connection, by_episode: Mapping[int, Values]) -> None:
    """Insert a scoring of each of those episodes."""
    if by_episode:
        connection.execute(_ADD_SCORING, [{**scoring, "episode": pk} for pk, scoring in by_episode.items()])
