"""A replay as JSON, recording by recording, so that no more than one is in memory."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from harness.model.replay import ReplayResult, ReplaySummary, Verdict
from harness.reports.replays.view import ReplayView
from harness.reports.result_json import gate_json
from harness.store.codec import written
from tools_sandbox.call import Json

SCHEMA = "turngate.replay/1"


def replay_json(view: ReplayView, results: Iterable[ReplayResult]) -> Iterator[str]:
    """The document in pieces. `results`: those of the new version, all of them."""
    head = json.dumps(_head(view), ensure_ascii=True, indent=2)
    yield f'{head[:-2]},\n  "recordings": ['
    for number, result in enumerate(results):
        yield f"{',' * bool(number)}\n    {json.dumps(json.loads(written(result)), ensure_ascii=True)}"
    yield "\n  ]\n}\n"


def _head(view: ReplayView) -> dict[str, Json]:
    record = view.record
    return {
        "schema": SCHEMA,
        "replay": record.id,
        "workflow": record.workflow,
        "level": record.level.value,
        "status": record.status,
        "created": record.created.isoformat(),
        "agent": record.agent.label,
        "against": None if record.against is None else record.against.label,
        "gate": gate_json(view.verdict),
        "summary": _summary(view.summary),
        "other": None if view.old is None else _summary(view.old),
        "notes": list(view.notes),
    }


def _summary(summary: ReplaySummary) -> dict[str, Any]:
    return {
        "recordings": summary.recordings,
        "verdicts": _verdicts(summary.verdicts),
        "turns": summary.turns,
        "compared": summary.compared,
        "share": summary.share,
        "first_divergence": {kind.value: count for kind, count in summary.first.items()},
        "worse_by": summary.worse_by,
        "misses": summary.misses,
        "unused": summary.unused,
        "paired": None if summary.paired is None else _verdicts(summary.paired),
        "paired_turns": summary.paired_turns,
    }


def _verdicts(counts: dict[Verdict, int]) -> dict[str, int]:
    return {verdict.value: count for verdict, count in counts.items()}
