from __future__ import annotations

from typing import Any

import pytest

from harness.model.source import Mapping, Scalar, free
from harness.workflow.problems import Problem
from harness.workflow.variants import resolve_variants
from harness.workflow.yaml_nodes import parse


def resolved(text: str) -> tuple[dict[str, Any], list[Problem]]:
    problems: list[Problem] = []
    nodes = list(parse(text, "f.yaml"))
    whole = resolve_variants([node for node in nodes if isinstance(node, Mapping)], problems)
    return {node["id"].raw: free(node) for node in whole if isinstance(node["id"], Scalar)}, problems


def test_mappings_merge_lists_replace_null_deletes() -> None:
    found, problems = resolved(
        """
- id: a
  slices: {language: en, tier: gold}
  expect: {says: [one, two], calls: {never: [x]}, state: {t.k: 1}}
- id: b
  variant_of: a
  slices: {language: es}
  expect: {says: [uno], calls: null}
"""
    )
    assert not problems
    assert found["b"] == {
        "id": "b",
        "variant_of": "a",
        "slices": {"language": "es", "tier": "gold"},
        "expect": {"says": ["uno"], "state": {"t.k": 1}},
    }
    assert "variant_of" not in found["a"]


def test_under_given_and_knows_null_is_a_value() -> None:
    found, _ = resolved(
        """
- {id: a, given: {orders.O-1: {status: x}}, user: {knows: {phone: "1", email: e}}}
- {id: b, variant_of: a, given: {orders.O-1: null}, user: {knows: {phone: null}}}
"""
    )
    assert found["b"]["given"] == {"orders.O-1": None}
    assert found["b"]["user"]["knows"] == {"phone": None, "email": "e"}


def test_chains_in_any_order() -> None:
    found, problems = resolved(
        """
- {id: c, variant_of: b, z: 3}
- {id: b, variant_of: a, y: 2}
- {id: a, x: 1, y: 1, z: 1}
"""
    )
    assert not problems
    assert found["c"] == {"id": "c", "variant_of": "b", "x": 1, "y": 2, "z": 3}


def test_places_are_those_of_what_was_written() -> None:
    problems: list[Problem] = []
    nodes = list(parse("- id: a\n  title: one\n  family: f\n- id: b\n  variant_of: a\n  title: two\n", "f.yaml"))
    variant = resolve_variants(nodes, problems)[1]  # type: ignore[arg-type]
    assert (variant.at.line, variant["title"].at.line, variant["family"].at.line) == (4, 6, 3)
    assert variant.keys_at["family"].line == 3


def test_a_circle_is_told() -> None:
    found, problems = resolved(
        "- {id: a, variant_of: b}\n- {id: b, variant_of: a}\n- {id: c, variant_of: c}\n- {id: d}\n"
    )
    assert list(found) == ["d"]
    assert [str(problem).split(": ", 1)[1] for problem in problems] == [
        "`variant_of: a` goes round in a circle",
        "`variant_of: b` goes round in a circle",
        "`variant_of: c` goes round in a circle",
    ]


def test_an_unknown_base_is_told_with_the_nearest() -> None:
    _, (problem,) = resolved("- {id: refund-blender}\n- {id: b, variant_of: refund-blendr}\n")
    assert str(problem) == "f.yaml:2:23: there is no scenario `refund-blendr` to vary; did you mean `refund-blender`?"


@pytest.mark.parametrize("null", ["null", ""])
def test_null_may_be_written_or_left_out(null: str) -> None:
    found, _ = resolved(f"- id: a\n  title: x\n- id: b\n  variant_of: a\n  title: {null}\n")
    assert "title" not in found["b"]


def test_what_a_broken_file_may_hold_is_not_missing() -> None:
    problems: list[Problem] = []
    nodes = [node for node in parse("- {id: b, variant_of: elsewhere}\n", "f.yaml") if isinstance(node, Mapping)]
    assert resolve_variants(nodes, problems, whole=False) == []
    assert not problems
