"""Conversations that come in are put to what is stored of them: the order in which they come makes no difference."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal

from sqlalchemy import Connection, Row, delete, select, update

from harness.store.codec import decode, encode
from harness.store.conversation_records import Source, Telemetry
from harness.store.conversation_rows import (
    Values,
    conversation_row,
    digest_of,
    id_of,
    identity_of,
    name_of,
    services_of,
    sources_of,
    telemetry_of,
)
from harness.store.conversation_tables import conversation_traces, conversations
from harness.store.statements import insert, portions
from harness.store.waiting import drop, keep, waiting_on
from traces.conversation import Conversation

Fate = Literal["new", "updated", "unchanged", "homeless", "awaited"]
"""What becomes of a conversation. `homeless` are judgements on nothing that is stored, which are kept; `awaited` such
that were kept, and now have what they judge.
"""


@dataclass(frozen=True, slots=True)
class Arrival:
    """A conversation that came in, and from where."""

    conversation: Conversation
    sources: tuple[Source, ...]


def together(arrivals: Iterable[Arrival]) -> Iterator[list[Arrival]]:
    """Those next to each other that share traces, each another conversation: so they were read together."""
    group: list[Arrival] = []
    ids: set[str | None] = set()
    traces: set[str] = set()
    for arrival in arrivals:
        came = arrival.conversation
        if group and (traces.isdisjoint(came.trace_ids) or came.id in ids):
            yield group
            group, ids, traces = [], set(), set()
        group.append(arrival)
        ids.add(came.id)
        traces.update(came.trace_ids)
    if group:
        yield group


def save(connection: Connection, arrivals: Sequence[Arrival], now: str) -> Iterator[Fate]:
    """Store conversations that were read together; gives what became of each, and of judgements that had been waiting
    for them. `now`: in ISO 8601.
    """
    came = [arrival.conversation for arrival in arrivals]
    identities = {name_of(one): identity_of(one.id) for one in came}
    fates = list(_save(connection, arrivals, identities, now))
    yield from fates
    for arrival, fate in zip(arrivals, fates, strict=True):
        if fate == "homeless":
            keep(connection, arrival.conversation, arrival.sources)
    if "new" in fates or "updated" in fates:
        named = [identity for identity in identities.values() if identity is not None]
        for each in waiting_on(connection, named, [trace for one in came for trace in one.trace_ids]):
            late = Arrival(each.about, each.sources)
            if "homeless" not in _save(connection, [late], {each.about.id: each.identity}, now):
                drop(connection, each.pk)
                yield "awaited"


def _save(
    connection: Connection, arrivals: Sequence[Arrival], identities: dict[str | None, str | None], now: str
) -> Iterator[Fate]:
    came = [arrival.conversation for arrival in arrivals]
    known: dict[int, Row[Any]] = {}
    found = came
    # As it would be stored, credentials masked: else what comes twice would differ from itself.
    parts = [encode(telemetry_of(one)) for one in came]
    while more := _related(connection, found, identities, known):
        known |= {row.pk: row for row in more}
        identities |= {row.conversation: row.identity for row in more}
        found = _read([*parts, *(row.document for row in known.values())])
    if not known:
        for arrival in arrivals:
            yield _save_new(connection, arrival, now)
        return
    given = chain(chain.from_iterable(map(sources_of, known.values())), *(arrival.sources for arrival in arrivals))
    sources = tuple(dict.fromkeys(given))
    only = next(iter(known.values())).id if len(known) == len(found) == 1 else None
    rows = []
    for one in found:
        identity = identities.get(name_of(one))
        rows.append(conversation_row(only or id_of(one, identity), one, identity, sources, now))
    _replace(connection, known, list(zip(found, rows, strict=True)))
    digests = {row.digest for row in known.values()}
    changed = digests != {row["digest"] for row in rows}
    new = len(found) - len(known)
    for part in parts:
        if not changed or digest_of(part) in digests:
            yield "unchanged"
        else:
            yield "new" if new > 0 else "updated"
            new -= 1


def _read(documents: Iterable[bytes]) -> list[Conversation]:
    from traces.reading import conversations as read  # every dialect, which a store of episodes has no use for

    parts = [decode(Telemetry, document) for document in documents]
    return read((span for part in parts for span in part.spans), (log for part in parts for log in part.logs))


def _related(
    connection: Connection,
    found: Sequence[Conversation],
    identities: dict[str | None, str | None],
    known: Collection[int],
) -> Sequence[Row[Any]]:
    """What else is stored of these conversations, by their ids, and of others in their traces."""
    keys: set[int] = set()
    for one in found:
        if one.id is not None:
            columns = select(*(conversations.c[name] for name in ("pk", "services")))
            named = columns.where(conversations.c.identity == (identities.get(name_of(one)) or identity_of(one.id)))
            keys.update(row.pk for row in _of_application(connection.execute(named).all(), one))
    traces = list(dict.fromkeys(trace for one in found for trace in one.trace_ids))
    for some in portions(traces):
        sharing = select(conversation_traces.c.conversation).where(conversation_traces.c.trace.in_(some))
        keys.update(connection.execute(sharing).scalars())
    more = sorted(keys.difference(known))
    return [
        row
        for some in portions(more)
        for row in connection.execute(select(conversations).where(conversations.c.pk.in_(some)))
    ]


def _of_application(named: Sequence[Row[Any]], one: Conversation) -> Sequence[Row[Any]]:
    """Of the conversations of an id those that an application tells of which tells of this one too. What holds no spans
    may come from elsewhere, if there is but one that it can be about.
    """
    services = services_of(one)
    same = [row for row in named if not services.isdisjoint(row.services)]
    return named if not same and not one.spans and len(named) == 1 else same


def _save_new(connection: Connection, arrival: Arrival, now: str) -> Fate:
    came = arrival.conversation
    if not came.turns and not came.spans:
        return "homeless"
    _insert(connection, came, conversation_row(id_of(came), came, identity_of(came.id), arrival.sources, now))
    return "new"


def _replace(connection: Connection, known: dict[int, Row[Any]], read: Iterable[tuple[Conversation, Values]]) -> None:
    """Puts what was read anew in the place of what was known; of what is the same, only where it came from."""
    left = {(row.id, row.digest): pk for pk, row in known.items()}
    fresh = []
    for one, row in read:
        pk = left.pop((row["id"], row["digest"]), None)
        if pk is None:
            fresh.append((one, row))
        else:
            same = update(conversations).where(conversations.c.pk == pk)
            connection.execute(same.values(sources=row["sources"]))
    for some in portions(list(left.values())):
        connection.execute(delete(conversations).where(conversations.c.pk.in_(some)))
    for one, row in fresh:
        _insert(connection, one, row)


def _insert(connection: Connection, one: Conversation, row: Values) -> None:
    pk = connection.execute(conversations.insert().returning(conversations.c.pk), [row]).scalar_one()
    insert(connection, conversation_traces, ({"trace": trace, "conversation": pk} for trace in one.trace_ids))
