"""Rows from what is stored, and back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from json.encoder import encode_basestring_ascii
from sys import intern
from typing import Any, Literal

from sqlalchemy import Row

from harness.model.episode import AgentVersion, Digests, Episode, EpisodeKey
from harness.model.failure import Finding
from harness.model.material import GivenRows
from harness.model.result import Result
from harness.model.score import Score, Scored
from harness.model.status import Judgement, Measure, Status
from harness.store.codec import decode, encode, stored
from harness.store.mask import mask, mask_text
from harness.store.records import Planned, RunRecord
from tools_sandbox.call import Json

Values = dict[str, Any]
_MEASURED = "measured"
"""The status of a measure that has a value."""
_STATUSES = {status.value: status for status in Status}


@dataclass(frozen=True, slots=True)
class Behind:
    """What a scoring says beyond values: findings and details by the position of their score, and what is to blame."""

    findings: tuple[tuple[Finding, ...], ...]
    details: tuple[dict[str, Any], ...]
    primary: Finding | None
    secondary: tuple[Finding, ...]
    slips: tuple[Finding, ...]
    paste: str | None


def run_row(run: RunRecord) -> Values:
    """The row of a run."""
    return {
        "id": run.id,
        "workflow": run.workflow,
        "created": run.created.astimezone(UTC).isoformat(),
        "agents": agent_values(run.agents),
        "plan": mask(run.plan),
        "options": mask(run.options),
        "status": run.status,
        "harness_version": run.harness_version,
        "deterministic": run.deterministic,
    }


def agent_values(agents: Iterable[AgentVersion]) -> list[Json]:
    """Agents in the row of a run."""
    return [mask(asdict(agent)) for agent in agents]


def run_of(row: Row[Any]) -> RunRecord:
    """The run of a row."""
    return RunRecord(
        id=row.id,
        workflow=row.workflow,
        created=datetime.fromisoformat(row.created),
        agents=tuple(AgentVersion(**agent) for agent in row.agents),
        plan=row.plan,
        options=row.options,
        status=row.status,
        harness_version=row.harness_version,
        deterministic=row.deterministic,
    )


def key_values(key: EpisodeKey) -> Values:
    """The columns of a key."""
    return {
        "run": key.run,
        "agent": key.agent,
        "item": key.item,
        "trial": key.trial,
        "condition": key.condition,
    }


def key_of(row: Row[Any]) -> EpisodeKey:
    """The key of a row."""
    return EpisodeKey(row.run, row.agent, row.item, row.trial, row.condition)


def planned_row(planned: Planned, position: int, given: str | None) -> Values:
    """The row of a planned episode; `given` is the digest of its scenario's own rows."""
    digests = planned.digests
    return {
        **key_values(planned.key),
        "position": position,
        "family": planned.family,
        "tier": planned.tier,
        "slices": planned.slices,
        "scenario": digests.scenario,
        "workflow": digests.workflow,
        "knowledge": digests.knowledge,
        "sandbox_schema": digests.schema,
        "start_state": digests.start_state,
        "prices": digests.prices,
        "given": given,
        "faulty": planned.faulty,
        "spared": planned.spared,
    }


def given_text(given: GivenRows) -> tuple[str | None, str]:
    """The digest and the text of a scenario's own rows; no digest if it has none."""
    if not given:
        return None, ""
    text = json.dumps({table: dict(rows) for table, rows in given.items()}, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest(), text


def given_of(text: str | None) -> GivenRows:
    """A scenario's own rows from their text, if there is any."""
    rows: GivenRows = {} if text is None else json.loads(text)
    return rows


def digests_of(row: Row[Any]) -> Digests:
    """The digests of a planned episode."""
    return Digests(row.scenario, row.workflow, row.knowledge, row.sandbox_schema, row.start_state, row.prices)


def episode_row(episode: Episode, record: bytes | None = None) -> Values:
    """The row of an episode, its document masked. `record`: the episode as `written`, where it is at hand."""
    return {
        **key_values(episode.key),
        "id": episode.key.id,
        "attempt": episode.attempt,
        "outcome": episode.outcome,
        "ended_by": episode.end.kind,
        "started": episode.started,
        "ended": episode.ended,
        "turn_seconds": list(episode.turn_seconds),
        "document": encode(episode) if record is None else stored(record),
    }


def scoring_row(scored: Scored, config: str, now: datetime) -> Values:
    """The row of one scoring, without its episode."""
    scores = tuple(scored.scores.values())
    behind = Behind(
        tuple(score.findings for score in scores),
        tuple(score.details for score in scores),
        scored.primary,
        scored.secondary,
        scored.slips,
        scored.paste,
    )
    return {
        "edition": edition_of(tuple((score.metric, score.version) for score in scores), config),
        "config": config,
        "scored": now.astimezone(UTC).isoformat(),
        "verdict": scored.verdict.status.value,
        "reason": mask_text(scored.verdict.reason),
        "code": scored.primary.code if scored.primary else None,
        "scores": [(score.metric, score.version, *_stored(score.value)) for score in scores],
        "document": encode(behind),
    }


@lru_cache(maxsize=64)
def edition_of(versions: tuple[tuple[str, str], ...], config: str) -> str:
    """What tells scorings of an episode apart: the version of each metric, and the configuration."""
    return hashlib.sha256(json.dumps([sorted(versions), config]).encode()).hexdigest()


def _stored(value: Judgement | Measure) -> tuple[str, Json, str | None, str]:
    """Status, value, unit and reason. Money is text; a reason is JSON, for no database takes every text as it is."""
    reason = _reason(value.reason)
    if isinstance(value, Judgement):
        return value.status.value, None, None, reason
    if value.missing is not None:
        return value.missing.value, None, value.unit, reason
    return _MEASURED, str(value.value) if isinstance(value.value, Decimal) else value.value, value.unit, reason


@lru_cache(maxsize=1024)
def _reason(text: str) -> str:
    return encode_basestring_ascii(mask_text(text))


@lru_cache(maxsize=4096, typed=True)
def _value(status: str, value: Json, unit: str | None, reason: str) -> Judgement | Measure:
    """The inverse. A great many are alike, and those are one object."""
    if unit is None:
        return Judgement(_STATUSES[status], json.loads(reason))
    if status == _MEASURED:
        return Measure(unit, Decimal(value) if isinstance(value, str) else value, reason=json.loads(reason))
    missing: Literal[Status.NOT_JUDGED, Status.NOT_APPLICABLE] = (
        Status.NOT_JUDGED if status == Status.NOT_JUDGED.value else Status.NOT_APPLICABLE
    )
    return Measure(unit, None, missing, json.loads(reason))


def scored_of(scoring: Row[Any]) -> Scored:
    """What a scoring says."""
    behind = decode(Behind, scoring.document)
    return Scored(
        scores={
            metric: Score(metric, version, _value(*stored), findings, details)
            for (metric, version, *stored), findings, details in zip(
                scoring.scores, behind.findings, behind.details, strict=True
            )
        },
        verdict=Judgement(_STATUSES[scoring.verdict], scoring.reason),
        primary=behind.primary,
        secondary=behind.secondary,
        slips=behind.slips,
        paste=behind.paste,
    )


def result_of(row: Row[Any]) -> Result:
    """What a gate sees of a planned episode joined with its latest attempt and scoring. A gate holds all results of a
    run: what many have in common is there once.
    """
    run, agent, item, condition, family = map(intern, (row.run, row.agent, row.item, row.condition, row.family))
    key = EpisodeKey(run, agent, item, row.trial, condition)
    slices = _slices(tuple(row.slices.items()))
    if row.episode is None:
        return Result(key, family, row.tier, slices, "spared" if row.spared else "missing")
    return Result(
        key,
        family,
        row.tier,
        slices,
        "played",
        None if row.verdict is None else Judgement(_STATUSES[row.verdict], row.reason),
        {intern(metric): _value(*stored) for metric, _, *stored in row.scores or ()},
        row.code,
        tuple(row.turn_seconds),
        row.started,
        row.ended,
    )


@lru_cache(maxsize=1024)
def _slices(items: tuple[tuple[str, str], ...]) -> dict[str, str]:
    return dict(items)
