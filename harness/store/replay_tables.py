"""The tables of replays: the migration that makes them, and the tables as queries see them."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Integer, LargeBinary, String, Table

from harness.store.tables import METADATA, Json

REPLAYS = """
create table replays (
    id varchar primary key,
    workflow varchar not null,
    level varchar not null,
    created varchar not null,
    agents text not null,
    options text not null,
    status varchar not null,
    harness_version varchar not null,
    verdict {bytes}
);
create index replays_created on replays (created);

create table replayed (
    pk {serial} primary key,
    replay varchar not null references replays (id),
    agent varchar not null,
    recording varchar not null,
    verdict varchar not null,
    paired varchar,
    turns integer not null,
    compared integer not null,
    document {bytes} not null,
    unique (replay, agent, recording)
)
"""

replays = Table(
    "replays",
    METADATA,
    Column("id", String, primary_key=True),
    Column("workflow", String),
    Column("level", String),
    Column("created", String),
    Column("agents", Json),
    Column("options", Json),
    Column("status", String),
    Column("harness_version", String),
    Column("verdict", LargeBinary),
)

replayed = Table(
    "replayed",
    METADATA,
    Column("pk", Integer, primary_key=True),
    Column("replay", String, ForeignKey("replays.id")),
    Column("agent", String),
    Column("recording", String),
    Column("verdict", String),
    Column("paired", String),
    Column("turns", Integer),
    Column("compared", Integer),
    Column("document", LargeBinary),
)
