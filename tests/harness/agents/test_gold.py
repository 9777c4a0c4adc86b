"""The gold path is played step by step."""

from __future__ import annotations

import asyncio
from decimal import Decimal

import pytest

from harness.agents.gold import GoldAgent
from harness.agents.problem import AgentError
from harness.agents.resolve import resolve
from harness.model.agent import Reply
from harness.model.scenario import Step
from tests.harness.agents.desk import Desk, talk
from tools_sandbox.schema import FieldType, ToolSpec

STEPS = [
    Step(reply="What is your order number?"),
    Step(tool="get_order", arguments={"order_id": "O-1"}),
    Step(tool="issue_refund", arguments={"amount": Decimal("49.90"), "share": Decimal("0.5"), "lines": [Decimal(1)]}),
    Step(reply="Refunded.", outcome="resolved"),
]


def played(*messages):
    desk = Desk({"get_order": lambda **_: {}, "issue_refund": lambda **_: {}})
    refund = ToolSpec("issue_refund", "", "writes", {}, {"amount": FieldType("decimal"), "share": FieldType("number")})
    session = desk.session(ToolSpec("get_order", "", "reads", {}), refund)
    return talk(resolve(GoldAgent(STEPS, "refund-blender"), None), desk, *messages, session=session), desk


def test_calls_up_to_the_next_reply():
    replies, desk = played("hi", "O-1")
    assert replies == [Reply(("What is your order number?",)), Reply(("Refunded.",), "resolved")]
    assert [(name, arguments) for name, arguments, *_ in desk.made] == [
        ("get_order", {"order_id": "O-1"}),
        ("issue_refund", {"amount": "49.90", "share": 0.5, "lines": [1.0]}),
    ]


def test_a_path_that_runs_out_names_itself():
    with pytest.raises(AgentError) as caught:
        played("hi", "O-1", "and the fridge?")
    assert str(caught.value) == (
        "the gold path of refund-blender has 2 replies and none for the user's message 3: 'and the fridge?'"
    )


def test_calls_after_the_last_reply_are_not_made_silently():
    desk = Desk({"get_order": lambda **_: {}})
    agent = GoldAgent([Step(reply="Hello."), Step(tool="get_order")], "s-1")
    session = desk.session()
    asyncio.run(agent.reply("hi", session))
    with pytest.raises(AgentError, match="none for the user's message 2"):
        asyncio.run(agent.reply("well?", session))
