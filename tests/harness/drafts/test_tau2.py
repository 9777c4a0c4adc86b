from __future__ import annotations

import pytest

from harness.drafts.tau2 import backend_text, domain_of, workflow_text
from harness.drafts.tau2_tasks import Task, Tool, family, first_person, scenario, scenarios_text
from tests.tools_sandbox.tau2_shop import ORDERS, TASKS, TOOLS

CANCELLED, COUNTED = (Task.model_validate(task) for task in TASKS)
SHOP = domain_of([Tool.model_validate(tool) for tool in TOOLS], [CANCELLED, COUNTED], {"orders": ORDERS})


def test_a_task_that_changes_something_asks_for_these_calls_and_no_others_of_the_kind():
    made = scenario(CANCELLED, SHOP)
    assert made["id"] == "task-0"
    assert made["family"] == "requests"
    assert made["expect"] == {
        "calls": {
            "required": [{"cancel_order": {"order_id": "#W1", "items": []}}],
            "at_most": {"cancel_order": 1},
            "never": ["copy_order"],
        },
        "says": [{"mentions": "20"}],
    }
    assert made["gold"] == [
        {"get_order": {"order_id": "#W1"}},
        {"cancel_order": {"order_id": "#W1", "items": []}},
        {"reply": "I have looked into it: 20."},
    ]


def test_the_user_knows_what_the_task_says_they_do():
    user = scenario(CANCELLED, SHOP)["user"]
    assert user["knows"] == {"email": None, "order_id": "#W1", "name": "Ana Ruiz", "postcode": "12345"}
    assert user["turns"] == ["I want to cancel my order #W1. The shop told me that I can."]


def test_a_task_that_changes_nothing_forbids_what_would():
    made = scenario(COUNTED, SHOP)
    assert made["family"] == family(COUNTED, SHOP) == "nothing_to_change"
    assert made["expect"] == {"calls": {"never": ["cancel_order", "copy_order"]}}
    assert made["gold"] == [{"count_orders": {"status": "pending"}}, {"reply": "I have looked into it."}]


def test_comments_have_what_no_key_takes_over():
    text = scenarios_text([CANCELLED, COUNTED], SHOP)
    assert "# how they talk and what else they want: You are terse.\n" in text
    assert "# what a judge would look for: The agent is kind.\n" in text
    left_out = "an initial_state, a call of get_weather, which is no tool, calls of the user's own tools"
    assert f"# not taken over: {left_out}\n" in text


def test_a_text_of_a_task_can_not_leave_its_comment():
    told = {**TASKS[0]["user_scenario"]["instructions"], "task_instructions": "a\n- id: evil\r\x85 b\u2028c\x00"}
    task = Task.model_validate({**TASKS[0], "user_scenario": {"instructions": told}})
    lines = [line for line in scenarios_text([task], SHOP).splitlines() if "evil" in line]
    assert lines == ["# how they talk and what else they want: a - id: evil b c"]


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("You want your money back.", "I want my money back."),
        ("You're in a hurry and you are ill", "I'm in a hurry and I am ill"),
        ("If it helps you, the agent can call you yourself", "If it helps me, the agent can call me myself"),
        ("They gave you a card of yours", "They gave me a card of mine"),
        ("Young people bought yourtube", "Young people bought yourtube"),
    ],
)
def test_first_person(told, said):
    assert first_person(told) == said


def test_without_a_list_of_tools_those_that_write_are_guessed_from_what_tasks_call():
    guessed = domain_of(None, [CANCELLED, COUNTED], {"orders": ORDERS})
    assert guessed.tools == {"get_order", "cancel_order", "count_orders", "get_weather"}
    assert guessed.writing == {"cancel_order", "count_orders"}


def test_the_workflow_has_a_row_for_each_family_that_there_is_and_the_policys_clock():
    text = workflow_text("shop", "The current time is 2024-05-15 15:00:00 EST.", ["orders"], ["requests"])
    assert "2024-05-15T15:00:00-05:00" in text
    assert "requests:" in text
    assert "nothing_to_change:" not in text
    assert "clock" not in workflow_text("shop", "Be kind.", ["orders"], ["requests"])


def test_the_backend_is_python():
    compile(backend_text("shop", "db.json"), "backend.py", "exec")
