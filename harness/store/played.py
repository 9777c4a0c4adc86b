"""Played episodes in the order of time, across runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, or_, select

from harness.model.episode import Episode
from harness.store.codec import decode
from harness.store.portable_records import PURGED
from harness.store.queries import CURRENT_SCORING, LATEST_ATTEMPT, starts_with
from harness.store.records import OBSERVED
from harness.store.tables import episodes, runs, scorings

_PAGE = 100
_LATEST_FIRST = (episodes.c.started.desc(), episodes.c.pk.desc())


@dataclass(frozen=True, slots=True)
class Played:
    """An episode, its workflow, and the status of its verdict; None if it was not scored."""

    episode: Episode
    workflow: str
    verdict: str | None


class PlayedEpisodes:
    """The latest attempts at the episodes of a store, without those whose words were purged. `transaction` opens one of
    its transactions.
    """

    def __init__(self, transaction: Callable[..., AbstractContextManager[Connection]]) -> None:
        self._transaction = transaction

    def all(
        self,
        run: str | None = None,
        workflow: str | None = None,
        scenario: str | None = None,
        since: float | None = None,
        until: float | None = None,
    ) -> Iterator[Played]:
        """Those of a run (its id or the beginning of it), of a workflow, of a scenario, and that began in that time
        (seconds since the epoch); the latest first, a few at a time in memory. Those that were not played but read from
        telemetry only where a run is named: they are in it as often as it is scored.
        """
        fits: list[ColumnElement[bool]] = [LATEST_ATTEMPT, episodes.c.document != PURGED]
        fits.append(episodes.c.ended_by != OBSERVED if run is None else starts_with(episodes.c.run, run))
        if workflow is not None:
            fits.append(runs.c.workflow == workflow)
        if scenario is not None:
            fits.append(episodes.c.item == scenario)
        if since is not None:
            fits.append(episodes.c.started >= since)
        if until is not None:
            fits.append(episodes.c.started < until)
        last: Any = None
        while True:
            page = [] if last is None else [_after(last)]
            with self._transaction() as connection:
                rows = connection.execute(_EVERY.where(*fits, *page).order_by(*_LATEST_FIRST).limit(_PAGE)).all()
            for row in rows:
                yield Played(decode(Episode, row.document), row.workflow, row.verdict)
            if len(rows) < _PAGE:
                return
            last = rows[-1]


_EVERY = (
    select(episodes.c.pk, episodes.c.started, episodes.c.document, runs.c.workflow, scorings.c.verdict)
    .join(runs, runs.c.id == episodes.c.run)
    .outerjoin(scorings, and_(scorings.c.episode == episodes.c.pk, CURRENT_SCORING))
)


def _after(last: Any) -> ColumnElement[bool]:
    same = and_(episodes.c.started == last.started, episodes.c.pk < last.pk)
    return or_(episodes.c.started < last.started, same)
