"""What a store has of conversations, and purging it: the map stays, the words go."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, get_args

from sqlalchemy import ColumnElement, Connection, Engine, Table, delete, func, select

from harness.store.codec import decode_text
from harness.store.conversation_tables import conversation_traces, conversations
from harness.store.husks import purge_episodes
from harness.store.kept_texts import drop_texts, only_dropping
from harness.store.portable_records import PURGED
from harness.store.reclaim import reclaim
from harness.store.recording_tables import recordings
from harness.store.replay_tables import replayed, replays
from harness.store.tables import episodes, labels, late_telemetry, planned, runs, scorings, texts
from harness.store.waiting import waiting_judgements

Kind = Literal["episode", "conversation", "judgements", "recording", "replay"]

_PAGE = 100


@dataclass(frozen=True, slots=True)
class Held:
    """One attempt at an episode, imported conversation, judgements that wait for theirs, recording, or replay of a
    recording: `pk` in its table, `name` for people, `run` that the episode is of, or the one that was recorded, when it
    `began` (seconds since the epoch; None if nobody knows), and all that is stored of it.
    """

    kind: Kind
    pk: int
    name: str
    run: str | None
    began: float | None
    content: Any


class Retention:
    """What is kept in a store. `transaction` opens one of its transactions, `engine` is what connects to it."""

    def __init__(self, transaction: Callable[..., AbstractContextManager[Connection]], engine: Engine) -> None:
        self._transaction = transaction
        self._engine = engine

    def held(self) -> Iterator[Held]:
        """Everything whose words are still there, a few at a time in memory."""
        yield from self._paged(episodes, self._episode, episodes.c.document != PURGED)
        yield from self._paged(conversations, _conversation)
        yield from self._paged(waiting_judgements, _judgements)
        yield from self._paged(recordings, _recording)
        yield from self._paged(replayed, _replay)

    def purge(self, chosen: Iterable[Held]) -> int:
        """Take all of it out, or nothing: of episodes the words, the others whole; and the texts that only those were
        scored against. Gives how many texts. The files are to be rewritten afterwards; see `reclaim`.
        """
        by_kind: dict[Kind, list[int]] = {kind: [] for kind in get_args(Kind)}
        touched = set()
        for each in chosen:
            by_kind[each.kind].append(each.pk)
            touched.add(each.run)
        with self._transaction(writes=True) as connection:
            if connection.dialect.name == "sqlite":
                connection.exec_driver_sql("pragma secure_delete = on")
            only_dropping(connection)
            purge_episodes(connection, by_kind["episode"])
            _delete(connection, conversation_traces, conversation_traces.c.conversation, by_kind["conversation"])
            _delete(connection, conversations, conversations.c.pk, by_kind["conversation"])
            _delete(connection, waiting_judgements, waiting_judgements.c.pk, by_kind["judgements"])
            _delete(connection, recordings, recordings.c.pk, by_kind["recording"])
            _delete(connection, replayed, replayed.c.pk, by_kind["replay"])
            return drop_texts(connection, [run for run in touched if run is not None])

    def reclaim(self, where: str) -> None:
        """Write the database anew without what was purged. `where` names it. Raises StoreProblem."""
        reclaim(self._engine, where)

    def kept(self) -> Iterator[tuple[str, Any]]:
        """What stays when words go, each with how it is named: texts that are scored against, runs, slices, labels."""
        with self._transaction() as connection:
            for row in connection.execute(select(texts)):
                yield f"the text {row.digest[:12]}… that is scored against", _value(decode_text(row.content))
            for run in connection.execute(select(runs)):
                yield f"what is told of run {run.id}", [run.agents, run.plan, run.options]
            slices = select(planned.c.run, planned.c.item, planned.c.slices, planned.c.faulty).distinct()
            for row in connection.execute(slices):
                yield f"scenario and slices of {row.run}/{row.item}", [row.item, row.slices, row.faulty]
            said = select(episodes.c.id, labels).join(episodes, episodes.c.pk == labels.c.episode)
            for row in connection.execute(said):
                yield f"who labelled {row.id}", [row.who, row.label, row.note]

    def purged(self) -> Counter[str]:
        """How many attempts of each run have no words any more."""
        counted = select(episodes.c.run, func.count().label("number")).where(episodes.c.document == PURGED)
        with self._transaction() as connection:
            rows = connection.execute(counted.group_by(episodes.c.run)).all()
        return Counter({row.run: row.number for row in rows})

    def _paged(
        self, table: Table, held: Callable[[Connection, Any], Held], *fits: ColumnElement[bool]
    ) -> Iterator[Held]:
        after = 0
        while True:
            query = select(table).where(table.c.pk > after, *fits).order_by(table.c.pk).limit(_PAGE)
            with self._transaction() as connection:
                page = [(row.pk, held(connection, row)) for row in connection.execute(query).all()]
            yield from (each for _, each in page)
            if len(page) < _PAGE:
                return
            after = page[-1][0]

    def _episode(self, connection: Connection, row: Any) -> Held:
        document = _value(decode_text(row.document))
        late = select(late_telemetry.c.document).where(late_telemetry.c.conversation == document["conversation_id"])
        scored = connection.execute(select(scorings).where(scorings.c.episode == row.pk)).all()
        said = connection.execute(select(labels).where(labels.c.episode == row.pk)).all()
        content = [
            document,
            *(_value(decode_text(each)) for each in connection.execute(late).scalars()),
            *([each.reason, each.scores, _value(decode_text(each.document))] for each in scored),
            *([each.who, each.label, each.note] for each in said),
        ]
        return Held("episode", row.pk, row.id, row.run, row.started, content)


def _conversation(connection: Connection, row: Any) -> Held:
    told = [row.conversation, row.tools, row.agents, row.sources]
    return Held("conversation", row.pk, row.id, None, row.started, [_value(decode_text(row.document)), *told])


def _judgements(connection: Connection, row: Any) -> Held:
    told = [row.conversation, row.sources]
    name = row.conversation or row.trace or "judgements"
    return Held("judgements", row.pk, name, None, row.began or None, [_value(decode_text(row.document)), *told])


def _recording(connection: Connection, row: Any) -> Held:
    told = [row.place, row.source, row.agent, row.tools, row.feedback, row.labels]
    run = row.place if row.kind == "episode" else None
    return Held("recording", row.pk, row.id, run, row.begun, [_value(decode_text(row.document)), *told])


def _replay(connection: Connection, row: Any) -> Held:
    """It began when what was recorded did; if that is not known, when it was replayed."""
    created = connection.execute(select(replays.c.created).where(replays.c.id == row.replay)).scalar_one()
    recorded = connection.execute(select(recordings).where(recordings.c.id == row.recording)).first()
    run = recorded.place if recorded is not None and recorded.kind == "episode" else None
    begun = None if recorded is None else recorded.begun
    began = datetime.fromisoformat(created).timestamp() if begun is None else begun
    return Held("replay", row.pk, f"{row.replay}/{row.recording}", run, began, _value(decode_text(row.document)))


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _delete(connection: Connection, table: Table, column: ColumnElement[int], pks: Sequence[int]) -> None:
    for first in range(0, len(pks), _PAGE):
        connection.execute(delete(table).where(column.in_(pks[first : first + _PAGE])))
