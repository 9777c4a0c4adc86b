"""The scenario map's `defaults:` row, filled into every family."""

from __future__ import annotations

from harness.model.source import Mapping, is_null
from harness.workflow.problems import Problem
from harness.workflow.yaml_nodes import Node
from tools_sandbox.nearest import nearest

_DEFAULTS = "defaults"


def fill_defaults(workflow: Mapping, problems: list[Problem]) -> Mapping:
    """The workflow node with `scenario_map.defaults` taken out and its columns given to each family that lacks them.

    A column that is left empty is lacking. A row of defaults that is misspelt is told in `problems`, and taken for it.
    """
    rows = workflow.get("scenario_map")
    if not isinstance(rows, Mapping):
        return workflow
    written = _DEFAULTS
    if _DEFAULTS not in rows and (misspelt := _misspelt(rows)):
        written = misspelt
        problems.append(Problem(rows.keys_at[written], f"`{written}` is no family: it has no `about`", _DEFAULTS))
    defaults = rows.get(written, Mapping({}, rows.at, {}))
    if not isinstance(defaults, Mapping):
        return workflow
    families = {name: _filled(row, defaults) for name, row in rows.items() if name != written}
    scenario_map = Mapping(families, rows.at, rows.keys_at)
    return Mapping({**workflow, "scenario_map": scenario_map}, workflow.at, workflow.keys_at)


def _misspelt(rows: Mapping) -> str | None:
    """The first row whose name is like `defaults`, and which says less than a family must."""
    return next(
        (
            name
            for name, row in rows.items()
            if nearest(name, [_DEFAULTS]) and isinstance(row, Mapping) and "about" not in row
        ),
        None,
    )


def _filled(row: Node, defaults: Mapping) -> Node:
    if not isinstance(row, Mapping):
        return row
    written = {column: value for column, value in row.items() if not is_null(value)}
    return Mapping({**defaults, **written}, row.at, {**defaults.keys_at, **row.keys_at})
