"""The tables of imported conversations as queries see them."""

from __future__ import annotations

from sqlalchemy import Column, Float, ForeignKey, Integer, LargeBinary, String, Table

from harness.store.tables import METADATA, Json

conversations = Table(
    "conversations",
    METADATA,
    Column("pk", Integer, primary_key=True),
    Column("id", String),
    Column("conversation", Json),
    Column("identity", String),
    Column("services", Json),
    Column("joined", String),
    Column("started", Float),
    Column("ended", Float),
    Column("status", String),
    Column("turns", Integer),
    Column("model_calls", Integer),
    Column("tool_calls", Integer),
    Column("errors", Integer),
    Column("tools", Json),
    Column("dialects", Json),
    Column("agents", Json),
    Column("sources", Json),
    Column("imported", String),
    Column("digest", String),
    Column("document", LargeBinary),
)

conversation_traces = Table(
    "conversation_traces",
    METADATA,
    Column("trace", String, primary_key=True),
    Column("conversation", Integer, ForeignKey("conversations.pk"), primary_key=True),
)
