"""`variant_of: ID`: a scenario written as another one with overrides, merged before anything is read into it.

Mappings are merged key by key, everything else replaces, `null` deletes; under `given`, `knows` and `now` null is a
value of its own and stays.
"""

from __future__ import annotations

from collections.abc import Iterator

from harness.model.source import Mapping, Scalar, is_null
from harness.workflow.problems import Problem
from harness.workflow.yaml_nodes import Node
from tools_sandbox.nearest import nearest

_NULL_IS_A_VALUE = ("given", "knows", "now")


def resolve_variants(scenarios: list[Mapping], problems: list[Problem], *, whole: bool = True) -> list[Mapping]:
    """The scenarios with every variant merged into what it varies, in the same order; those with a problem (no such id,
    a circle) are left out and told in `problems`. Unless these are the `whole` of the scenarios, an id that is not
    among them is no problem of its own.
    """
    by_id = {identifier.raw: node for node in scenarios if isinstance(identifier := node.get("id"), Scalar)}
    resolved = []
    for node in scenarios:
        try:
            chain = list(_chain(node, by_id))
        except _Circle as circle:
            problems.append(circle.problem)
            continue
        except _Unknown as unknown:
            problems.extend([unknown.problem] if whole else [])
            continue
        merged = chain.pop()
        while chain:
            merged = _merged(_unnamed(merged), chain.pop())
        resolved.append(merged)
    return resolved


class _Broken(Exception):
    def __init__(self, problem: Problem) -> None:
        self.problem = problem


class _Circle(_Broken):
    pass


class _Unknown(_Broken):
    pass


def _chain(node: Mapping, by_id: dict[str, Mapping]) -> Iterator[Mapping]:
    """The scenario, what it varies, what that varies, and so on."""
    seen: list[Mapping] = []
    while True:
        yield node
        seen.append(node)
        base = node.get("variant_of")
        if not isinstance(base, Scalar):
            return
        if base.raw not in by_id:
            raise _Unknown(Problem(base.at, f"there is no scenario `{base.raw}` to vary", nearest(base.raw, by_id)))
        node = by_id[base.raw]
        if any(node is earlier for earlier in seen):
            raise _Circle(Problem(base.at, f"`variant_of: {base.raw}` goes round in a circle"))


def _unnamed(base: Mapping) -> Mapping:
    return Mapping({key: value for key, value in base.items() if key != "id"}, base.at, base.keys_at)


def _merged(base: Mapping, over: Mapping, *, keep_null: bool = False) -> Mapping:
    members: dict[str, Node] = dict(base)
    for key, value in over.items():
        below = members.get(key)
        if is_null(value) and not keep_null:
            members.pop(key, None)
        elif isinstance(value, Mapping) and isinstance(below, Mapping):
            members[key] = _merged(below, value, keep_null=keep_null or key in _NULL_IS_A_VALUE)
        else:
            members[key] = value
    return Mapping(members, over.at, {**base.keys_at, **over.keys_at})
