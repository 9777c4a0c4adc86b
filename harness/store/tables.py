"""The tables as queries see them. Their shape in the database is that of the migrations."""

from __future__ import annotations

import json
from typing import Any

from pydantic_core import from_json, to_json
from sqlalchemy import (
    Boolean,
    Column,
    Dialect,
    Float,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
)

_escaped = json.JSONEncoder(separators=(",", ":")).encode


def written(value: Any) -> str:
    """The text of a JSON value in a column: ASCII, in which NUL, control characters and lone surrogates survive on
    every database.
    """
    try:
        return to_json(value, inf_nan_mode="constants").decode("ascii")
    except ValueError:  # other letters are few, and this takes several times as long
        return _escaped(value)


def _read(text: str) -> Any:
    try:
        return from_json(text)
    except ValueError:  # lone surrogates are read by the json module alone
        return json.loads(text)


class Json(TypeDecorator[Any]):
    """A JSON value as text."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str:
        """Write."""
        return written(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        """Read."""
        return None if value is None else _read(value)


METADATA = MetaData()

runs = Table(
    "runs",
    METADATA,
    Column("id", String, primary_key=True),
    Column("workflow", String),
    Column("created", String),
    Column("agents", Json),
    Column("plan", Json),
    Column("options", Json),
    Column("status", String),
    Column("harness_version", String),
    Column("deterministic", Boolean),
)

texts = Table("texts", METADATA, Column("digest", String, primary_key=True), Column("content", LargeBinary))

planned = Table(
    "planned",
    METADATA,
    Column("run", String, ForeignKey("runs.id"), primary_key=True),
    Column("agent", String, primary_key=True),
    Column("item", String, primary_key=True),
    Column("trial", Integer, primary_key=True),
    Column("condition", String, primary_key=True),
    Column("position", Integer),
    Column("family", String),
    Column("tier", String),
    Column("slices", Json),
    Column("scenario", String),
    Column("workflow", String),
    Column("knowledge", String),
    Column("sandbox_schema", String),
    Column("start_state", String),
    Column("prices", String),
    Column("given", String),
    Column("faulty", Json),
    Column("spared", Boolean),
)

episodes = Table(
    "episodes",
    METADATA,
    Column("pk", Integer, primary_key=True),
    Column("id", String),
    Column("run", String),
    Column("agent", String),
    Column("item", String),
    Column("trial", Integer),
    Column("condition", String),
    Column("attempt", Integer),
    Column("outcome", String),
    Column("ended_by", String),
    Column("started", Float),
    Column("ended", Float),
    Column("turn_seconds", Json),
    Column("document", LargeBinary),
)

scorings = Table(
    "scorings",
    METADATA,
    Column("pk", Integer, primary_key=True),
    Column("episode", Integer, ForeignKey("episodes.pk")),
    Column("edition", String),
    Column("config", String),
    Column("scored", String),
    Column("verdict", String),
    Column("reason", Json),
    Column("code", String),
    Column("document", LargeBinary),
    Column("scores", Json),
)

labels = Table(
    "labels",
    METADATA,
    Column("pk", Integer, primary_key=True),
    Column("episode", Integer, ForeignKey("episodes.pk")),
    Column("who", Json),
    Column("labelled", String),
    Column("label", String),
    Column("note", Json),
)

late_telemetry = Table(
    "late_telemetry",
    METADATA,
    Column("pk", Integer, primary_key=True),
    Column("conversation", String),
    Column("document", LargeBinary),
)
