"""The table of recordings: the migration that makes it, and the table as queries see it."""

from __future__ import annotations

from sqlalchemy import Column, Float, Integer, LargeBinary, String, Table

from harness.store.tables import METADATA, Json

RECORDINGS = """
create table recordings (
    pk {serial} primary key,
    id varchar not null unique,
    workflow varchar,
    kind varchar not null,
    place text not null,
    source text not null,
    agent text not null,
    begun {float},
    turns integer not null,
    calls integer not null,
    tools text not null,
    outcome varchar,
    feedback text not null,
    labels text not null,
    flaws integer not null,
    imported varchar not null,
    digest varchar not null,
    document {bytes} not null
);
create index recordings_workflow on recordings (workflow)
"""

recordings = Table(
    "recordings",
    METADATA,
    Column("pk", Integer, primary_key=True),
    Column("id", String),
    Column("workflow", String),
    Column("kind", String),
    Column("place", Json),
    Column("source", Json),
    Column("agent", Json),
    Column("begun", Float),
    Column("turns", Integer),
    Column("calls", Integer),
    Column("tools", Json),
    Column("outcome", String),
    Column("feedback", Json),
    Column("labels", Json),
    Column("flaws", Integer),
    Column("imported", String),
    Column("digest", String),
    Column("document", LargeBinary),
)
