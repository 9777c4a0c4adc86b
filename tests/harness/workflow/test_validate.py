# ruff: noqa: E501 (a table reads best with a case a line)
from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness.workflow.bundles import SCENARIO, WORKFLOW, loaded, only, problems


def told(problem: object) -> str:
    """A problem as printed, without its folder."""
    place, text = str(problem).split(": ", 1)
    return f"{Path(place).name}: {text}"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("  family: refunds", "  familly: refunds", "refunds.yaml:3:3: unknown key `familly`; did you mean `family`?"),
        ("knows: {order_id: O-1}", "knowss: {order_id: O-1}", "refunds.yaml:8:5: unknown key `knowss`; did you mean `knows`?"),
        ("  tier: critical", "  faults: [timeout]", "refunds.yaml:4:3: `faults` is not supported yet (take it out)"),
        ("  tier: critical", "  perturb: typos", "refunds.yaml:4:3: `perturb` is not supported yet (take it out)"),
        ("  tier: critical", "  tier: crtical", "refunds.yaml:4:9: `crtical` is none of critical, core, explore; did you mean `critical`?"),
        ("  clauses: [R1]", "  clauses: R1", "refunds.yaml:5:12: `clauses` is a list, not `R1` (write each item behind a `- `)"),
        ("{language: en}", "{language: [en]}", "refunds.yaml:6:22: `slices.language` is a text, not a list (quote it if it is meant as text)"),
        ("{language: en}", "en", "refunds.yaml:6:11: `slices` is a mapping of keys to values, not `en`"),
        ("turns: [I want my money back.]", "turns: []", "refunds.yaml:9:12: `user.turns` is empty (it needs at least 1)"),
        ("knows: {order_id: O-1}", "max_turns: many", "refunds.yaml:8:16: expected a number such as 3 or 0.5, not `many`"),
        ("knows: {order_id: O-1}", "max_turns: 0", "refunds.yaml:8:16: `user.max_turns`: input should be greater than or equal to 1, not `0`"),
        ("knows: {order_id: O-1}", "max_turns: 2.5", "refunds.yaml:8:16: `user.max_turns` is a whole number, not `2.5`"),
        ("knows: {order_id: O-1}", "max_turns: 012", "refunds.yaml:8:16: expected a number such as 3 or 0.5, not `012`"),
        ("{required: [{refund: {order_id: O-1}}]}", "{before: [[refund]]}", "refunds.yaml:12:22: expected a pair of calls, the earlier first: `[verify_identity, issue_refund]`"),
        ("{required: [{refund: {order_id: O-1}}]}", "{required: [{refund: {}, get_order: {}}]}", "refunds.yaml:12:24: write a tool, or one tool with its arguments: `{issue_refund: {order_id: O-1}}`"),
        ("{required: [{refund: {order_id: O-1}}]}", "{required: [{refund: {order_id: {between: 3}}}]}", "refunds.yaml:12:44: between takes a list of two values, lowest first"),
        ("{required: [{refund: {order_id: O-1}}]}", "{required: [{refund: {}, code: XX1}]}", "refunds.yaml:12:43: unknown failure code `XX1`"),
        ("    state: {", "    says: [{between: [1, 2]}]\n    state: {", "refunds.yaml:11:12: a reply is held against `mentions` or `like`, not `between`"),
        ("    - reply: Done.", "    - replay: Done.", "refunds.yaml:15:7: `replay` is followed by text, and only `reply` may be; did you mean `reply`?"),
        ("    - reply: Done.", "    - refund: O-1", "refunds.yaml:15:7: `refund` is followed by text, and only `reply` may be"),
        ("    - reply: Done.", "    - reply: Done.\n      refund: {}", "refunds.yaml:16:7: unknown key `refund`"),
        ("- id: refund-one\n", "- at: here\n  id: refund-one\n", "refunds.yaml:2:3: unknown key `at`"),
    ],
)  # fmt: skip
def test_scenario_mistakes_in_plain_words(tmp_path, before: str, after: str, expected: str) -> None:
    assert before in SCENARIO
    found = only(tmp_path, scenario=SCENARIO.replace(before, after, 1))
    assert told(found).startswith(expected)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("trials: 2", "trails: 2", "workflow.yaml:4:1: unknown key `trails`; did you mean `trials`?"),
        ("trials: 2", "trials: true", "workflow.yaml:4:9: expected a number such as 3 or 0.5, not `true`"),
        ("at_least: 0.9}", "at_least: 0.9, stat: pass^0}", "workflow.yaml:18:69: `pass^0` is none of mean, p50, p90, p95, p99, max, pass^2, pass^3 …"),
        ("at_least: 0.9}", "at_least: 0.9, required: yes}", "workflow.yaml:18:73: expected true or false, not `yes`"),
        ("    source: [authored]\n", "", "workflow.yaml:13:3: family `refunds` has no `source`: a row of the scenario map has no holes"),
        ("    failures: [TO1]\n", "    failures:\n", "workflow.yaml:13:3: family `refunds` has no `failures`"),
        ("    failures: [TO1]\n", "    failures: [TO1, KN9]\n", "workflow.yaml:17:21: unknown failure code `KN9`"),
        ("failures: [TO1]", "failures: [[TO1]]", "workflow.yaml:17:16: expected text, not a list"),
        ("every: trial", "every: time", "workflow.yaml:21:46: `time` is none of trial"),
    ],
)  # fmt: skip
def test_workflow_mistakes_in_plain_words(tmp_path, before: str, after: str, expected: str) -> None:
    assert before in WORKFLOW
    assert told(only(tmp_path, workflow=WORKFLOW.replace(before, after, 1))).startswith(expected)


def test_every_mistake_of_every_file_is_told_in_order(tmp_path) -> None:
    found = problems(
        tmp_path,
        workflow=WORKFLOW.replace("trials", "trails").replace("about: Refunds", "abuot: Refunds"),
        scenario=SCENARIO.replace("tier: critical", "tier: hard").replace("  expect:", "  expects:"),
    )
    assert [told(problem).split(": ")[0] for problem in found] == [
        "refunds.yaml:4:9",
        "refunds.yaml:10:3",
        "workflow.yaml:4:1",
        "workflow.yaml:14:5",
    ]


def test_defaults_fill_the_holes_of_a_row(tmp_path) -> None:
    text = WORKFLOW.replace("    source: [authored]\n", "    source:\n").replace(
        "scenario_map:\n", "scenario_map:\n  defaults: {source: [production], about: never used}\n"
    )
    family = loaded(tmp_path, workflow=text).workflow.scenario_map
    assert list(family) == ["refunds"]
    assert (family["refunds"].source, family["refunds"].about) == (["production"], "Refunds")


def test_defaults_misspelt_are_one_mistake(tmp_path) -> None:
    text = WORKFLOW.replace("    source: [authored]\n", "").replace(
        "scenario_map:\n", "scenario_map:\n  default: {source: [production]}\n"
    )
    found = told(only(tmp_path, workflow=text))
    assert found == "workflow.yaml:13:3: `default` is no family: it has no `about`; did you mean `defaults`?"
    family = "  default_flow:" + WORKFLOW.split("  refunds:")[1].split("gate:\n  -")[0]
    assert (
        "default_flow"
        in loaded(tmp_path, workflow=WORKFLOW.replace("gate:\n  -", f"{family}gate:\n  -")).workflow.scenario_map
    )


def test_a_colon_in_a_sentence_that_makes_a_key(tmp_path) -> None:
    scenario = SCENARIO.replace("turns: [I want my money back.]", "turns:\n      - My problem is this: it broke")
    assert "quote the sentence if it is text" in str(only(tmp_path, scenario=scenario))
