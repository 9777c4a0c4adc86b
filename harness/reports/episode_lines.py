"""A run as JSON lines, one an episode, for programs that read one line at a time. Documented in docs/outputs.md."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from harness.model.result import Result
from harness.model.status import Measure
from harness.reports.result_json import decision_of, episode_json
from harness.reports.run_view import RunView, turn_of

SCHEMA = "turngate.episodes/1"

_USAGE = ("model_calls", "tokens_in", "tokens_out", "tokens_cached", "tokens_reasoning", "cost_usd")


def episode_lines(views: Iterable[RunView]) -> Iterator[str]:
    """For each run a header, then a line for each planned episode, played or not, in the order of the plan."""
    for view in views:
        yield _line(_header(view))
        for result in view.results:
            yield _line(_episode(view, result))


def _line(values: dict[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=True, separators=(",", ":")) + "\n"


def _header(view: RunView) -> dict[str, Any]:
    return {
        "type": "run",
        "schema": SCHEMA,
        "run": view.run,
        "workflow": view.workflow,
        "agent": view.agent,
        "source_digest": view.agent_digest,
        "created": view.created.isoformat(),
        "gate": decision_of(view.verdict),
        "partial": view.verdict.partial,
        "waivers": view.verdict.held_back,
        "quarantined": sorted(view.verdict.set_apart),
        "planned": len(view.results),
        "played": _in_state(view.results, "played"),
        "spared": _in_state(view.results, "spared"),
        "missing": _in_state(view.results, "missing"),
    }


def _in_state(results: Sequence[Result], state: str) -> int:
    return sum(result.state == state for result in results)


def _episode(view: RunView, result: Result) -> dict[str, Any]:
    values = episode_json(result)
    verdict = values.pop("verdict") or {"status": None, "reason": ""}
    scores = values.pop("scores")
    return {
        "type": "episode",
        "run": result.key.run,
        "agent": result.key.agent,
        **values,
        **verdict,
        "turn": turn_of(view.findings.get(result.key.id)),
        "usage": {metric: _number(result.scores.get(metric)) for metric in _USAGE},
        "times": {
            "started": _time(result.started),
            "ended": _time(result.ended),
            "turn_seconds": list(result.turn_seconds),
        },
        "scores": scores,
    }


def _number(measure: object) -> int | float | str | None:
    """The value of a measure; None where it is missing, for which its score tells the reason."""
    value = measure.value if isinstance(measure, Measure) else None
    return str(value) if isinstance(value, Decimal) else value


def _time(seconds: float | None) -> str | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat()
