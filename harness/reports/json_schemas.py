"""JSON Schemas of the files that `-o` writes as JSON and JSON lines, for the programs that read them.

Within a version of a format fields may be added, so that none is forbidden; none that is here goes or changes.
"""

from __future__ import annotations

from typing import Any

from harness.model.result import Decision
from harness.model.status import Status
from harness.reports import comparison_json, episode_lines, result_json

Schema = dict[str, Any]

_DIALECT = "https://json-schema.org/draft/2020-12/schema"

_TEXT: Schema = {"type": "string"}
_TIME: Schema = {"type": "string", "format": "date-time"}
_FLAG: Schema = {"type": "boolean"}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_NUMBER: Schema = {"type": "number"}
_STATUS: Schema = {"enum": [status.value for status in Status]}
_TIER: Schema = {"enum": ["critical", "core", "explore"]}
_GATE: Schema = {"enum": ["passed", "failed", "undecided", "partial"]}


def _maybe(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _list(of: Schema) -> Schema:
    return {"type": "array", "items": of}


def _map(of: Schema) -> Schema:
    return {"type": "object", "additionalProperties": of}


def _object(**fields: Schema) -> Schema:
    """An object that has at least these fields."""
    return {"type": "object", "properties": fields, "required": list(fields)}


_MISSING = {"enum": [Status.NOT_JUDGED.value, Status.NOT_APPLICABLE.value]}
_JUDGEMENT = _object(status=_STATUS, reason=_TEXT)
_MEASURE = _object(value={"type": ["number", "string"]}, unit=_TEXT)
_SCORE: Schema = {"anyOf": [_MEASURE, _object(status=_MISSING, reason=_TEXT, unit=_TEXT), _JUDGEMENT]}
_PLACE = {
    "id": _TEXT,
    "scenario": _TEXT,
    "trial": {"type": "integer", "minimum": 1},
    "condition": _TEXT,
    "family": _TEXT,
    "tier": _TIER,
    "slices": _map(_TEXT),
    "state": {"enum": ["played", "spared", "missing"]},
    "code": _maybe(_TEXT),
    "scores": _map(_SCORE),
}
_TESTED = _object(
    claim={"enum": ["kept", "broken"]},
    p=_NUMBER,
    p_adjusted=_NUMBER,
    confidence=_NUMBER,
    adjusted=_NUMBER,
    among=_COUNT,
)
_NOISE = _object(family=_TEXT, pairs=_COUNT, scenarios=_COUNT, fixed=_NUMBER, general=_NUMBER)
_RULE = _object(
    rule=_TEXT,
    metric=_maybe(_TEXT),
    cell=_map(_TEXT),
    decision={"enum": [decision.value for decision in Decision]},
    decides=_FLAG,
    figure=_maybe(_NUMBER),
    shown=_TEXT,
    bound=_TEXT,
    low=_maybe(_NUMBER),
    high=_maybe(_NUMBER),
    confidence=_maybe(_NUMBER),
    n=_COUNT,
    planned=_COUNT,
    not_judged=_COUNT,
    failed=_COUNT,
    exact=_FLAG,
    agreed=_COUNT,
    implicit=_FLAG,
    waived=_FLAG,
    sequential=_FLAG,
    tested=_maybe(_TESTED),
    reason=_TEXT,
    episodes=_list(_TEXT),
)
_CELL: Schema = {
    "anyOf": [
        _object(family=_TEXT, metric=_TEXT, passed=_COUNT, failed=_COUNT, not_judged=_COUNT, not_applicable=_COUNT),
        _object(
            family=_TEXT,
            metric=_TEXT,
            unit=_TEXT,
            n=_COUNT,
            missing=_COUNT,
            p50=_maybe(_NUMBER),
            p95=_maybe(_NUMBER),
            p99=_maybe(_NUMBER),
        ),
    ]
}
_FAILURE = _object(
    scenario=_TEXT,
    family=_TEXT,
    status={"enum": [Status.FAILED.value, Status.NOT_JUDGED.value]},
    code=_TEXT,
    title=_TEXT,
    turn=_maybe(_COUNT),
    text=_TEXT,
    expected=_maybe(_TEXT),
    actual=_maybe(_TEXT),
    quote=_maybe(_TEXT),
    where=_maybe(_TEXT),
    secondary=_list(_TEXT),
    paste=_maybe(_TEXT),
    episodes=_list(_TEXT),
    trials=_COUNT,
)
_DAY: Schema = {"type": "string", "format": "date"}
_EXEMPTION = {"owner": _TEXT, "reason": _TEXT, "until": _DAY, "expired": _FLAG}
_TRIALS = _object(
    scenario=_TEXT,
    family=_TEXT,
    tier=_TIER,
    passed=_COUNT,
    failed=_COUNT,
    not_judged=_COUNT,
    flip_rate=_maybe(_NUMBER),
    flaky=_FLAG,
)
_EXEMPTED = {
    "waivers": _list(_object(rule=_TEXT, cell=_map(_TEXT), failed=_COUNT, **_EXEMPTION)),
    "quarantined": _list(_object(scenario=_TEXT, trials=_maybe(_TRIALS), **_EXEMPTION)),
}
_RESULT = _object(
    schema={"const": result_json.SCHEMA},
    run=_TEXT,
    workflow=_TEXT,
    agent=_object(version=_TEXT, source_digest=_TEXT),
    created=_TIME,
    scenarios=_COUNT,
    trials=_COUNT,
    gate=_object(
        decision=_GATE,
        says=_TEXT,
        partial=_maybe(_TEXT),
        uncounted=_list(_TEXT),
        until_decided=_maybe(_object(planned=_COUNT, most=_COUNT)),
        rules=_list(_RULE),
        noise_floor=_list(_NOISE),
        **_EXEMPTED,
    ),
    map=_list(_CELL),
    pass_hat=_map(_list(_NUMBER)),
    flips=_list(_TRIALS),
    planned=_map(_COUNT),
    played=_map(_COUNT),
    failures=_list(_FAILURE),
    fix_in=_map(_COUNT),
    unscripted=_list(_TEXT),
    notes=_list(_TEXT),
    episodes=_list(_object(**_PLACE, verdict=_maybe(_JUDGEMENT))),
)
_STANDING = _object(
    agent=_TEXT,
    run=_TEXT,
    decision=_maybe(_TEXT),
    reason=_TEXT,
    played=_COUNT,
    spared=_COUNT,
    cost_usd=_object(mean=_maybe(_NUMBER), n=_COUNT, missing=_COUNT),
    latency_seconds=_object(p95=_maybe(_NUMBER), n=_COUNT, missing=_COUNT),
    dominated_by=_list(_TEXT),
)
_TOKENS = _maybe({"type": "integer"})
_RUN_LINE = _object(
    type={"const": "run"},
    schema={"const": episode_lines.SCHEMA},
    run=_TEXT,
    workflow=_TEXT,
    agent=_TEXT,
    source_digest=_TEXT,
    created=_TIME,
    gate=_GATE,
    partial=_maybe(_TEXT),
    waivers=_COUNT,
    quarantined=_list(_TEXT),
    planned=_COUNT,
    played=_COUNT,
    spared=_COUNT,
    missing=_COUNT,
)
_EPISODE_LINE = _object(
    type={"const": "episode"},
    run=_TEXT,
    agent=_TEXT,
    **_PLACE,
    status=_maybe(_STATUS),
    reason=_TEXT,
    turn=_maybe(_COUNT),
    usage=_object(
        model_calls=_TOKENS,
        tokens_in=_TOKENS,
        tokens_out=_TOKENS,
        tokens_cached=_TOKENS,
        tokens_reasoning=_TOKENS,
        cost_usd=_maybe(_TEXT),
    ),
    times=_object(started=_maybe(_TIME), ended=_maybe(_TIME), turn_seconds=_list(_maybe(_NUMBER))),
)


def result_schema() -> Schema:
    """Of a `.json` file: a run, or several versions side by side."""
    comparison = _object(
        schema={"const": comparison_json.SCHEMA},
        workflow=_TEXT,
        families=_map(_list(_STANDING)),
        results=_list({"$ref": "#/$defs/result"}),
    )
    return {
        "$schema": _DIALECT,
        "title": "turngate result",
        "anyOf": [{"$ref": "#/$defs/result"}, comparison],
        "$defs": {"result": _RESULT},
    }


def episodes_schema() -> Schema:
    """Of each line of a `.jsonl` file."""
    return {"$schema": _DIALECT, "title": "turngate episodes, one line", "anyOf": [_RUN_LINE, _EPISODE_LINE]}
