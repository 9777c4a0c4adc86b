"""Tool calls that models write as text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.agents.text_calls import calls_in_text
from tests.effort import growth, no_hang

TOOLS = ("get_order", "cancel_order")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('{"name": "get_order", "arguments": {"order_id": "O-1"}}', ["get_order"]),
        ('```json\n{"name": "get_order", "arguments": {"order_id": "O-1"}}\n```', ["get_order"]),
        ('<tool_call>\n{"name": "get_order", "arguments": {}}\n</tool_call>', ["get_order"]),
        ('Let me see: {"function": {"name": "get_order", "arguments": "{}"}}', ["get_order"]),
        ('[{"name": "get_order", "parameters": {}}, {"name": "cancel_order", "parameters": {}}]', list(TOOLS)),
        ('{"tool": "get_order"}', ["get_order"]),
        ('{"action": "get_order", "action_input": {"order_id": "O-1"}}', ["get_order"]),
        ('<function=get_order>{"order_id": "O-1"}</function>', ["get_order"]),
        ('{"name": "send_parcel", "arguments": {"order_id": "O-1"}}', ["send_parcel"]),
        ("Your order O-1 is shipped.", []),
        ('{"name": "Ana", "email": "ana@example.com"}', []),
        ("I would call get_order with {order_id}.", []),
        ('{"name": "get_order", "arguments": {"order_id"', []),
        ("", []),
    ],
)
def test_calls(text, names):
    assert calls_in_text(text, TOOLS) == names


@given(st.text(alphabet='{}[]":, naetgord_1\\<>=', max_size=200))
def test_any_text_is_read(text):
    assert isinstance(calls_in_text(text, TOOLS), list)


@pytest.mark.parametrize("piece", ['{"a":', '{"', "<function", '[{"a": 1},'])
def test_hostile_text_costs_little(piece):
    def calls(many):
        return calls_in_text(piece * many, TOOLS)

    assert growth(calls, int, 100) < 0.5, "in a longer text, more places are tried"
    with no_hang():
        assert calls(200_000) == []
