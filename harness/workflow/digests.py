"""Digests of what an episode depends on, and the texts behind them, so that the store alone can score again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import orjson
from pydantic import TypeAdapter

from harness.model.material import Document, Price, Tables
from harness.model.source import Item, without_places
from tools_sandbox.schema import SandboxSchema
from tools_sandbox.values import to_json


def digest_of(text: str) -> str:
    """SHA-256 (hex) of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def entry(text: str) -> tuple[str, str]:
    """The digest of a text, and the text."""
    return digest_of(text), text


def item_entry(item: Item) -> tuple[str, str]:
    """The digest of what was written, wherever it stands in its file; and its text, with its places."""
    written = item.dump()
    return digest_of_item(written), _json(written)


def digest_of_item(written: Any) -> str:
    """The digest of what was written, from its dumped form."""
    return digest_of(_json(without_places(written)))


def knowledge_text(documents: Sequence[Document]) -> str:
    """Documents with their clauses."""
    return _json([asdict(document) for document in documents])


def prices_text(prices: Sequence[Price]) -> str:
    """A price table; amounts are text."""
    return _json(to_json(prices))


def schema_text(schema: SandboxSchema) -> str:
    """A sandbox's tables, types, tools and marks."""
    return _json(TypeAdapter(SandboxSchema).dump_python(schema, mode="json"))


def state_text(tables: Tables) -> str:
    """A state: table, key, row."""
    return _json({table: {key: dict(row) for key, row in rows.items()} for table, rows in tables.items()})


def _json(value: Any) -> str:
    """Compact JSON that keeps the order of keys: of two entries of `given`, the later one counts."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:  # lone surrogates and numbers beyond 64 bits: the same text, in five times the time
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
