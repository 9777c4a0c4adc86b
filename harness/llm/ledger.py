"""What the processes of a run share about models: money spent, a pause that the provider asked for, answers used."""

from __future__ import annotations

import sqlite3
from decimal import Decimal
from pathlib import Path

from harness.llm.problem import ProviderError

_UNIT = Decimal("1e-12")
"""Of a dollar: so many make an integer, and integers add up exactly."""


class Ledger:
    """A few numbers in an SQLite file, which any process may open; without a file, of this process alone.

    Each operation is one statement and so atomic. They take well under a millisecond.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._db = sqlite3.connect(path or ":memory:", timeout=30, isolation_level=None, check_same_thread=False)
        self._db.execute("PRAGMA synchronous=OFF")  # nothing in it outlives the run
        self._db.execute("CREATE TABLE IF NOT EXISTS numbers (name TEXT PRIMARY KEY, value NUMERIC)")
        self._db.execute(
            "CREATE TABLE IF NOT EXISTS places (name TEXT, asker TEXT, place INTEGER, PRIMARY KEY (name, asker))"
        )

    def place(self, name: str, asker: str) -> int:
        """The asker's place among all who asked for this name, in the order in which they first did; from 0."""
        statement = (
            "INSERT INTO places SELECT ?1, ?2, count(*) FROM places WHERE name = ?1 "
            "ON CONFLICT DO UPDATE SET place = place RETURNING place"
        )
        return int(self._one(statement, name, asker) or 0)

    def mark(self, name: str) -> None:
        """Let all know that something has happened."""
        self._put(name, 1, "1")

    def marked(self, name: str) -> bool:
        """Whether it has happened, in whatever process."""
        return bool(self._get(name))

    def spend(self, dollars: Decimal) -> None:
        """Add to what is spent."""
        self._put("spent", int((dollars / _UNIT).to_integral_value()), "value + excluded.value")

    @property
    def spent(self) -> Decimal:
        """US dollars, all processes together."""
        return int(self._get("spent")) * _UNIT

    def pause(self, until: float) -> None:
        """Nobody asks before that time, in seconds since the epoch; a longer pause stays."""
        self._put("pause", until, "max(value, excluded.value)")

    @property
    def paused_until(self) -> float:
        """In seconds since the epoch; 0 if nobody asked for a pause."""
        return float(self._get("pause"))

    def _put(self, name: str, value: float, change: str) -> float:
        statement = f"INSERT INTO numbers VALUES (?, ?) ON CONFLICT DO UPDATE SET value = {change} RETURNING value"  # noqa: S608  of our own
        return self._one(statement, name, value) or 0

    def _get(self, name: str) -> float:
        return self._one("SELECT value FROM numbers WHERE name = ?", name) or 0

    def _one(self, statement: str, *values: str | float) -> float | None:
        try:
            row = self._db.execute(statement, values).fetchone()
        except sqlite3.Error as error:
            raise ProviderError(f"what the processes of a run share about models can't be kept: {error}") from None
        return row[0] if row else None
