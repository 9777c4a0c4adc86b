"""Runs as short as a test can have them."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from harness.model.episode import AgentVersion, Digests, Episode, EpisodeKey
from harness.model.failure import Evidence, Finding
from harness.model.score import Score, Scored
from harness.model.status import PASSED, Measure, Status, failed, not_judged
from harness.store.records import Planned, RunRecord
from harness.store.store import Store
from tests.harness.scoring import build

DIGESTS = Digests("scenario", "workflow", "knowledge", "schema", "start", "prices")
FINDING = Finding("refund missing", "TO1", (2, 0), Evidence(turn=2, path="orders.O-1.status"), "refunded", "delivered")


def run(name: str = "r-1", day: int = 20, **fields: Any) -> RunRecord:
    agents = (AgentVersion("agent", "1", "digest", parameters={"temperature": 0}),)
    return RunRecord(name, "shop", datetime(2026, 11, day, 10, tzinfo=UTC), agents, **fields)


def key(item: str = "refund", trial: int = 1, run: str = "r-1") -> EpisodeKey:
    return EpisodeKey(run, "agent@1", item, trial)


def planned(item: str = "refund", trial: int = 1, run: str = "r-1", **fields: Any) -> Planned:
    values: dict[str, Any] = {"family": "refunds", "tier": "core", "slices": {"language": "es"}, "digests": DIGESTS}
    return Planned(key(item, trial, run), **{**values, **fields})


def episode(item: str = "refund", trial: int = 1, run: str = "r-1", **fields: Any) -> Episode:
    events = fields.pop(
        "events", ("My blender is broken.", build.said("Your order number?"), build.verify(), build.refund())
    )
    return build.episode(*events, **{"key": key(item, trial, run), **fields})


def scored(version: str = "1") -> Scored:
    scores = (
        Score("task_success", version, failed("refund missing"), (FINDING,), {"milestones": 0.5}),
        Score("safety.privacy", "1", PASSED),
        Score("faithfulness", "1", not_judged("no judge is set")),
        Score("cost_usd", "1", Measure("USD", Decimal("0.0120"))),
        Score("turns", "1", Measure("turns", 3)),
        Score("latency_seconds", "1", Measure("seconds", 1.5), details={"turns": [0.5, 1.0]}),
        Score("tokens_in", "1", Measure("tokens", None, Status.NOT_JUDGED, "no usage was reported")),
    )
    return Scored({score.metric: score for score in scores}, failed("refund missing"), FINDING, (), (FINDING,), "paste")


def begun(store: Store, *plan: Planned, **fields: Any) -> Store:
    """A store with a run that is planned."""
    store.create_run(run(**fields))
    store.plan(plan or (planned(),))
    return store
