"""Baselines: runs that have a name within their workflow, which gate rules compare with."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Column, ColumnElement, Connection, ForeignKey, String, Table, and_, delete, select

from harness.store.queries import CURRENT_SCORING, LATEST_ATTEMPT
from harness.store.statements import insert
from harness.store.tables import METADATA, episodes, scorings

BASELINES = """
create table baselines (
    workflow varchar not null,
    name varchar not null,
    run varchar not null references runs (id),
    since varchar not null,
    primary key (workflow, name)
)
"""

baselines = Table(
    "baselines",
    METADATA,
    Column("workflow", String, primary_key=True),
    Column("name", String, primary_key=True),
    Column("run", String, ForeignKey("runs.id")),
    Column("since", String),
)


@dataclass(frozen=True, slots=True)
class NamedRun:
    """A run that is the baseline of that name of a workflow, since then (ISO 8601)."""

    workflow: str
    name: str
    run: str
    since: str


class Baselines:
    """The baselines of a store. `transaction` opens one of its transactions."""

    def __init__(self, transaction: Callable[..., AbstractContextManager[Connection]]) -> None:
        self._transaction = transaction

    def put(self, workflow: str, name: str, run: str) -> NamedRun | None:
        """Make a run the baseline of that name; gives the one that was."""
        before = self.get(workflow, name)
        row = {"workflow": workflow, "name": name, "run": run, "since": datetime.now(UTC).isoformat()}
        with self._transaction(writes=True) as connection:
            connection.execute(delete(baselines).where(_named(workflow, name)))
            insert(connection, baselines, [row])
        return before

    def remove(self, workflow: str, name: str) -> None:
        """Take the name away; the run stays."""
        with self._transaction(writes=True) as connection:
            connection.execute(delete(baselines).where(_named(workflow, name)))

    def get(self, workflow: str, name: str) -> NamedRun | None:
        """The baseline of that name; None if there is none."""
        with self._transaction() as connection:
            row = connection.execute(select(baselines).where(_named(workflow, name))).first()
        return None if row is None else NamedRun(**row._mapping)

    def all(self) -> list[NamedRun]:
        """Every baseline, by workflow and name."""
        with self._transaction() as connection:
            rows = connection.execute(select(baselines).order_by(baselines.c.workflow, baselines.c.name)).all()
        return [NamedRun(**row._mapping) for row in rows]

    def scored_by(self, run: str) -> dict[str, set[tuple[str, str]]]:
        """By metric, the versions of its scorer and the configurations that the episodes of a run have their current
        scores from.
        """
        current = and_(scorings.c.episode == episodes.c.pk, CURRENT_SCORING)
        query = select(scorings.c.scores, scorings.c.config).select_from(scorings).join(episodes, current)
        found: dict[str, set[tuple[str, str]]] = {}
        with self._transaction() as connection:
            for row in connection.execute(query.where(episodes.c.run == run, LATEST_ATTEMPT)):
                for metric, version, *_ in row.scores:
                    found.setdefault(metric, set()).add((version, row.config))
        return found


def _named(workflow: str, name: str) -> ColumnElement[bool]:
    return and_(baselines.c.workflow == workflow, baselines.c.name == name)
