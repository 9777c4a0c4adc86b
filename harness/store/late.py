"""What telemetry came of episodes when they were over."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager

from sqlalchemy import Connection, select

from harness.model.late import Late
from harness.store.codec import decode, encode
from harness.store.statements import insert
from harness.store.tables import late_telemetry

LATE_TELEMETRY = """
create table late_telemetry (
    pk {serial} primary key,
    conversation varchar not null,
    document {bytes} not null
);
create index late_telemetry_conversation on late_telemetry (conversation)
"""


class LateTelemetry:
    """Rows beside the episodes, which are never rewritten. `transaction` opens one of its store's transactions."""

    def __init__(self, transaction: Callable[..., AbstractContextManager[Connection]]) -> None:
        self._transaction = transaction

    def add(self, found: Iterable[Late]) -> None:
        """Keep what came, credentials masked."""
        if some := list(found):
            with self._transaction(writes=True) as connection:
                add_late(connection, some)

    def of(self, conversation: str) -> list[Late]:
        """What came of the episode that was played under this id, in the order in which it did."""
        with self._transaction() as connection:
            return late_of(connection, conversation)


def add_late(connection: Connection, found: Iterable[Late]) -> None:
    """The same within a transaction that is open."""
    rows = ({"conversation": late.conversation, "document": encode(late)} for late in found)
    insert(connection, late_telemetry, rows)


def late_of(connection: Connection, conversation: str) -> list[Late]:
    """The same within a transaction that is open."""
    query = select(late_telemetry.c.document).where(late_telemetry.c.conversation == conversation)
    found = connection.execute(query.order_by(late_telemetry.c.pk)).scalars()
    return [decode(Late, document) for document in found]
