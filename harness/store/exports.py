"""Where runs were exported to, so that whoever purges them can be told where their words still are."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Column, Connection, Integer, String, Table, select

from harness.store.statements import insert
from harness.store.tables import METADATA, Json

EXPORTS = """
create table exports (
    pk {serial} primary key,
    run varchar not null,
    file text not null,
    exported varchar not null
)
"""

exports = Table(
    "exports",
    METADATA,
    Column("pk", Integer, primary_key=True),
    Column("run", String),
    Column("file", Json),
    Column("exported", String),
)


@dataclass(frozen=True, slots=True)
class Export:
    """A run that was exported to a file, named in full, at that time (ISO 8601)."""

    run: str
    file: Path
    exported: str


class Exports:
    """The exports from a store. `transaction` opens one of its transactions."""

    def __init__(self, transaction: Callable[..., AbstractContextManager[Connection]]) -> None:
        self._transaction = transaction

    def add(self, run: str, file: Path) -> None:
        """Keep that a run was exported to a file."""
        row = {"run": run, "file": str(file.absolute()), "exported": datetime.now(UTC).isoformat()}
        with self._transaction(writes=True) as connection:
            insert(connection, exports, [row])

    def all(self) -> list[Export]:
        """Every export, the oldest first."""
        with self._transaction() as connection:
            rows = connection.execute(select(exports).order_by(exports.c.pk)).all()
        return [Export(row.run, Path(row.file), row.exported) for row in rows]
