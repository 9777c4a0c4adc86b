"""`turngate schema`: JSON Schemas of the files that people write, for editors, and of those that programs read."""

from __future__ import annotations

import json

from harness.cli.exits import Exit, UserError
from harness.cli.out import console
from harness.replay.recordings.own_form import recording_schema
from harness.reports.json_schemas import episodes_schema, result_schema
from harness.workflow.json_schema import scenario_schema, workflow_schema

_SCHEMAS = {
    "workflow": workflow_schema,
    "scenarios": scenario_schema,
    "result": result_schema,
    "episodes": episodes_schema,
    "recording": recording_schema,
}


def schema(kind: str) -> int:
    """Print the schema of workflow.yaml, of scenarios/*.yaml, of what `-o` writes to .json, or a line of
    .jsonl, or of a recording.
    """
    if kind not in _SCHEMAS:
        raise UserError(f"schema {kind}: there are {', '.join(_SCHEMAS)}")
    console().out(json.dumps(_SCHEMAS[kind](), indent=2))
    return Exit.PASSED
