"""Several agent versions as one JSON document. Documented in docs/results.md; `schema` names its version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness.gates.compare import Figure, Standing
from harness.gates.figures import nearest
from harness.reports.result_json import result_json
from harness.reports.run_view import RunView

SCHEMA = "turngate.comparison/1"


def comparison_json(views: Sequence[RunView], families: Mapping[str, Sequence[Standing]]) -> dict[str, Any]:
    """The document, JSON values only: the result of each run, and by family where each version stands."""
    return {
        "schema": SCHEMA,
        "workflow": views[0].workflow,
        "families": {family: [_standing(each) for each in standings] for family, standings in families.items()},
        "results": [result_json(view) for view in views],
    }


def _standing(standing: Standing) -> dict[str, Any]:
    return {
        "agent": standing.agent,
        "run": standing.run,
        "decision": None if standing.decision is None else standing.decision.value,
        "reason": standing.reason,
        "played": standing.played,
        "spared": standing.spared,
        "cost_usd": {"mean": _value(standing.cost), **_counts(standing.cost)},
        "latency_seconds": {"p95": _value(standing.latency), **_counts(standing.latency)},
        "dominated_by": list(standing.dominated_by),
    }


def _value(figure: Figure) -> float | None:
    return None if figure.value is None else nearest(figure.value)


def _counts(figure: Figure) -> dict[str, int]:
    return {"n": figure.n, "missing": figure.missing}
