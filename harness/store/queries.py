"""The queries that are more than a look at one table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Column, ColumnElement, Select, and_, exists, func, select

from harness.model.episode import EpisodeKey
from harness.store.tables import episodes, planned, scorings

KEY = ("run", "agent", "item", "trial", "condition")

_later = episodes.alias("later")
_newer = scorings.alias("newer")

LATEST_ATTEMPT: ColumnElement[bool] = ~exists().where(
    *(_later.c[name] == episodes.c[name] for name in KEY), _later.c.attempt > episodes.c.attempt
)
"""Of the attempts at an episode, the last one."""

CURRENT_SCORING: ColumnElement[bool] = scorings.c.pk == (
    select(func.max(_newer.c.pk)).where(_newer.c.episode == episodes.c.pk).scalar_subquery()
)
"""Of the scorings of an episode, the last one."""


def page(run: str, after: int, size: int, more: Sequence[Column[Any]]) -> Select[Any]:
    """The planned episodes of a run from a position on, with the latest attempt at each and its current scoring.
    `more`: columns of those two that are not always wanted.
    """
    played = planned.outerjoin(episodes, and_(*(episodes.c[name] == planned.c[name] for name in KEY), LATEST_ATTEMPT))
    return (
        select(
            planned,
            episodes.c.pk.label("episode"),
            episodes.c.turn_seconds,
            episodes.c.started,
            episodes.c.ended,
            scorings.c.verdict,
            scorings.c.reason,
            scorings.c.code,
            *more,
        )
        .select_from(played.outerjoin(scorings, and_(scorings.c.episode == episodes.c.pk, CURRENT_SCORING)))
        .where(planned.c.run == run, planned.c.position > after)
        .order_by(planned.c.position)
        .limit(size)
    )


def by_key(key: EpisodeKey) -> ColumnElement[bool]:
    """The attempts at an episode."""
    values = (key.run, key.agent, key.item, key.trial, key.condition)
    return and_(*(episodes.c[name] == value for name, value in zip(KEY, values, strict=True)))


def planned_by_key(key: EpisodeKey) -> ColumnElement[bool]:
    """The plan's row of an episode."""
    values = (key.run, key.agent, key.item, key.trial, key.condition)
    return and_(*(planned.c[name] == value for name, value in zip(KEY, values, strict=True)))


def starts_with(column: ColumnElement[str], prefix: str) -> ColumnElement[bool]:
    """Rows whose text begins with a prefix, letter by letter, on every database."""
    return func.substr(column, 1, len(prefix)) == prefix
