"""`turngate schema`: JSON Schema for editors."""

from __future__ import annotations

import json

from harness.cli.exits import Exit, UserError
from harness.cli.out import console
from harness.workflow.json_schema import scenario_schema, workflow_schema

_SCHEMAS = {"workflow": workflow_schema, "scenarios": scenario_schema}


def schema(kind: str) -> int:
    """Print the schema of workflow.yaml or of scenarios/*.yaml."""
    if kind not in _SCHEMAS:
        raise UserError(f"schema {kind}: there are {' and '.join(_SCHEMAS)}")
    console().out(json.dumps(_SCHEMAS[kind](), indent=2))
    return Exit.PASSED
