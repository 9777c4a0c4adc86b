from __future__ import annotations

import asyncio

import pytest

from harness.runs.gold import broken_scenarios
from harness.runs.prepare import load_bundle, stages
from tests.harness.desk import SCENARIO, WORKFLOW, write
from traces.capture import Tracing


def broken(folder, scenarios=SCENARIO, workflow=WORKFLOW):
    bundle = load_bundle(write(folder, scenarios=scenarios, workflow=workflow))
    return asyncio.run(broken_scenarios(bundle, stages(bundle, bundle.scenarios.values()), Tracing()))


def limited(budget, *, place):
    """The desk's scenario with a budget at the end, in a branch, or of a line."""
    if place == "line":
        line = f"[{{say: Please cancel my order., expect: {{budget: {budget}}}}}]"
        return SCENARIO.replace("[Please cancel my order.]", line)
    clause = f"any_of: [{{budget: {budget}}}]" if place == "branch" else f"budget: {budget}"
    return SCENARIO.replace("  gold:", f"    {clause}\n  gold:")


@pytest.mark.parametrize("place", ["end", "branch", "line"])
@pytest.mark.parametrize("budget", ["{tokens: 5000}", "{cost: 0.01}", "{seconds: 0}", "{turns: 2}", "{tool_calls: 1}"])
def test_a_gold_path_is_not_held_to_what_only_a_model_spends(tmp_path, budget, place):
    assert broken(tmp_path, limited(budget, place=place)) == {}


@pytest.mark.parametrize("budget", ["{turns: 1}", "{tool_calls: 0}"])
def test_a_gold_path_is_held_to_turns_and_calls(tmp_path, budget):
    assert "budget" in broken(tmp_path, limited(budget, place="end"))["cancel-one"]


def test_measures_of_a_family_say_nothing_of_a_gold_path(tmp_path):
    assert (
        broken(tmp_path, workflow=WORKFLOW.replace("measures: [task_success]", "measures: [task_success, cost_usd]"))
        == {}
    )


def test_a_step_that_uses_a_real_tool_is_on_the_record(tmp_path):
    step = SCENARIO.replace("    - cancel_order", "    - outside: {city: Bonn}\n    - cancel_order")
    wanted = step.replace("  gold:", "    calls: {required: [{outside: {city: Bonn}}]}\n  gold:")
    assert broken(tmp_path / "made", wanted) == {}
    without = wanted.replace("    - outside: {city: Bonn}\n", "")
    assert "outside" in broken(tmp_path / "not", without)["cancel-one"]


def test_a_gold_path_that_is_wrong_is_told(tmp_path):
    assert "cancel-one" in broken(tmp_path, SCENARIO.replace("    - cancel_order: {order_id: O-1}\n", ""))


def asking(question):
    """The desk, where a cancellation takes consent, and a gold path that asks for it with this question."""
    workflow = f"{WORKFLOW}rules:\n  - {{id: ask-first, before: cancel_order, need: consent}}\n"
    number = "    - reply: Which order number is it?\n"
    return SCENARIO.replace(number, f"{number}    - reply: {question}\n"), workflow


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Shall I cancel order O-2?", '"No, thank you." to "Shall I cancel order O-2?"'),
        ("Good. Shall I cancel your contract?", '"I can\'t say." to "Shall I cancel your contract?"'),
    ],
)
def test_a_question_of_the_gold_path_that_got_no_yes_is_told_with_the_answer(tmp_path, question, answer):
    why = broken(tmp_path, *asking(question))["cancel-one"]
    assert "before the user's consent" in why
    assert why.endswith(f"; the user answered {answer}")


def test_a_question_that_got_its_yes_is_not_told(tmp_path):
    scenarios, workflow = asking("Shall I cancel order O-1?")
    assert broken(tmp_path / "right", scenarios, workflow) == {}
    late = scenarios.replace("status: cancelled", "status: lost")
    assert "the user answered" not in broken(tmp_path / "wrong", late, workflow)["cancel-one"]
