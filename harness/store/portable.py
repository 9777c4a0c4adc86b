"""A run as records that travel: read from one store, put into another, whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from itertools import islice, zip_longest
from typing import Any, Literal

from sqlalchemy import Connection, Row, and_, delete, select

from harness.model.episode import EpisodeKey
from harness.store.codec import decode_text
from harness.store.kept_texts import keep_texts
from harness.store.late import add_late, late_of
from harness.store.portable_records import Attempt, Record, RunLabel, Scoring, Text
from harness.store.problem import StoreProblem
from harness.store.queries import KEY
from harness.store.records import Planned, RunRecord
from harness.store.rows import digests_of, given_of, given_text, key_of, key_values, planned_row, run_of, run_row
from harness.store.statements import insert, insert_new
from harness.store.tables import episodes, labels, planned, runs, scorings, texts

Fate = Literal["new", "unchanged", "added to"]

_PAGE = 100
_DIGESTS = ("scenario", "workflow", "knowledge", "sandbox_schema", "start_state", "prices")


@dataclass(frozen=True, slots=True)
class Arrived:
    """A run that was put into a store. `added to`: it was there, and scorings or labels of it are new; `episodes`: all
    that it has.
    """

    run: str
    fate: Fate
    episodes: int


class PortableRuns:
    """The runs of a store, as they go out and come in. `transaction` opens one of its transactions."""

    def __init__(self, transaction: Callable[..., AbstractContextManager[Connection]]) -> None:
        self._transaction = transaction

    def records(self, run: str) -> Iterator[Record]:
        """All that the store has of a run, in an order that depends on nothing else: the run, the texts behind its
        digests, its plan, every attempt at an episode with its scorings and labels. A few at a time in memory.
        """
        with self._transaction() as connection:
            yield from _records(connection, run)

    def put(self, records: Iterable[Record]) -> Arrived:
        """Store a run under its own id, all of it or nothing. Of one that is there already only scorings and labels
        that are not there are added.

        Raises StoreProblem where another run of that id is there, and for records that are no run.
        """
        every = iter(records)
        run = next(every, None)
        if not isinstance(run, RunRecord):
            raise StoreProblem("the records of a run begin with the run")
        with self._transaction(writes=True) as connection:
            if connection.execute(select(runs.c.id).where(runs.c.id == run.id)).scalar() is not None:
                return _add(connection, run, every)
            return Arrived(run.id, "new", _insert(connection, run, every))


def _records(connection: Connection, run: str) -> Iterator[Record]:
    found = connection.execute(select(runs).where(runs.c.id == run)).one()
    yield _travelling(run_of(found))
    columns = [planned.c[name] for name in _DIGESTS]
    rows = connection.execute(select(*columns).where(planned.c.run == run).distinct())
    for digest in sorted({digest for row in rows for digest in row}):
        if (content := _text(connection, digest)) is not None:
            yield Text(digest, content)
    given: dict[str, Any] = {}
    for row in _paged(connection, run):
        if row.given is not None and row.given not in given:  # the trials of a scenario share it
            given[row.given] = given_of(_text(connection, row.given))
        yield Planned(
            key_of(row),
            row.family,
            row.tier,
            row.slices,
            digests_of(row),
            given.get(row.given, {}),
            row.faulty,
            row.spared,
        )
    for batch in _batches(_paged(connection, run)):
        yield from _attempts(connection, batch)


def _travelling(run: RunRecord) -> RunRecord:
    """A run without the process that plays it, which no other machine knows."""
    return replace(run, options={name: value for name, value in run.options.items() if name != "process"})


def _paged(connection: Connection, run: str) -> Iterator[Row[Any]]:
    """The plan of a run in its order."""
    after = 0
    query = select(planned).where(planned.c.run == run).order_by(planned.c.position).limit(_PAGE)
    while rows := connection.execute(query.where(planned.c.position > after)).all():
        yield from rows
        after = rows[-1].position


def _batches(rows: Iterator[Any]) -> Iterator[list[Any]]:
    while some := list(islice(rows, _PAGE)):
        yield some


def _attempts(connection: Connection, plan: Sequence[Row[Any]]) -> Iterator[Attempt]:
    """Every attempt at some planned episodes, in the order of the plan."""
    joined = planned.join(episodes, and_(*(episodes.c[name] == planned.c[name] for name in KEY)))
    within = planned.c.position.between(plan[0].position, plan[-1].position)
    query = select(episodes).select_from(joined).where(planned.c.run == plan[0].run, within)
    rows = connection.execute(query.order_by(planned.c.position, episodes.c.attempt)).all()
    pks = [row.pk for row in rows]
    scored: dict[int, list[Scoring]] = {pk: [] for pk in pks}
    for row in connection.execute(select(scorings).where(scorings.c.episode.in_(pks)).order_by(scorings.c.pk)):
        scored[row.episode].append(Scoring.of(row))
    said: dict[int, list[RunLabel]] = {pk: [] for pk in pks}
    for row in connection.execute(select(labels).where(labels.c.episode.in_(pks)).order_by(labels.c.pk)):
        said[row.episode].append(RunLabel.of(row))
    for row in rows:
        attempt = Attempt.of(row)
        of_it = late_of(connection, attempt.episode.conversation_id) if attempt.episode is not None else []
        yield replace(attempt, scorings=tuple(scored[row.pk]), labels=tuple(said[row.pk]), late=tuple(of_it))


def _text(connection: Connection, digest: str) -> str | None:
    content = connection.execute(select(texts.c.content).where(texts.c.digest == digest)).scalar()
    return None if content is None else decode_text(content)


def _insert(connection: Connection, run: RunRecord, records: Iterator[Record]) -> int:
    """A run that is not there yet; gives how many of its episodes were played."""
    insert(connection, runs, [run_row(run)])
    position = 0
    played: set[EpisodeKey] = set()
    for some in _batches(records):
        keep_texts(connection, {each.digest: each.content for each in some if isinstance(each, Text)})
        plan = [each for each in some if isinstance(each, Planned)]
        attempts = [each for each in some if isinstance(each, Attempt)]
        if len(plan) + len(attempts) + sum(isinstance(each, Text) for each in some) < len(some):
            raise StoreProblem("there is a second run among the records of one")
        keys = [*(each.key for each in plan), *(each.key for each in attempts)]
        if stranger := next((key for key in keys if key.run != run.id), None):
            raise StoreProblem(f"{stranger.id} is none of run {run.id}")
        given = [given_text(each.given) for each in plan]
        keep_texts(connection, {digest: text for digest, text in given if digest is not None})
        rows = (
            planned_row(each, position + number, digest)
            for number, (each, (digest, _)) in enumerate(zip(plan, given, strict=True), 1)
        )
        insert(connection, planned, rows)
        position += len(plan)
        _insert_attempts(connection, attempts)
        played.update(each.key for each in attempts)
    return len(played)


def _insert_attempts(connection: Connection, attempts: Sequence[Attempt]) -> None:
    new = insert_new(connection, episodes, (attempt.row() for attempt in attempts), "pk", "id", "attempt")
    pks = {(row.id, row.attempt): row.pk for row in new}
    if len(pks) < len(attempts):
        raise StoreProblem("an episode is there twice among the records of a run")
    for attempt in attempts:
        pk = pks[attempt.key.id, attempt.attempt]
        insert(connection, scorings, ({**scoring.row(), "episode": pk} for scoring in attempt.scorings))
        insert(connection, labels, ({**label.row(), "episode": pk} for label in attempt.labels))
        _put_late(connection, attempt)


def _put_late(connection: Connection, attempt: Attempt) -> bool:
    """What came late of an episode and is not there yet; gives whether anything was not."""
    new = [late for late in attempt.late if late not in late_of(connection, late.conversation)]
    add_late(connection, new)
    return bool(new)


def _add(connection: Connection, run: RunRecord, records: Iterator[Record]) -> Arrived:
    """What a run that is there lacks of scorings and labels."""
    ours = _without_texts(_records(connection, run.id))
    if next(ours) != run:
        raise _other(run.id, "it began otherwise, or one of the two has come further")
    played: set[EpisodeKey] = set()
    added = False
    for mine, theirs in zip_longest(ours, _without_texts(records)):
        if not isinstance(mine, Attempt) or not isinstance(theirs, Attempt):
            if mine != theirs:
                raise _other(run.id, f"its plan or its episodes differ, at {_named(theirs or mine)}")
            continue
        if not mine.same(theirs):
            raise _other(run.id, f"{_named(theirs)} is another one, or its words were purged from one of the two")
        played.add(mine.key)
        added = _complete(connection, mine, theirs) or added
    return Arrived(run.id, "added to" if added else "unchanged", len(played))


def _complete(connection: Connection, mine: Attempt, theirs: Attempt) -> bool:
    """Add the scorings, labels and late telemetry that an episode lacks; of scorings the latest is then current."""
    known = {scoring.edition for scoring in mine.scorings}
    scored = [scoring for scoring in theirs.scorings if scoring.edition not in known]
    said = [label for label in theirs.labels if label not in mine.labels]
    late = _put_late(connection, theirs)
    if not scored and not said:
        return late
    same = [episodes.c[name] == value for name, value in key_values(mine.key).items()]
    pk = connection.execute(select(episodes.c.pk).where(*same, episodes.c.attempt == mine.attempt)).scalar_one()
    if scored:
        connection.execute(delete(scorings).where(scorings.c.episode == pk))
        in_time = sorted((*mine.scorings, *scored), key=lambda scoring: scoring.scored)
        insert(connection, scorings, ({**scoring.row(), "episode": pk} for scoring in in_time))
    insert(connection, labels, ({**label.row(), "episode": pk} for label in said))
    return True


def _without_texts(records: Iterable[Record]) -> Iterator[Record]:
    return (record for record in records if not isinstance(record, Text))


def _named(record: Record | None) -> str:
    return record.key.id if isinstance(record, Planned | Attempt) else "there is more of it"


def _other(run: str, what: str) -> StoreProblem:
    return StoreProblem(
        f"run {run} is in the store already, and not the same: {what}. Nothing was imported; take another store "
        "(--store) for it"
    )
