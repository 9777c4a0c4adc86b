"""Why a call failed, and whether it was given a value where the scenario wants another: then the agent is to blame."""

from __future__ import annotations

from collections.abc import Iterator

from harness.model.material import Material
from harness.scoring.calls import arguments_type, fits
from harness.scoring.wishes import asked_calls, expectations
from tools_sandbox.call import Call, Json
from tools_sandbox.schema import ANY
from tools_sandbox.text import mentions
from tools_sandbox.values import same


def reason(call: Call) -> str:
    """Why a call failed, on one line: the error that it was answered, or the exception of a tool that is broken."""
    lines = (call.exception or (call.error.text if call.error else "")).strip().splitlines()
    return lines[-1] if lines else "no reason given"


def astray(call: Call, material: Material) -> bool:
    """Whether a failed call had a wrong argument: none of the calls that the scenario asks of this tool fits it, or the
    failure is over a value that is another on the gold path, or over one that no row goes by while the row that is to
    change is not named at all. What a tool searches for is worded freely, and never wrong.
    """
    spec = material.schema.tools.get(call.tool)
    if spec is not None and spec.retrieves:
        return False
    asked = [item for item in asked_calls(expectations(material.scenario)) if item.tool == call.tool and item.arguments]
    if asked:
        return not any(fits(item, call, material.schema) for item in asked)
    blamed = {name: value for name, value in (call.arguments or {}).items() if _names(reason(call), value)}
    right = [step.arguments for step in material.scenario.gold if step.tool == call.tool]
    if right:
        types = arguments_type(material.schema, call.tool).fields
        return all(
            any(not same(wanted.get(name), value, types.get(name, ANY)) for name, value in blamed.items())
            for wanted in right
        )
    given = {str(value) for value in (call.arguments or {}).values()}
    unknown = any(all(str(value) not in rows for rows in material.start.values()) for value in blamed.values())
    wanted_rows = {key for key in _rows_to_change(material) if call.kind == "writes"}
    return unknown and bool(wanted_rows) and given.isdisjoint(wanted_rows)


def _rows_to_change(material: Material) -> Iterator[str]:
    """Keys of the rows of the start state that expectations name."""
    for expect in expectations(material.scenario):
        for path in expect.state or {}:
            table, _, below = path.partition(".")
            rows = material.start.get(table, {})
            parts = below.split(".")
            yield from (key for end in range(1, len(parts) + 1) if (key := ".".join(parts[:end])) in rows)


def _names(text: str, value: Json) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool) and mentions(str(value), text) is not None
