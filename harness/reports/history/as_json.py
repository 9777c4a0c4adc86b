"""A workflow's runs over time as one JSON document. Documented in docs/history.md; `schema` names its version."""

from __future__ import annotations

from typing import Any

from harness.reports.history.history import History, Point, Row
from harness.reports.result_json import decision_of
from harness.reports.scenario_map import JudgedCell

SCHEMA = "turngate.history/1"


def history_json(found: History) -> dict[str, Any]:
    """The document, JSON values only. Each series has a value for each run."""
    return {
        "schema": SCHEMA,
        "workflow": found.workflow,
        "runs": [_point(point) for point in found.points],
        "series": [_row(row) for row in found.rows],
        "observed_runs_left_out": found.observed,
    }


def _point(point: Point) -> dict[str, Any]:
    return {
        "run": point.run.id,
        "created": point.run.created.isoformat(),
        "agent": point.agent,
        "commit": point.run.commit,
        "status": point.run.status,
        "gate": decision_of(point.verdict),
        "partial": point.verdict.partial,
        "missing": point.missing,
        "changed": {**point.changed},
        "rescored": {**point.rescored},
    }


def _row(row: Row) -> dict[str, Any]:
    return {
        "family": row.family,
        "metric": row.metric,
        "unit": "share"
        if row.judged
        else next(cell.unit for cell in row.cells if not isinstance(cell, JudgedCell | None)),
        "values": row.values,
        "n": [0 if cell is None else cell.n for cell in row.cells],
        "not_comparable_before": sorted(row.cuts),
    }
