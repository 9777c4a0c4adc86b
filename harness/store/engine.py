"""Connections: an SQLite file in WAL mode, or PostgreSQL by its URL."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError

from harness.store.problem import StoreLost, StoreProblem

_BUSY_SECONDS = 30
"""How long a writer waits for another process before it gives up."""


def connect(place: str | Path) -> Engine:
    """An engine for a file or a database URL; the file's folder is made if need be. Raises StoreProblem.

    Connections with the execution option `writes=True` hold SQLite's write lock from the start of their transaction, so
    that one never fails half-way because another process wrote in between.
    """
    if isinstance(place, str) and "://" in place:
        url = _parsed(place)
        if url.get_backend_name() == "postgresql":
            return _postgresql(url)
        if url.get_backend_name() != "sqlite" or not url.database:
            raise StoreProblem(f"{shown(place)}: the store is an SQLite file or a postgresql:// address")
        place = url.database
    return _sqlite(Path(place))


def shown(place: str | Path) -> str:
    """The place of a store without its password."""
    if isinstance(place, str) and "://" in place:
        return _parsed(place).render_as_string(hide_password=True)
    return str(place)


def _parsed(place: str) -> URL:
    try:
        return make_url(place)
    except ArgumentError as error:
        raise StoreProblem("the store's address can't be read: write a path, or postgresql://user@host/name") from error


def _postgresql(url: URL) -> Engine:
    try:
        return create_engine(url.set(drivername="postgresql+psycopg"), pool_pre_ping=True)
    except ModuleNotFoundError as error:
        raise StoreProblem("PostgreSQL needs its driver: pip install 'psycopg[binary]'") from error


def _sqlite(file: Path) -> Engine:
    file = file.absolute()  # wherever the process goes, the store stays
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreProblem(
            f"{file}: its folder can't be made: {error.strerror}; choose another with --store"
        ) from error
    if file.is_dir():
        raise StoreProblem(f"{file}: this is a folder, and the store is a file: name one in it")
    engine = create_engine(URL.create("sqlite", database=str(file)), connect_args={"timeout": _BUSY_SECONDS})
    event.listen(engine, "connect", _set_up)
    event.listen(engine, "begin", _SameFile(file))
    event.listen(engine, "begin", _begin)
    return engine


class _SameFile:
    """Notices, as a transaction begins, that the file was deleted, moved or replaced: SQLite would go on writing into
    one that nobody will ever find.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._first: tuple[int, int] | None = None

    def __call__(self, connection: Connection) -> None:
        try:
            found = self._file.stat()
        except OSError:
            known = None
        else:
            known = found.st_dev, found.st_ino
        self._first = self._first or known
        if known is None or known != self._first:
            raise StoreLost(
                f"{self._file}: the store was deleted, moved or replaced while it was in use, and what was written to "
                "it is lost: leave it where it is, or choose another place with --store"
            )


def _set_up(connection: sqlite3.Connection, record: Any) -> None:
    # Without it the driver begins transactions by itself, too late and never for reads; see `_begin`.
    connection.isolation_level = None
    _use_wal(connection)
    # In WAL mode a crash of the process loses nothing; a power cut may lose the last episodes, and never a part of one.
    connection.execute("pragma synchronous = normal")
    connection.execute("pragma foreign_keys = on")


def _use_wal(connection: sqlite3.Connection) -> None:
    """Switch to WAL mode. SQLite does not wait for others here, however long the time-out: so this does."""
    give_up = time.monotonic() + _BUSY_SECONDS
    while True:
        try:
            connection.execute("pragma journal_mode = wal")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) or time.monotonic() > give_up:
                raise
            time.sleep(0.01)
        else:
            return


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("begin immediate" if writes else "begin")
