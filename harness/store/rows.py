"""Rows from what is stored, and back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Literal

from sqlalchemy import Row

from harness.model.episode import AgentVersion, Digests, Episode, EpisodeKey
from harness.model.failure import Finding
from harness.model.material import GivenRows
from harness.model.result import Result
from harness.model.score import Score, Scored
from harness.model.source import free, portable
from harness.model.status import Judgement, Measure, Status
from harness.store.codec import decode, encode
from harness.store.mask import mask, mask_text
from harness.store.records import Planned, RunRecord

Values = dict[str, Any]
ScoringRows = tuple[Values, list[Values]]

_MEASURED = "measured"
"""The status of a measure that has a value."""
_STATUSES = {status.value: status for status in Status}


@dataclass(frozen=True, slots=True)
class _Blame:
    """What of `Scored` is not a score."""

    primary: Finding | None
    secondary: tuple[Finding, ...]
    slips: tuple[Finding, ...]
    paste: str | None


@dataclass(frozen=True, slots=True)
class _Behind:
    """What of a score is more than its value."""

    findings: tuple[Finding, ...] = ()
    details: dict[str, Any] = field(default_factory=dict)


def run_row(run: RunRecord) -> Values:
    """The row of a run."""
    return {
        "id": run.id,
        "workflow": run.workflow,
        "created": run.created.astimezone(UTC).isoformat(),
        "agents": [mask(asdict(agent)) for agent in run.agents],
        "plan": mask(run.plan),
        "options": mask(run.options),
        "status": run.status,
        "harness_version": run.harness_version,
        "deterministic": run.deterministic,
    }


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
    text = json.dumps({table: dict(rows) for table, rows in given.items()}, sort_keys=True)
    return (hashlib.sha256(text.encode()).hexdigest() if given else None), text


def digests_of(row: Row[Any]) -> Digests:
    """The digests of a planned episode."""
    return Digests(row.scenario, row.workflow, row.knowledge, row.sandbox_schema, row.start_state, row.prices)


def episode_row(episode: Episode) -> Values:
    """The row of an episode, its document masked."""
    return {
        **key_values(episode.key),
        "id": episode.key.id,
        "attempt": episode.attempt,
        "outcome": episode.outcome,
        "ended_by": episode.end.kind,
        "started": episode.started,
        "ended": episode.ended,
        "turn_seconds": [turn.seconds for turn in episode.turns],
        "document": encode(episode),
    }


def scoring_rows(scored: Scored, config: str, now: datetime) -> ScoringRows:
    """The rows of one scoring: its own, without the episode, and those of its scores."""
    versions = tuple(sorted((score.metric, score.version) for score in scored.scores.values()))
    scoring = {
        "edition": _edition(versions, config),
        "config": config,
        "scored": now.astimezone(UTC).isoformat(),
        "verdict": scored.verdict.status.value,
        "reason": mask_text(scored.verdict.reason),
        "code": scored.primary.code if scored.primary else None,
        "document": encode(_Blame(scored.primary, scored.secondary, scored.slips, scored.paste)),
    }
    return scoring, [_score_row(metric, score) for metric, score in scored.scores.items()]


@lru_cache(maxsize=64)
def _edition(versions: tuple[tuple[str, str], ...], config: str) -> str:
    return hashlib.sha256(json.dumps([versions, config]).encode()).hexdigest()


def _score_row(metric: str, score: Score) -> Values:
    value = score.value
    measure = value if isinstance(value, Measure) else None
    status = value.status if isinstance(value, Judgement) else value.missing
    more = score.findings or score.details
    return {
        "metric": metric,
        "version": score.version,
        "status": _MEASURED if status is None else status.value,
        "value": None if measure is None else portable(measure.value),
        "unit": None if measure is None else measure.unit,
        "reason": mask_text(value.reason),
        "document": encode(_Behind(score.findings, score.details)) if more else None,
    }


def value_of(status: str, value: Any, unit: str | None, reason: str) -> Judgement | Measure:
    """The judgement or measure of a score's row."""
    if unit is None:
        return Judgement(_STATUSES[status], reason)
    if status == _MEASURED:
        return Measure(unit, free(value), reason=reason)
    missing: Literal[Status.NOT_JUDGED, Status.NOT_APPLICABLE] = (
        Status.NOT_JUDGED if status == Status.NOT_JUDGED.value else Status.NOT_APPLICABLE
    )
    return Measure(unit, None, missing, reason)


def scored_of(scoring: Row[Any], scores: Iterable[Row[Any]]) -> Scored:
    """What a scoring and the rows of its scores say."""
    blame = decode(_Blame, scoring.document)
    return Scored(
        scores={row.metric: _score_of(row) for row in scores},
        verdict=Judgement(_STATUSES[scoring.verdict], scoring.reason),
        primary=blame.primary,
        secondary=blame.secondary,
        slips=blame.slips,
        paste=blame.paste,
    )


def result_of(row: Row[Any], values: dict[str, Judgement | Measure]) -> Result:
    """What a gate sees of a planned episode joined with its latest attempt and scoring."""
    if row.episode is None:
        return Result(key_of(row), row.family, row.tier, row.slices, "spared" if row.spared else "missing")
    return Result(
        key_of(row),
        row.family,
        row.tier,
        row.slices,
        "played",
        None if row.verdict is None else Judgement(_STATUSES[row.verdict], row.reason),
        values,
        row.code,
        tuple(row.turn_seconds),
        row.started,
        row.ended,
    )


def _score_of(row: Row[Any]) -> Score:
    behind = _Behind() if row.document is None else decode(_Behind, row.document)
    value = value_of(row.status, row.value, row.unit, row.reason)
    return Score(row.metric, row.version, value, behind.findings, behind.details)
