"""What the parts of evidence say: everything that the verdict rests on, and none of the words."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from harness.model.workflow import Workflow
from harness.reports.evidence.chain import canonical
from harness.reports.result_json import gate_json
from harness.runs.decided import Decided
from harness.store.codec import written
from harness.store.portable_records import Attempt, Record, Scoring
from harness.store.records import Planned, RunRecord


def parts_of(found: Decided, records: Iterable[Record], version: str) -> dict[str, bytes]:
    """The parts by name, from a run that was decided and all that is stored of it. `version`: of what decided it."""
    digests: dict[str, dict[str, str]] = {}
    labels: list[dict[str, Any]] = []
    episodes: list[bytes] = []
    scorers: dict[str, set[str]] = {}
    for record in records:
        if isinstance(record, Planned):
            digests.setdefault(record.key.item, asdict(record.digests))
        elif isinstance(record, Attempt):
            labels += [
                {"episode": record.key.id, "attempt": record.attempt, **_label(label)} for label in record.labels
            ]
            for metric, scorer, *_ in record.scorings[-1].scores if record.scorings else ():
                scorers.setdefault(metric, set()).add(scorer)
            episodes.append(canonical(_episode(record)))
    run = found.run
    return {
        "verdict.json": canonical({"run": _run(run), "gate": gate_json(found.verdict)}),
        "rules.json": canonical(_rules(found.workflow)),
        "exemptions.json": canonical(_written(found.workflow, "waivers", "quarantine")),
        "labels.json": canonical(labels),
        "versions.json": canonical(
            {
                "turngate": {"played": run.harness_version, "decided": version},
                "agents": [asdict(agent) for agent in run.agents],
                "scorers": {metric: sorted(versions) for metric, versions in scorers.items()},
                "commit": run.commit,
            }
        ),
        "digests.json": canonical(digests),
        "episodes.jsonl": b"".join(episodes),
    }


def _run(run: RunRecord) -> dict[str, Any]:
    return {
        "id": run.id,
        "workflow": run.workflow,
        "created": run.created.isoformat(),
        "status": run.status,
        "deterministic": run.deterministic,
        "plan": run.plan,
        "options": {name: value for name, value in run.options.items() if name != "process"},
    }


def _rules(workflow: Workflow) -> dict[str, Any]:
    return _written(workflow, "gate", "rules", "scenario_map")


def _written(workflow: Workflow, *keys: str) -> dict[str, Any]:
    """Those parts of a workflow as they are written, with their places in its file."""
    dumped = workflow.dump()
    return {key: dumped.get(key, []) for key in keys}


def _label(label: Any) -> dict[str, str]:
    """Who said what, and when; a note may quote the conversation."""
    return {"who": label.who, "at": label.labelled, "label": label.label}


def _episode(attempt: Attempt) -> dict[str, Any]:
    conversation = None
    if attempt.episode is not None:
        conversation = hashlib.sha256(canonical(json.loads(written(attempt.episode)))).hexdigest()
    return {
        "id": attempt.key.id,
        "attempt": attempt.attempt,
        "outcome": attempt.outcome,
        "ended_by": attempt.ended_by,
        "conversation": conversation,
        "scorings": [_scoring(each) for each in attempt.scorings],
    }


def _scoring(scoring: Scoring) -> dict[str, Any]:
    """What came of an episode, without the reasons, which quote it."""
    scores = {
        metric: {"version": version, "status": status, "value": value, "unit": unit}
        for metric, version, status, value, unit, _ in scoring.scores
    }
    return {
        "at": scoring.scored,
        "config": scoring.config,
        "verdict": scoring.verdict,
        "code": scoring.code,
        "scores": scores,
    }
