"""From nodes to models: what pydantic finds, told in plain words and with the place in the file."""

from __future__ import annotations

import re
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from harness.model.source import Item, Mapping, Scalar, Sequence, Stray, Where, kind_of
from harness.workflow.problems import Problem, listed
from harness.workflow.yaml_nodes import Node
from tools_sandbox.nearest import nearest

NOT_YET = frozenset(
    {"faults", "perturb", "perturbations", "generalise", "quarantine", "waivers", "until_decided", "include"}
)
"""Keys that are planned: they are refused by name rather than taken for a slip."""

M = TypeVar("M", bound=Item)


def validate(model: type[M], node: Node, problems: list[Problem]) -> M | None:
    """The model that a node describes; None if there are problems, which are added to the list."""
    try:
        return model.model_validate(node)
    except ValidationError as error:
        problems.extend(_problem(each, node) for each in error.errors(include_url=False))
        return None


def place_of(node: Any, path: tuple[str | int, ...]) -> Where:
    """The place of the deepest node that `path` leads to. Steps that the file does not have, since the model adds them
    to a short form, are skipped. Of a value that is missing its key's place is given.
    """
    at: Where = node.at
    for step in path:
        if isinstance(node, Mapping) and isinstance(step, int) and step < len(node):
            step = list(node)[step]
        if isinstance(node, Mapping) and isinstance(step, str) and step in node:
            at, node = node.keys_at[step], node[step]
        elif isinstance(node, Sequence) and isinstance(step, int) and step < len(node):
            at, node = node[step].at, node[step]
    return at


def _problem(error: ErrorDetails, root: Node) -> Problem:
    value: Any = error["input"]
    where = place_of(root, error["loc"])
    if isinstance(value, Stray):
        return _stray(value)
    if error["type"] == "value_error" and isinstance(value, Scalar | Mapping | Sequence):
        where = value.at
    path = ".".join(map(str, error["loc"]))
    context = error.get("ctx", {})
    match error["type"]:
        case "value_error":
            return Problem(where, str(context["error"]))
        case "missing":
            return _missing(error["loc"], where)
        case "literal_error":
            known = re.findall(r"'([^']*)'", context["expected"])
            return Problem(where, f"{kind_of(value)} is none of {listed(known)}", nearest(str(value), known))
        case "list_type" | "tuple_type":
            return Problem(where, f"`{path}` is a list, not {kind_of(value)}", do="write each item behind a `- `")
        case "string_type":
            return Problem(where, f"`{path}` is a text, not {kind_of(value)}", do="quote it if it is meant as text")
        case "too_short":
            return Problem(where, f"`{path}` is empty", do=f"it needs at least {context['min_length']}")
        case "int_from_float" | "int_type" | "int_parsing":
            return Problem(where, f"`{path}` is a whole number, not {kind_of(value)}")
        case "dict_type" | "model_type" | "model_attributes_type":
            return Problem(where, f"`{path}` is a mapping of keys to values, not {kind_of(value)}")
        case _:
            return Problem(where, f"`{path}`: {error['msg'][:1].lower()}{error['msg'][1:]}, not {kind_of(value)}")


def _stray(stray: Stray) -> Problem:
    if stray.key in NOT_YET:
        return Problem(stray.at, f"`{stray.key}` is not supported yet", do="take it out")
    guess = nearest(stray.key, stray.known)
    advice = f"known here: {listed(stray.known, 20)}"
    if " " in stray.key:
        advice = "quote the sentence if it is text: a `: ` in it makes a key; " + advice
    return Problem(stray.at, f"unknown key `{stray.key}`", guess, advice)


def _missing(loc: tuple[str | int, ...], where: Where) -> Problem:
    *parents, name = loc
    if parents[:1] == ["scenario_map"]:
        what = f"family `{parents[1]}` has no `{name}`: a row of the scenario map has no holes"
        return Problem(where, what, do="fill it in here, or for every family under `scenario_map.defaults`")
    within = f" in `{'.'.join(map(str, parents))}`" if parents else ""
    return Problem(where, f"`{name}` is missing{within}")
