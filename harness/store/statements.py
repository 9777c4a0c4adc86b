"""The statements that several methods of the store have in common, each within a transaction that is open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from sqlalchemy import Connection, Row, Table, insert

from harness.store.rows import Values
from harness.store.tables import scorings


def insert_new(connection: Connection, table: Table, rows: Sequence[Values], *back: Any) -> Sequence[Row[Any]]:
    """Insert what is not there yet; gives those columns of the rows that were."""
    # SQLite and PostgreSQL both have it, and only one of them is imported: that takes a tenth of a second.
    dialect = import_module(f"sqlalchemy.dialects.{connection.dialect.name}")
    return connection.execute(dialect.insert(table).on_conflict_do_nothing().returning(*back), rows).all()


def add_scorings(connection: Connection, by_episode: Mapping[int, Values]) -> None:
    """Insert a scoring of each of those episodes."""
    if by_episode:
        connection.execute(insert(scorings), [{**scoring, "episode": pk} for pk, scoring in by_episode.items()])
