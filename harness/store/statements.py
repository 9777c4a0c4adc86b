"""The statements that several methods of the store have in common, each within a transaction that is open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from sqlalchemy import Connection, Row, Table, insert, select

from harness.model.status import Judgement, Measure
from harness.store.rows import ScoringRows, Values, value_of
from harness.store.tables import episodes, scores, scorings


def insert_new(connection: Connection, table: Table, rows: Sequence[Values], *back: Any) -> Sequence[Row[Any]]:
    """Insert what is not there yet; gives those columns of the rows that were."""
    # SQLite and PostgreSQL both have it, and only one of them is imported: that takes a tenth of a second.
    dialect = import_module(f"sqlalchemy.dialects.{connection.dialect.name}")
    return connection.execute(dialect.insert(table).on_conflict_do_nothing().returning(*back), rows).all()


def add_scorings(connection: Connection, by_episode: Mapping[int, ScoringRows]) -> None:
    """Insert a scoring of each of those episodes, with its scores."""
    if not by_episode:
        return
    rows = [{**scoring, "episode": pk} for pk, (scoring, _) in by_episode.items()]
    new = connection.execute(insert(scorings).returning(scorings.c.pk, scorings.c.episode), rows).all()
    values = [{**score, "scoring": row.pk} for row in new for score in by_episode[row.episode][1]]
    if values:
        connection.execute(insert(scores), values)


def documents_of(connection: Connection, episode_pks: Sequence[int]) -> dict[int, bytes]:
    """The documents of some episodes."""
    wanted = select(episodes.c.pk, episodes.c.document).where(episodes.c.pk.in_(episode_pks))
    return {row.pk: row.document for row in connection.execute(wanted)}


def scores_of(connection: Connection, scoring_pks: Sequence[int]) -> dict[int, list[Row[Any]]]:
    """The scores of some scorings."""
    found: dict[int, list[Row[Any]]] = {pk: [] for pk in scoring_pks}
    for row in connection.execute(select(scores).where(scores.c.scoring.in_(scoring_pks))):
        found[row.scoring].append(row)
    return found


def values_of(connection: Connection, scoring_pks: Sequence[int]) -> dict[int, dict[str, Judgement | Measure]]:
    """The judgements and measures of some scorings, by metric."""
    found: dict[int, dict[str, Judgement | Measure]] = {pk: {} for pk in scoring_pks}
    wanted = select(scores.c.scoring, scores.c.metric, scores.c.status, scores.c.value, scores.c.unit, scores.c.reason)
    for scoring, metric, *value in connection.execute(wanted.where(scores.c.scoring.in_(scoring_pks))):
        found[scoring][metric] = value_of(*value)
    return found
