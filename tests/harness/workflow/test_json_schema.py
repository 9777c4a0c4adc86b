# ruff: noqa: E501 (a table reads best with a case a line)
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from harness.workflow.json_schema import scenario_schema, workflow_schema
from tests.docs.pages import PAGES, Block, blocks
from tests.harness.workflow.bundles import SCENARIO, WORKFLOW
from tests.reference import ROOT

DATA = Path(__file__).parent / "data"
BUNDLES = [*ROOT.glob("workflows/*"), *DATA.iterdir()]

SCENARIOS = Draft202012Validator(scenario_schema())
WORKFLOWS = Draft202012Validator(workflow_schema())


def as_an_editor_sees_it(text: str) -> Any:
    return json.loads(json.dumps(yaml.safe_load(text), default=str))


def test_the_schemas_are_schemas() -> None:
    Draft202012Validator.check_schema(scenario_schema())
    Draft202012Validator.check_schema(workflow_schema())


@pytest.mark.parametrize("file", [file for bundle in BUNDLES for file in bundle.glob("scenarios/*.yaml")], ids=str)
def test_every_scenario_file_is_taken(file: Path) -> None:
    assert not list(SCENARIOS.iter_errors(as_an_editor_sees_it(file.read_text("utf-8"))))


@pytest.mark.parametrize("file", [bundle / "workflow.yaml" for bundle in BUNDLES], ids=str)
def test_every_workflow_file_is_taken(file: Path) -> None:
    assert not list(WORKFLOWS.iter_errors(as_an_editor_sees_it(file.read_text("utf-8"))))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("id: refund-one", "id: x\n  variant_of: refund-one"),
        ("turns: [I want my money back.]", "turns: [no, 42, 2026-11-20, {say: [a, b], when: {reply: what}}]"),
        ("turns: [I want my money back.]", "declines: [store_credit, {voucher: [gift card]}]\n    turns: [Hi]"),
        ("calls: {", "asks_before: {refund: [order_id]}\n    never_says: nonsense\n    calls: {at_most: {refund: 1}, before: [[refund, {refund: {order_id: any}}]], "),
        ("calls: {", "any_of: [{outcome: refused}, {says: [x, {like: y, code: PO1}]}]\n    calls: {"),
        ("- reply: Done.", "- refund\n    - {reply: Done., outcome: refused}"),
    ],
)  # fmt: skip
def test_every_short_form_is_taken(before: str, after: str) -> None:
    assert before in SCENARIO
    assert not list(SCENARIOS.iter_errors(as_an_editor_sees_it(SCENARIO.replace(before, after))))


@pytest.mark.parametrize(
    "block", [block for page in PAGES for block in blocks(page) if block.language == "yaml"], ids=lambda block: block.place
)  # fmt: skip
def test_every_example_of_the_documents_is_taken(block: Block) -> None:
    file = block.file or ""
    schema = WORKFLOWS if file == "workflow.yaml" else SCENARIOS if file.startswith("scenarios/") else None
    if schema is not None:
        assert not list(schema.iter_errors(as_an_editor_sees_it(block.text)))


def test_a_file_may_be_one_scenario() -> None:
    (scenario,) = as_an_editor_sees_it(SCENARIO)
    assert not list(SCENARIOS.iter_errors(scenario))


@pytest.mark.parametrize(
    ("before", "after"),
    [("family:", "familly:"), ("critical", "crtical"), ("[I want my money back.]", "[]"), ("gold:", "golden:"), ("turns:", "faults: []\n    turns:"),
     ("{order_id: O-1}\n", "[order_id]\n"), ("[R1]", "R1"), ("{language: en}", "en"), ("required:", "requird:"),
     ("[I want my money back.]", "[{sya: Hello.}]"), ("[I want my money back.]", "[Hi.]\n    max_turns: many"), ("    calls:", "    outcome: done\n    calls:"),
     ("    calls:", "    says: [{likes: x}]\n    calls:"), ("    calls:", "    budget: {turn: 3}\n    calls:"), ("    - reply: Done.", "    - [Done.]")],
)  # fmt: skip
def test_mistakes_are_seen(before: str, after: str) -> None:
    assert list(SCENARIOS.iter_errors(as_an_editor_sees_it(SCENARIO.replace(before, after))))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("trials: 2", "trails: 2"),
        ("trials: 2", "trials: 0"),
        ("every: trial", "every: turn"),
        ("[TO1]", "[T1]"),
        ("trials: 2", "trials: 10001"),
        ("trials: 2", "trials: [2]"),
        ("kind: reads", "kind: red"),
        ("args: {order_id: text}", "args: {order_id: txt}"),
        ("kind: reads, args", "kind: reads, arg"),
        ("at_least: 0.9", "at_lest: 0.9"),
        ("[critical_failure]", "[critical]"),
        ("gate:\n  - {", "rules: [{id: a, need: x, befor: writes}]\ngate:\n  - {"),
    ],
)
def test_mistakes_in_a_workflow_are_seen(before: str, after: str) -> None:
    assert not list(WORKFLOWS.iter_errors(as_an_editor_sees_it(WORKFLOW)))
    assert list(WORKFLOWS.iter_errors(as_an_editor_sees_it(WORKFLOW.replace(before, after))))
