"""The scenario map's `defaults:` row, filled into every family."""

from __future__ import annotations

from harness.model.source import Mapping, is_null
from harness.workflow.yaml_nodes import Node


def fill_defaults(workflow: Mapping) -> Mapping:
    """The workflow node with `scenario_map.defaults` taken out and its columns given to each family that lacks them.

    A column that is left empty is lacking.
    """
    rows = workflow.get("scenario_map")
    if not isinstance(rows, Mapping):
        return workflow
    defaults = rows.get("defaults", Mapping({}, rows.at, {}))
    if not isinstance(defaults, Mapping):
        return workflow
    families = {name: _filled(row, defaults) for name, row in rows.items() if name != "defaults"}
    scenario_map = Mapping(families, rows.at, rows.keys_at)
    return Mapping({**workflow, "scenario_map": scenario_map}, workflow.at, workflow.keys_at)


def _filled(row: Node, defaults: Mapping) -> Node:
    if not isinstance(row, Mapping):
        return row
    written = {column: value for column, value in row.items() if not is_null(value)}
    return Mapping({**defaults, **written}, row.at, {**defaults.keys_at, **row.keys_at})
