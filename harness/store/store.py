"""The store: everything that a run leaves behind, in one file or one database."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any, Self

from sqlalchemy import Column, Connection, Engine, Row, delete, func, select, update

from harness.model.episode import AgentVersion, Digests, Episode, EpisodeKey
from harness.model.material import Document, Material
from harness.model.result import Result
from harness.model.scenario import Scenario
from harness.model.score import Scored
from harness.model.workflow import Workflow
from harness.store import queries
from harness.store.ambiguous import MOST, ambiguous
from harness.store.baselines import Baselines
from harness.store.codec import decode, decode_text
from harness.store.conversations import Conversations
from harness.store.engine import connect, shown
from harness.store.exports import Exports
from harness.store.kept_texts import keep_texts, unknown_texts
from harness.store.late import LateTelemetry
from harness.store.mask import mask_text
from harness.store.materials import Materials
from harness.store.migrations import MIGRATIONS, migrate, version_of
from harness.store.played import PlayedEpisodes
from harness.store.portable import PortableRuns
from harness.store.portable_records import PURGED
from harness.store.problem import StoreProblem, told
from harness.store.recordings import Recordings
from harness.store.records import Label, Planned, RunRecord, RunStatus
from harness.store.replays import Replays
from harness.store.retention import Retention
from harness.store.rows import (
    agent_values,
    digests_of,
    episode_row,
    given_text,
    key_of,
    planned_row,
    result_of,
    run_of,
    run_row,
    scored_of,
    scoring_row,
)
from harness.store.statements import add_scorings, insert, insert_new
from harness.store.tables import episodes, labels, planned, runs, scorings, texts

_PAGE = 200
"""Episodes that are read at a time."""

_LATEST_FIRST = (runs.c.created.desc(), runs.c.id.desc())


class Store:
    """Runs, plans, episodes, scores, labels, and the texts behind digests. Every method raises StoreProblem for what
    the database refuses; what was stored before is whole.

    Any number of processes may use one store at once. An episode is written with its scores in one transaction, so that
    it is there whole or not at all.
    """

    def __init__(self, engine: Engine, where: str, place: str | Path) -> None:
        self.place = place
        """What `open` opens it again by; it may hold a password."""
        self._engine = engine
        self._writing = engine.execution_options(writes=True)
        self._where = where
        self._materials = Materials(self.text)
        self.conversations = Conversations(self._transaction)
        """Those that were imported."""
        self.recordings = Recordings(self._transaction)
        self.replays = Replays(self._transaction)
        """Conversations that can be replayed."""
        self.played = PlayedEpisodes(self._transaction)
        """The episodes of all runs."""
        self.portable = PortableRuns(self._transaction)
        """Runs as they go from store to store."""
        self.baselines = Baselines(self._transaction)
        """Runs that others are compared with, by name."""
        self.exports = Exports(self._transaction)
        """Files that runs have gone to."""
        self.retention = Retention(self._transaction, self._engine)
        """What is kept, and for how long."""
        self.late = LateTelemetry(self._transaction)
        """What came of them when they were over."""

    @classmethod
    def open(cls, place: str | Path) -> Store:
        """Open a file or a database address, and make or update its tables if need be."""
        store = cls(connect(place), shown(place), place)
        with store._transaction() as connection:
            version = version_of(connection)
        if version != len(MIGRATIONS):
            with store._transaction(writes=True) as connection:
                migrate(connection, store._where)
        return store

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Runs and plans

    def create_run(self, run: RunRecord) -> None:
        """Write down that a run begins."""
        with self._transaction(writes=True) as connection:
            insert(connection, runs, [run_row(run)])

    def finish(
        self, run: str, status: RunStatus, *, deterministic: bool = False, agents: Iterable[AgentVersion] = ()
    ) -> None:
        """Write down how a run ended, whether two trials of every scenario went the same way, and which `agents` it was
        of where only that has shown it.
        """
        values: dict[str, Any] = {"status": status, "deterministic": deterministic}
        if told := agent_values(agents):
            values["agents"] = told
        with self._transaction(writes=True) as connection:
            connection.execute(update(runs).where(runs.c.id == run).values(values))

    def take_over(self, run: RunRecord, options: Mapping[str, Any]) -> bool:
        """Go on with a run under other options, unless somebody else has done so since it was read."""
        with self._transaction(writes=True) as connection:
            found = connection.execute(select(runs.c.options).where(runs.c.id == run.id).with_for_update()).scalar()
            if found != run.options:
                return False
            values = {"options": dict(options), "status": "running", "deterministic": False}
            connection.execute(update(runs).where(runs.c.id == run.id).values(values))
        return True

    def runs(self) -> list[RunRecord]:
        """All runs, the latest first."""
        with self._transaction() as connection:
            return [run_of(row) for row in connection.execute(select(runs).order_by(*_LATEST_FIRST))]

    def latest(self) -> RunRecord | None:
        """The latest run; None if there is none."""
        with self._transaction() as connection:
            row = connection.execute(select(runs).order_by(*_LATEST_FIRST).limit(1)).first()
        return None if row is None else run_of(row)

    def run(self, name: str) -> RunRecord:
        """The run of that id, or the only one whose id begins so."""
        with self._transaction() as connection:
            found = connection.execute(
                select(runs).where(queries.starts_with(runs.c.id, name)).order_by(*_LATEST_FIRST)
            ).all()
        return run_of(self._only(name, found, "run"))

    def plan(self, planned_episodes: Iterable[Planned], sources: Mapping[str, str] = MappingProxyType({})) -> None:
        """Write down what is to be played, after what was planned for the run before, and with it the texts that it
        will be scored against: `sources` by digest. So no purge can drop one in between.
        """
        rows = list(planned_episodes)
        with self._transaction(writes=True) as connection:
            _insert_plan(connection, rows, sources)

    def begin_run(self, run: RunRecord, planned_episodes: Iterable[Planned], sources: Mapping[str, str]) -> bool:
        """Write down that a run begins, with its plan as `plan` does; False if another process that shares it has done
        so before.
        """
        rows = list(planned_episodes)
        with self._transaction(writes=True) as connection:
            begun = bool(insert_new(connection, runs, [run_row(run)], "id"))
            if begun:
                _insert_plan(connection, rows, sources)
        return begun

    def digests(self, run: str) -> dict[str, Digests]:
        """What the planned episodes of a run depend on, by item."""
        with self._transaction() as connection:
            found = connection.execute(select(planned).where(planned.c.run == run, planned.c.trial == 1))
            return {row.item: digests_of(row) for row in found}

    def spare(self, keys: Iterable[EpisodeKey]) -> None:
        """Mark planned episodes as not to be played after all."""
        with self._transaction(writes=True) as connection:
            for key in keys:
                connection.execute(update(planned).where(queries.planned_by_key(key)).values(spared=True))

    # Episodes and scores

    def save(self, episode: Episode, scored: Scored, config: str = "") -> bool:
        """Store an episode with its scores; see `save_many`. False if it was there already."""
        return self.save_many([(episode, scored)], config) == 1

    def save_many(
        self,
        scored_episodes: Sequence[tuple[Episode, Scored]],
        config: str = "",
        records: Mapping[EpisodeKey, bytes] = MappingProxyType({}),
    ) -> int:
        """Store episodes with their scores, all of them or none. Gives how many are new. `records`: those that are at
        hand as `codec.written` has written them.

        An episode must be planned, and is written once: an attempt at a key that is there already is left as it is,
        scores too. A later attempt at the same key is stored beside it and counts instead of it. `config` names the
        configuration of the scorers, if they have any.
        """
        now = datetime.now(UTC)
        rows = [episode_row(episode, records.get(episode.key)) for episode, _ in scored_episodes]
        scorings_of = [scoring_row(scored, config, now) for _, scored in scored_episodes]
        if not rows:
            return 0
        with self._transaction(writes=True) as connection:
            new = insert_new(connection, episodes, rows, "pk", "id", "attempt")
            pks = {(row.id, row.attempt): row.pk for row in new}
            add_scorings(
                connection,
                {
                    pks.pop((row["id"], row["attempt"])): scoring
                    for row, scoring in zip(rows, scorings_of, strict=True)
                    if (row["id"], row["attempt"]) in pks
                },
            )
        return len(new)

    def replace_scores(self, key: EpisodeKey, scored: Scored, config: str = "") -> None:
        """Store a new scoring of the latest attempt at an episode; from now on it is the current one.

        Scorings by other versions of the metrics stay as they are; one by the same versions and configuration is
        replaced. The episode itself is never touched.
        """
        scoring = scoring_row(scored, config, datetime.now(UTC))
        with self._transaction(writes=True) as connection:
            pk = self._pk(connection, key)
            connection.execute(
                delete(scorings).where(scorings.c.episode == pk, scorings.c.edition == scoring["edition"])
            )
            add_scorings(connection, {pk: scoring})

    def episodes(self, run: str) -> Iterator[Episode]:
        """The latest attempts at the episodes of a run in the order of its plan, a few at a time in memory; without
        those whose words were purged.
        """
        for row in self._planned(run, episodes.c.document):
            if row.episode is not None and row.document != PURGED:
                yield decode(Episode, row.document)

    def episode(self, name: str) -> Episode:
        """The latest attempt at the episode of that id, or at the only one whose id begins so."""
        query = select(episodes.c.id, episodes.c.document).where(
            queries.starts_with(episodes.c.id, name), queries.LATEST_ATTEMPT
        )
        with self._transaction() as connection:
            found = connection.execute(query.order_by(episodes.c.id).limit(MOST)).all()
        row = self._only(name, found, "episode")
        if row.document == PURGED:
            raise StoreProblem(f"the words of {row.id} were purged; its scores are kept: turngate gate")
        return decode(Episode, row.document)

    def find(self, key: EpisodeKey) -> Episode | None:
        """The latest attempt at an episode; None if it was not played, or its words were purged."""
        with self._transaction() as connection:
            query = select(episodes.c.document).where(queries.by_key(key), queries.LATEST_ATTEMPT)
            document = connection.execute(query).scalar()
        return decode(Episode, document) if document else None

    def attempts(self, key: EpisodeKey) -> int:
        """How many attempts at an episode there are, be their words purged."""
        with self._transaction() as connection:
            query = select(func.coalesce(func.max(episodes.c.attempt), 0)).where(queries.by_key(key))
            return int(connection.execute(query).scalar_one())

    def scored(self, run: str) -> Iterator[tuple[EpisodeKey, Scored]]:
        """The current scoring of every episode of a run that was played, in the order of its plan."""
        for row in self._planned(run, scorings.c.scores, scorings.c.document):
            if row.verdict is not None:
                yield key_of(row), scored_of(row)

    def scored_episode(self, key: EpisodeKey) -> Scored | None:
        """The current scoring of the latest attempt at an episode; None if there is none."""
        query = (
            select(scorings)
            .join(episodes, episodes.c.pk == scorings.c.episode)
            .where(queries.by_key(key), queries.LATEST_ATTEMPT, queries.CURRENT_SCORING)
        )
        with self._transaction() as connection:
            row = connection.execute(query).first()
        return None if row is None else scored_of(row)

    def results(self, run: str) -> Iterator[Result]:
        """What a gate sees of a run: one result for each planned episode, in the order of the plan."""
        return map(result_of, self._planned(run, scorings.c.scores))

    # What is scored against, and what people say

    def put_texts(self, by_digest: Mapping[str, str]) -> None:
        """Keep texts by their digests, each once, credentials masked; a digest is that of the text as it was."""
        with self._transaction() as connection:
            unknown = unknown_texts(connection, by_digest)
        if unknown:
            with self._transaction(writes=True) as connection:
                keep_texts(connection, unknown)

    def text(self, digest: str) -> str:
        """The text behind a digest."""
        with self._transaction() as connection:
            content = connection.execute(select(texts.c.content).where(texts.c.digest == digest)).scalar()
        if content is None:
            raise StoreProblem(f"{self._where}: the text with digest {digest[:12]}… is not there: it was purged")
        return decode_text(content)

    def material(self, run: str, item: str) -> Material:
        """What the episodes of a scenario are scored against, from the stored texts alone."""
        query = select(planned).where(planned.c.run == run, planned.c.item == item).limit(1)
        with self._transaction() as connection:
            row = connection.execute(query).first()
        if row is None:
            raise StoreProblem(f"{self._where}: {item} is not planned in run {run}")
        return self._materials.build(digests_of(row), row.given, row.faulty)

    def scenarios(self, run: str, items: Iterable[str]) -> dict[str, Scenario]:
        """Those that the episodes of a run were played from, by item; without those whose text was purged."""
        planned_with = self.digests(run)
        by_item = {item: planned_with[item].scenario for item in items}
        with self._transaction() as connection:
            gone = unknown_texts(connection, dict.fromkeys(by_item.values(), ""))
        return {item: self._materials.scenario(digest) for item, digest in by_item.items() if digest not in gone}

    def knowledge(self, run: str) -> tuple[Document, ...]:
        """The policy that the episodes of a run were scored against."""
        return self._materials.knowledge(next(iter(self.digests(run).values())).knowledge)

    def workflow(self, run: str) -> Workflow:
        """The workflow that a run was made with. Raises StoreProblem where nothing is planned."""
        with self._transaction() as connection:
            digest = connection.execute(select(planned.c.workflow).where(planned.c.run == run).limit(1)).scalar()
        if digest is None:
            raise StoreProblem(f"{self._where}: nothing is planned in run {run}")
        return self._materials.workflow(digest)

    def label(self, key: EpisodeKey, label: Label) -> None:
        """Keep what a person says of the latest attempt at an episode, beside what was said before."""
        with self._transaction(writes=True) as connection:
            pk = self._pk(connection, key)
            row = {"episode": pk, "who": label.who, "labelled": label.at.astimezone(UTC).isoformat()}
            insert(connection, labels, [{**row, "label": label.label, "note": mask_text(label.note)}])

    def labels(self, key: EpisodeKey) -> list[Label]:
        """All that people said of any attempt at an episode, the oldest first."""
        query = select(labels).join(episodes, episodes.c.pk == labels.c.episode).where(queries.by_key(key))
        with self._transaction() as connection:
            found = connection.execute(query.order_by(labels.c.pk)).all()
        return [Label(row.who, datetime.fromisoformat(row.labelled), row.label, row.note) for row in found]

    @contextmanager
    def _transaction(self, *, writes: bool = False) -> Iterator[Connection]:
        engine = self._writing if writes else self._engine
        with told(self._where), engine.begin() as connection:
            yield connection

    def _planned(self, run: str, *more: Column[Any]) -> Iterator[Row[Any]]:
        """The plan of a run, read a page at a time; see `queries.page`."""
        after = 0
        while True:
            with self._transaction() as connection:
                rows = connection.execute(queries.page(run, after, _PAGE, more)).all()
            if not rows:
                return
            yield from rows
            after = rows[-1].position

    def _pk(self, connection: Connection, key: EpisodeKey) -> int:
        pk = connection.execute(select(episodes.c.pk).where(queries.by_key(key), queries.LATEST_ATTEMPT)).scalar()
        if pk is None:
            raise StoreProblem(f"{self._where}: there is no episode {key.id}")
        return int(pk)

    def _only(self, name: str, found: Sequence[Any], what: str) -> Any:
        exact = [row for row in found if row.id == name]
        if len(exact or found) == 1:
            return (exact or found)[0]
        if not found:
            raise StoreProblem(f"{self._where}: there is no {what} {name}")
        raise StoreProblem(f"{self._where}: {ambiguous(name, [row.id for row in found])}")


def _insert_plan(connection: Connection, rows: Sequence[Planned], sources: Mapping[str, str]) -> None:
    """Insert what is planned, behind what was planned for the run before, and the texts that it needs."""
    given: dict[int, tuple[str | None, str]] = {}  # by identity: the trials of a scenario share its own rows
    for row in rows:
        if id(row.given) not in given:
            given[id(row.given)] = given_text(row.given)
    own = {digest: text for digest, text in given.values() if digest is not None}
    keep_texts(connection, {**sources, **own})
    ahead = select(func.coalesce(func.max(planned.c.position), 0)).where(
        planned.c.run.in_({row.key.run for row in rows})
    )
    first = connection.execute(ahead).scalar_one() + 1
    values = (planned_row(row, position, given[id(row.given)][0]) for position, row in enumerate(rows, first))
    insert(connection, planned, values)
