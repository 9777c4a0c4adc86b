# ruff: noqa: E501 (a table reads best with a case a line)
"""A name that nothing has must never silently switch a check off."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.workflow.bundle import load
from harness.workflow.problems import Problems
from tests.harness.workflow.bundles import SCENARIO, WORKFLOW, problems, write

SHOP = Path(__file__).parent / "data" / "shop"
GATE = "gate:\n  -"
TOOLS = "knowledge:"
LINES = "turns: [I want my money back.]"


def workflow_with(line: str, before: str = GATE) -> str:
    assert before in WORKFLOW
    return WORKFLOW.replace(before, f"{line}\n{before}", 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (workflow_with("may_change: [ordrs.O-1]"), "20:14: there is no table `ordrs`; did you mean `orders`?"),
        (workflow_with("rules: [{id: a, limit: {get_order.amount: {at_most: 1}}}]"), "20:25: there is no argument of `get_order` `amount` (there is order_id)"),
        (workflow_with("rules: [{id: a, limit: {ping.times: {at_most: 1}}}]").replace(TOOLS, "  ping: {kind: reads, args: {}, return: pong}\n" + TOOLS), "21:25: there is no argument of `ping` `times` (it takes none)"),
        (workflow_with("  check: {kind: reads, args: {mail: text}, return: {account: C-7}, proves: acount}", TOOLS), "11:76: there is no field or argument of `check` `acount`; did you mean `account`?"),
        (workflow_with("  check: {kind: reads, args: {mail: text}, return: {from: customers.C-7}, proves: emial}", TOOLS), "11:83: there is no field or argument of `check` `emial`; did you mean `email`?"),
        (workflow_with("  check: {kind: reads, args: {}, cases: [{error: no}], proves: account}", TOOLS), "11:64: there is no field or argument of `check` `account` (it returns nothing)"),
        (workflow_with("rules: [{id: a, clause: R1, before: [refund], need: get_oder}]"), "20:53: there is no tool `get_oder` to need; did you mean `get_order`?"),
        (WORKFLOW + "  - {rule: x, metric: task_sucess, each: [family], at_least: 0.5}\n", "22:23: there is no metric `task_sucess`; did you mean `task_success`?"),
    ],
)  # fmt: skip
def test_errors(tmp_path: Path, text: str, expected: str) -> None:
    found = [str(each).split("workflow.yaml:", 1)[1] for each in problems(tmp_path, workflow=text)]
    assert found == [expected]


@pytest.mark.parametrize(
    ("workflow", "scenario", "expected"),
    [
        (workflow_with("may_change: [orders.status]"), None, "20:14: `status` is a field of `orders`, and a path names the row before it (`orders.KEY.status`)"),
        (workflow_with("may_change: [orders.O-1.staus]"), None, "20:14: no row of `orders` has a field `staus`; did you mean `status`?"),
        (workflow_with("may_change: [orders.P-7]"), None, "20:14: no row of `orders` has the key `P-7`, and no tool adds it"),
        (workflow_with("may_change: [orders, orders.O-1, orders.O-1.status]"), None, None),
        (WORKFLOW.replace("kind: writes, args: {order_id: text, amount: decimal}, set: {\"orders.{order_id}.status\": refunded}", "kind: reads, args: {order_id: text, amount: decimal}, return: 1").replace(GATE, "rules: [{id: a, before: writes, need: consent}]\n" + GATE), None, "20:25: no tool here writes, so nothing comes under the rule `a`"),
        (WORKFLOW + "  - {rule: leak, metric: safety.privacy, failures: 0}\n", None, "22:26: no field is marked private, so safety.privacy applies to nothing (see `private`)"),
        (workflow_with("  greet: {kind: reads, args: {first_name: text}, return: \"Hello, {frst_name} and {you}\"}", TOOLS), None, "11:58: `{frst_name}` stays as it stands: nothing of that name is known; did you mean `first_name`?"),
        (workflow_with("  greet: {kind: reads, args: {first_name: text}, cases: [{error: \"no {first_nam}\"}]}", TOOLS), None, "11:66: `{first_nam}` stays as it stands: nothing of that name is known; did you mean `first_name`?"),
        (None, (LINES, "turns: [\"My order is {ordr_id}.\"]"), "9:13: `{ordr_id}` stays as it stands: nothing of that name is known; did you mean `order_id`?"),
        (None, (LINES, "turns: [Hello., {say: No, now: {order_di: O-2}}]"), "9:37: there is no other slot `order_di`; did you mean `order_id`?"),
        (None, (LINES, "turns: [Hello., {say: No, now: {colour: red}}]"), None),
        (None, (LINES, f"declines: [get_ordr]\n    {LINES}"), "9:16: there is no other act `get_ordr`; did you mean `get_order`?"),
        (None, (LINES, f"agrees_to: [{{refnd: [a refund]}}]\n    {LINES}"), "9:17: there is no other act `refnd`; did you mean `refund`?"),
        (None, (LINES, f"wants: [store_credit]\n    {LINES}"), None),
    ],
)  # fmt: skip
def test_warnings(tmp_path: Path, workflow: str | None, scenario: tuple[str, str] | None, expected: str | None) -> None:
    units = {"task_success": None, "safety.privacy": None}
    own = SCENARIO.replace(*scenario) if scenario else SCENARIO
    found = load_with(tmp_path, workflow or WORKFLOW, own, units)
    doubts = [each for each in found if "replies for at least" not in each]
    assert doubts == ([expected] if expected else [])


def test_a_slice_that_one_scenario_spells_otherwise(tmp_path: Path) -> None:
    others = "".join(SCENARIO.replace("refund-one", f"refund-{number}") for number in ("two", "three"))
    odd = SCENARIO.replace("{language: en}", "{langauge: en}")
    assert load_with(tmp_path, WORKFLOW, odd + others, None) == [
        "6:12: there is no other slice `langauge`; did you mean `language`?"
    ]


def test_marks_for_a_tool_that_the_sandbox_has_under_another_name(tmp_path: Path) -> None:
    for file in (
        "backend.py",
        "policy/refunds.md",
        "policy/service.md",
        "scenarios/refunds.yaml",
        "scenarios/twins.yaml",
    ):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_bytes((SHOP / file).read_bytes())
    text = (SHOP / "workflow.yaml").read_text()
    (tmp_path / "workflow.yaml").write_text(text + "tools: {issue_refnd: {kind: writes, needs: [consent]}}\n")
    assert any(
        "there is no other tool `issue_refnd`; did you mean `issue_refund`?" in str(w) for w in load(tmp_path).warnings
    )
    (tmp_path / "workflow.yaml").write_text(text.replace("may_change: [", "may_change: [orders.O-1001.staus, "))
    with pytest.raises(Problems, match="there is no field `staus`; did you mean `status`"):
        load(tmp_path)


def load_with(folder: Path, workflow: str, scenario: str, units: dict[str, str | None] | None) -> list[str]:
    bundle = load(write(folder, workflow=workflow, scenario=scenario), None if units is None else lambda _: units)
    return [str(each).split(".yaml:", 1)[1] for each in bundle.warnings]


@pytest.mark.parametrize(
    ("trials", "expected"),
    [
        ("10000", None),
        ("10001", "4:9: `trials`: input should be less than or equal to 10000, not `10001`"),
        ("1000000000", "4:9: `trials`: input should be less than or equal to 10000, not `1000000000`"),
        ("1e400000000", "4:9: `1e400000000` is beyond what a number can be; quote it if it is text"),
    ],
)
def test_more_trials_than_any_run_has(tmp_path: Path, trials: str, expected: str | None) -> None:
    text = WORKFLOW.replace("trials: 2", f"trials: {trials}")
    if expected is None:
        assert not load_with(tmp_path, text, SCENARIO, None)
    else:
        assert [str(each).split("workflow.yaml:", 1)[1] for each in problems(tmp_path, workflow=text)] == [expected]


def test_more_episodes_than_any_run_has(tmp_path: Path) -> None:
    text = WORKFLOW.replace("trials: 2", "trials: 10000")
    many = "".join(SCENARIO.replace("refund-one", f"refund-{number}") for number in range(21))
    (problem,) = problems(tmp_path, workflow=text, scenario=many)
    assert str(problem).split("workflow.yaml:", 1)[1] == (
        "4:9: 10000 trials of each of 21 scenarios are 210000 episodes, and a run has at most 200000 (play fewer trials)"
    )
