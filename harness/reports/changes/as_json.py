"""Two runs compared, as one JSON document. Documented in docs/comparing.md; `schema` names its version."""

from __future__ import annotations

from typing import Any

from harness.gates.changes import Cell, Change, Shift, Spread, Tally, Twins
from harness.gates.figures import nearest
from harness.gates.ruling import Bounds
from harness.model.result import Result
from harness.reports.changes.view import ChangesView
from harness.store.records import RunRecord

SCHEMA = "turngate.changes/1"


def changes_json(view: ChangesView) -> dict[str, Any]:
    """The document, JSON values only."""
    found = view.changes
    return {
        "schema": SCHEMA,
        "workflow": view.second.workflow,
        "first": _run(view.first),
        "second": _run(view.second),
        "not_compared": {
            "scenarios": {why: list(items) for why, items in found.apart.items()},
            "metrics": {**found.rescored},
        },
        "cells": [_cell(cell) for cell in found.cells],
        "episodes": [_twins(each) for each in found.twins],
    }


def _run(run: RunRecord) -> dict[str, Any]:
    return {
        "run": run.id,
        "agents": [agent.label for agent in run.agents],
        "created": run.created.isoformat(),
        "commit": run.commit,
    }


def _cell(cell: Cell) -> dict[str, Any]:
    return {
        "where": {**cell.where},
        "verdict": _tally(cell.verdict),
        "judgements": {metric: _tally(tally) for metric, tally in cell.judged.items()},
        "measures": {metric: _shift(shift) for metric, shift in cell.moved.items()},
    }


def _tally(tally: Tally) -> dict[str, Any]:
    return {
        **{_name(change): tally.counts[change] for change in Change},
        "gain": None if tally.gain is None else nearest(tally.gain),
        **_bounds(tally.bounds),
        "exact": tally.exact,
    }


def _shift(shift: Shift) -> dict[str, Any]:
    return {
        "n": shift.n,
        "missing": shift.missing,
        "first": _spread(shift.first),
        "second": _spread(shift.second),
        "rise": None if shift.rise is None else nearest(shift.rise),
        **_bounds(shift.bounds),
        "exact": shift.exact,
    }


def _spread(spread: Spread) -> dict[str, float]:
    return {"p50": nearest(spread.p50), "p95": nearest(spread.p95), "mean": nearest(spread.mean)}


def _bounds(bounds: Bounds) -> dict[str, float | None]:
    return {"low": bounds.low, "high": bounds.high, "confidence": bounds.confidence}


def _twins(twins: Twins) -> dict[str, Any]:
    key = twins.second.key
    return {
        "scenario": key.item,
        "trial": key.trial,
        "condition": key.condition,
        "family": twins.second.family,
        "tier": twins.second.tier,
        "slices": {**twins.second.slices},
        "change": _name(twins.change),
        "first": _side(twins.first),
        "second": _side(twins.second),
    }


def _side(result: Result) -> dict[str, Any]:
    verdict = result.verdict
    return {
        "id": result.key.id,
        "state": result.state,
        "verdict": None if verdict is None else verdict.status.value,
        "reason": "" if verdict is None else verdict.reason,
        "code": result.code,
    }


def _name(change: Change) -> str:
    return change.value.replace(" ", "_")
