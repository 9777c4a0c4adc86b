"""The texts behind digests: each is kept once, and none is dropped while something that needs it is being planned."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, select

from harness.store.codec import encode_text
from harness.store.statements import insert_new
from harness.store.tables import texts

_AT_ONCE = 100


def unknown_texts(connection: Connection, by_digest: Mapping[str, str]) -> dict[str, str]:
    """Those that are not there yet."""
    known: set[str] = set()
    digests = list(by_digest)
    for first in range(0, len(digests), _AT_ONCE):
        some = texts.c.digest.in_(digests[first : first + _AT_ONCE])
        known.update(connection.execute(select(texts.c.digest).where(some)).scalars())
    return {digest: text for digest, text in by_digest.items() if digest not in known}


def keep_texts(connection: Connection, by_digest: Mapping[str, str]) -> None:
    """Keep texts, credentials masked, within a transaction that writes: until it has ended nobody drops one, so that
    what needs them may be written after them.
    """
    _lock(connection, "row exclusive")
    rows = (
        {"digest": each, "content": encode_text(text)} for each, text in unknown_texts(connection, by_digest).items()
    )
    insert_new(connection, texts, rows, "digest")


def only_dropping(connection: Connection) -> None:
    """Wait for whoever keeps texts, and let nobody else do so within the rest of a transaction that writes."""
    _lock(connection, "share row exclusive")


def _lock(connection: Connection, mode: str) -> None:
    """SQLite has one writer at a time anyhow."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"lock table texts in {mode} mode")
