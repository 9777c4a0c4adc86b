"""The texts behind digests: each is kept once, and none is dropped while something that needs it is being planned."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, and_, delete, exists, or_, select

from harness.store.codec import decode_text, encode_text
from harness.store.portable_records import PURGED
from harness.store.queries import KEY
from harness.store.recording_tables import recordings
from harness.store.statements import insert_new
from harness.store.tables import episodes, planned, runs, texts

_AT_ONCE = 100
_DIGESTS = ("scenario", "knowledge", "sandbox_schema", "start_state", "prices", "given")
"""The texts that scoring needs. Those that a gate is decided by stay: workflows, and where one asks which clauses are
covered, its scenarios and policy.
"""


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


def drop_texts(connection: Connection, touched: Sequence[str]) -> int:
    """Drop the texts of these runs that nothing needs: no episode that still has its words, or is still to be played,
    and no run that is still going on.
    """
    of_it = and_(*(episodes.c[name] == planned.c[name] for name in KEY))
    going_on = exists().where(runs.c.id == planned.c.run, runs.c.status == "running")
    to_come = and_(~planned.c.spared, ~exists().where(of_it))
    needed_by = or_(exists().where(of_it, episodes.c.document != PURGED), to_come, going_on)
    columns = [planned.c[name] for name in _DIGESTS]
    candidates: set[str] = set()
    for run in touched:
        candidates |= _flat(connection.execute(select(*columns).where(planned.c.run == run).distinct()))
    needed = _flat(connection.execute(select(*columns).where(needed_by).distinct()))
    workflows = _flat(connection.execute(select(planned.c.workflow).distinct()))
    needed |= workflows | _covered(connection, workflows)
    gone = sorted(candidates - needed - _recorded(connection)) if candidates - needed else []
    pages = (gone[first : first + _AT_ONCE] for first in range(0, len(gone), _AT_ONCE))
    return sum(connection.execute(delete(texts).where(texts.c.digest.in_(page))).rowcount for page in pages)


def _lock(connection: Connection, mode: str) -> None:
    """SQLite has one writer at a time anyhow."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"lock table texts in {mode} mode")


def _covered(connection: Connection, workflows: Iterable[str]) -> set[str]:
    """The policies and scenarios of those workflows whose gate asks which clauses they cover: it is decided by them."""
    found: set[str] = set()
    for digest in workflows:
        content = connection.execute(select(texts.c.content).where(texts.c.digest == digest)).scalar()
        workflow = {} if content is None else json.loads(decode_text(content))
        if any(rule.get("coverage") == "clauses" for rule in workflow.get("gate", ())):
            query = select(planned.c.scenario, planned.c.knowledge).where(planned.c.workflow == digest).distinct()
            found |= _flat(connection.execute(query))
    return found


def _recorded(connection: Connection) -> set[str]:
    """The digests that recordings name: of what their state and their sandbox were."""
    documents = connection.execute(select(recordings.c.document)).scalars()
    found = (json.loads(decode_text(document)) for document in documents)
    return {digest for recording in found for digest in (recording.get("digests") or {}).values()}


def _flat(rows: Iterable[Any]) -> set[str]:
    return {digest for row in rows for digest in row if digest is not None}
