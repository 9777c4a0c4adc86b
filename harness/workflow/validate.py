"""From nodes to models: what pydantic finds, told in plain words and with the place in the file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from harness.model.source import Item, Mapping, Scalar, Sequence, Stray, Where, is_null, kind_of
from harness.workflow.problems import Problem, listed
from harness.workflow.yaml_nodes import Node
from tools_sandbox.nearest import nearest

NOT_YET = frozenset({"faults", "perturb", "perturbations", "include"})
"""Keys that are planned: they are refused by name rather than taken for a slip."""

M = TypeVar("M", bound=Item)
Path = tuple[str | int, ...]


def validate(model: type[M], node: Node, problems: list[Problem]) -> M | None:
    """The model that a node describes; None if there are problems, which are added to the list."""
    try:
        return model.model_validate(node)
    except ValidationError as error:
        problems.extend(_problems(error.errors(include_url=False), node))
        return None


def value_place(node: Any, path: Path) -> Where:
    """The place of the deepest value that `path` leads to; that of its key if nothing is written there."""
    key, value = _deepest(node, path)
    return key if is_null(value) else value.at


def key_place(node: Any, path: Path) -> Where:
    """The place of the last key (or list item) on the way along `path`."""
    return _deepest(node, path)[0]


def _deepest(node: Any, path: Path) -> tuple[Where, Any]:
    """The last key's place and the value. Steps that the file does not have, since the model adds them to a short form,
    are skipped; a number leads to a member of a mapping where the model makes a list of it.
    """
    key: Where = node.at
    for step in path:
        if isinstance(node, Mapping) and isinstance(step, int) and step < len(node):
            step = list(node)[step]
        if isinstance(node, Mapping) and isinstance(step, str) and step in node:
            key, node = node.keys_at[step], node[step]
        elif isinstance(node, Sequence) and isinstance(step, int) and step < len(node):
            key, node = node[step].at, node[step]
    return key, node


def _problems(errors: list[ErrorDetails], root: Node) -> Iterator[Problem]:
    """A key that is missing since it is misspelt, or since a sentence was taken for a key, is told once."""
    told: set[Path] = set()
    for error in errors:
        stray = error["input"]
        if isinstance(stray, Stray):
            problem = _stray(stray)
            meant = stray.known if _is_sentence(stray.key) else (problem.meant or "",)
            told.update((*error["loc"][:-1], key) for key in meant)
            yield problem
    for error in errors:
        if not isinstance(error["input"], Stray) and not (error["type"] == "missing" and error["loc"] in told):
            yield _problem(error, root)


def _is_sentence(key: str) -> bool:
    return " " in key


def _problem(error: ErrorDetails, root: Node) -> Problem:
    value: Any = error["input"]
    where = value_place(root, error["loc"])
    if error["type"] == "value_error" and isinstance(value, Scalar | Mapping | Sequence):
        where = value.at
    path = _dotted(error["loc"])
    context = error.get("ctx", {})
    match error["type"]:
        case "value_error":
            return Problem(where, str(context["error"]))
        case "missing":
            return _missing(error["loc"], key_place(root, error["loc"]))
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


def _dotted(path: Iterable[str | int]) -> str:
    """A path as it is written; which of several forms something has (`$service`) is no key."""
    return ".".join(str(step) for step in path if not str(step).startswith("$"))


def _stray(stray: Stray) -> Problem:
    if stray.key in NOT_YET:
        return Problem(stray.at, f"`{stray.key}` is not supported yet", do="take it out")
    guess = nearest(stray.key, stray.known)
    advice = f"known here: {listed(stray.known, 20)}"
    if _is_sentence(stray.key):
        advice = "quote the sentence if it is text: a `: ` in it makes a key; " + advice
    return Problem(stray.at, f"unknown key `{stray.key}`", guess, advice)


def _missing(loc: Path, where: Where) -> Problem:
    *parents, name = loc
    if parents[:1] == ["scenario_map"]:
        what = f"family `{parents[1]}` has no `{name}`: a row of the scenario map has no holes"
        return Problem(where, what, do="fill it in here, or for every family under `scenario_map.defaults`")
    within = f" in `{_dotted(parents)}`" if parents else ""
    return Problem(where, f"`{name}` is missing{within}")
