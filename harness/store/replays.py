"""Replays in the store: which agents, at which level, and what came of each recording."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import Connection, Row, select, update

from harness.model.episode import AgentVersion
from harness.model.replay import Level, ReplayResult
from harness.model.result import GateVerdict
from harness.store.ambiguous import MOST, ambiguous
from harness.store.codec import decode, encode
from harness.store.problem import StoreProblem
from harness.store.queries import starts_with
from harness.store.records import RunStatus
from harness.store.replay_tables import replayed, replays
from harness.store.rows import agent_values
from harness.store.statements import insert, insert_new
from tools_sandbox.call import Json

_PAGE = 100
_LATEST_FIRST = (replays.c.created.desc(), replays.c.id.desc())
_AGENTS = TypeAdapter(tuple[AgentVersion, ...])


@dataclass(frozen=True, slots=True)
class ReplayRecord:
    """A replay. `agents`: the new version, then the one that it is held against, if any. `options`: what it was called
    with. `verdict`: what its gate says; None until it is done.
    """

    id: str
    workflow: str
    level: Level
    created: datetime
    agents: tuple[AgentVersion, ...]
    options: dict[str, Json] = field(default_factory=dict)
    status: RunStatus = "running"
    harness_version: str = ""
    verdict: GateVerdict | None = None

    @property
    def agent(self) -> AgentVersion:
        """The new version."""
        return self.agents[0]

    @property
    def against(self) -> AgentVersion | None:
        """The version that it is held against."""
        return self.agents[1] if len(self.agents) > 1 else None


class Replays:
    """The replays of a store. `transaction` opens one of its transactions."""

    def __init__(self, transaction: Callable[..., AbstractContextManager[Connection]]) -> None:
        self._transaction = transaction

    def create(self, record: ReplayRecord) -> None:
        """Write down that a replay begins."""
        row = {
            "id": record.id,
            "workflow": record.workflow,
            "level": record.level.value,
            "created": record.created.isoformat(),
            "agents": agent_values(record.agents),
            "options": record.options,
            "status": record.status,
            "harness_version": record.harness_version,
            "verdict": None,
        }
        with self._transaction(writes=True) as connection:
            insert(connection, replays, [row])

    def save(self, replay: str, results: Sequence[ReplayResult]) -> None:
        """Store what came of recordings, all or none of these. What is there already stays."""
        rows = [_row(replay, result) for result in results]
        with self._transaction(writes=True) as connection:
            insert_new(connection, replayed, rows, "replay", "agent", "recording")

    def finish(self, replay: str, status: RunStatus, verdict: GateVerdict | None = None) -> None:
        """Write down how it ended."""
        values = {"status": status, "verdict": None if verdict is None else encode(verdict)}
        with self._transaction(writes=True) as connection:
            connection.execute(update(replays).where(replays.c.id == replay).values(values))

    def all(self) -> list[ReplayRecord]:
        """All replays, the latest first."""
        with self._transaction() as connection:
            return [_record(row) for row in connection.execute(select(replays).order_by(*_LATEST_FIRST))]

    def find(self, name: str | None) -> ReplayRecord:
        """The replay of that id, or the only one whose id begins so; without a name, or by `latest`, the latest."""
        query = select(replays).order_by(*_LATEST_FIRST)
        latest = name is None or name == "latest"
        with self._transaction() as connection:
            found = connection.execute(
                query.limit(1) if latest else query.where(starts_with(replays.c.id, name or ""))
            ).all()
        exact = [row for row in found if row.id == name] or found
        if len(exact) == 1:
            return _record(exact[0])
        if not found:
            raise StoreProblem("there is no replay yet" if latest else f"there is no replay {name}")
        raise StoreProblem(ambiguous(name or "", [row.id for row in found], "replays"))

    def done(self, replay: str, agent: str) -> set[str]:
        """The recordings that are replayed already."""
        query = select(replayed.c.recording).where(replayed.c.replay == replay, replayed.c.agent == agent)
        with self._transaction() as connection:
            return set(connection.execute(query).scalars())

    def results(self, replay: str, agent: str) -> Iterator[ReplayResult]:
        """What came of the recordings, in the order in which they were done, a few at a time in memory."""
        after = 0
        while True:
            query = select(replayed.c.pk, replayed.c.document).where(
                replayed.c.replay == replay, replayed.c.agent == agent, replayed.c.pk > after
            )
            with self._transaction() as connection:
                rows = connection.execute(query.order_by(replayed.c.pk).limit(_PAGE)).all()
            if not rows:
                return
            yield from (decode(ReplayResult, row.document) for row in rows)
            after = rows[-1].pk

    def result(self, replay: str, agent: str, recording: str) -> ReplayResult:
        """What came of the recording of that id, or of the only one whose id begins so."""
        query = select(replayed.c.recording, replayed.c.document).where(
            replayed.c.replay == replay, replayed.c.agent == agent, starts_with(replayed.c.recording, recording)
        )
        with self._transaction() as connection:
            found = connection.execute(query.limit(MOST)).all()
        exact = [row for row in found if row.recording == recording] or found
        if not found:
            raise StoreProblem(f"{recording} is not in replay {replay}")
        if len(exact) > 1:
            raise StoreProblem(f"replay {replay}: {ambiguous(recording, [row.recording for row in found])}")
        return decode(ReplayResult, exact[0].document)


def _row(replay: str, result: ReplayResult) -> dict[str, Any]:
    return {
        "replay": replay,
        "agent": result.agent.label,
        "recording": result.recording,
        "verdict": result.finding.verdict.value,
        "paired": None if result.paired is None else result.paired.verdict.value,
        "turns": result.recorded_turns,
        "compared": result.compared,
        "document": encode(result),
    }


def _record(row: Row[Any]) -> ReplayRecord:
    return ReplayRecord(
        id=row.id,
        workflow=row.workflow,
        level=Level(row.level),
        created=datetime.fromisoformat(row.created),
        agents=_AGENTS.validate_python(row.agents),
        options=row.options,
        status=row.status,
        harness_version=row.harness_version,
        verdict=None if row.verdict is None else decode(GateVerdict, row.verdict),
    )
