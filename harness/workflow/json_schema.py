"""JSON Schemas of the files that people write, for their editors: every form that the loader takes is taken."""

from __future__ import annotations

from typing import Any

from harness.model.scenario import Scenario
from harness.model.source import Item
from harness.model.workflow import Family, Workflow

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def scenario_schema() -> dict[str, Any]:
    """The schema of a scenario file: a list of scenarios, or one. A variant needs no more than its id."""
    schema = _schema(Scenario)
    definitions = schema.pop("$defs")
    needed = [name for name in schema.pop("required") if name != "id"]
    one = {**schema, "required": ["id"], "anyOf": [{"required": ["variant_of"]}, {"required": needed}]}
    definitions["Scenario"] = one
    ref = {"$ref": "#/$defs/Scenario"}
    return {
        "$schema": _DIALECT,
        "title": "turngate scenarios",
        "anyOf": [{"type": "array", "items": ref}, ref],
        "$defs": definitions,
    }


def workflow_schema() -> dict[str, Any]:
    """The schema of a workflow file. A row of the scenario map may leave to `defaults` what it lacks."""
    schema = _schema(Workflow)
    definitions = schema["$defs"]
    definitions[Family.__name__].pop("required")
    return {"$schema": _DIALECT, **schema, "title": "turngate workflow"}


def _schema(model: type[Item]) -> dict[str, Any]:
    return model.model_json_schema(by_alias=True, mode="validation")
