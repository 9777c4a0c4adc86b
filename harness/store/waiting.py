"""Judgements that came before what they judge, kept until that comes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict, dataclass

from sqlalchemy import Column, Connection, Float, Integer, LargeBinary, String, Table, delete, select

from harness.store.codec import decode, encode
from harness.store.conversation_records import Source, Telemetry
from harness.store.conversation_rows import digest_of, identity_of, name_of, telemetry_of
from harness.store.mask import mask
from harness.store.statements import insert_new, portions
from harness.store.tables import METADATA, Json
from traces.conversation import Conversation

WAITING_JUDGEMENTS = """
create table waiting_judgements (
    pk {serial} primary key,
    conversation text not null,
    identity varchar,
    trace varchar,
    began {float} not null,
    sources text not null,
    digest varchar not null unique,
    document {bytes} not null
);
create index waiting_judgements_identity on waiting_judgements (identity);
create index waiting_judgements_trace on waiting_judgements (trace)
"""

waiting_judgements = Table(
    "waiting_judgements",
    METADATA,
    Column("pk", Integer, primary_key=True),
    Column("conversation", Json),
    Column("identity", String),
    Column("trace", String),
    Column("began", Float),
    Column("sources", Json),
    Column("digest", String),
    Column("document", LargeBinary),
)


@dataclass(frozen=True, slots=True)
class Waiting:
    """Judgements as they came: what they are on, with the SHA-256 (hex) of the conversation's id as it was."""

    pk: int
    identity: str | None
    about: Conversation
    sources: tuple[Source, ...]


def keep(connection: Connection, about: Conversation, sources: Iterable[Source]) -> None:
    """Keep judgements on a conversation or a trace; those that are kept already are so once."""
    document = encode(telemetry_of(about))
    row = {
        "conversation": name_of(about),
        "identity": identity_of(about.id),
        "trace": next(iter(about.trace_ids), None),
        "began": min((record.time for record in about.logs), default=0) / 1e9,
        "sources": mask([asdict(source) for source in sources]),
        "digest": digest_of(document),
        "document": document,
    }
    insert_new(connection, waiting_judgements, [row], "pk")


def waiting_on(connection: Connection, identities: Collection[str], traces: Collection[str]) -> Iterator[Waiting]:
    """What is kept that is on these conversations or traces, each once."""
    columns = waiting_judgements.c
    fits = [
        *(columns.identity.in_(some) for some in portions(list(identities))),
        *(columns.trace.in_(some) for some in portions(list(traces))),
    ]
    found = {row.pk: row for fit in fits for row in connection.execute(select(waiting_judgements).where(fit))}
    for row in found.values():
        traced = () if row.trace is None else (row.trace,)
        about = Conversation(row.conversation, "", (), traced, logs=decode(Telemetry, row.document).logs)
        yield Waiting(row.pk, row.identity, about, tuple(Source(**source) for source in row.sources))


def drop(connection: Connection, pk: int) -> None:
    """Keep it no longer: it is where it belongs."""
    connection.execute(delete(waiting_judgements).where(waiting_judgements.c.pk == pk))
