from decimal import Decimal

import pytest
from pydantic import TypeAdapter

from tests.tools_sandbox.shop import CLOCK, START, Order, Shop
from tools_sandbox import Row, Sandbox, SandboxProblem, StartState, Table, invariant, reads, tool
from tools_sandbox.schema import SandboxSchema


def test_opening_copies_no_row():
    one, other = START.open({}, CLOCK), START.open({"orders.O-2.status": "delivered"}, CLOCK)
    for shop in (one, other):
        assert shop.state.orders["O-1"] is START.rows["orders"]["O-1"]
        assert shop.state.orders["O-1"].items is START.rows["orders"]["O-1"].items
    assert other.state.orders["O-2"] is not START.rows["orders"]["O-2"]
    assert other.state.orders["O-2"] is START.open({"orders.O-2.status": "delivered"}, CLOCK).state.orders["O-2"]


def test_rows_given_as_rows_are_used_as_they_are():
    order = Order(order_id="O-1", customer_id="C-1", status="placed", total=Decimal(1))

    class One(Sandbox):
        orders: Table[Order]

        @classmethod
        def start(cls):
            return {"orders": [order]}

    One.__annotations__ = {"orders": Table[Order]}
    assert StartState.of(One).rows["orders"]["O-1"] is order


def test_the_schema_is_plain_data_and_survives_json():
    adapter = TypeAdapter(SandboxSchema)
    schema = adapter.validate_json(adapter.dump_json(START.schema))
    assert schema == START.schema
    assert schema.tables["customers"].account == "customer_id"
    assert schema.tables["customers"].fields["email"].owner == "customer_id"
    assert schema.tools["verify_identity"].proves == "customer_id"
    assert schema.tools["issue_refund"].needs == ("identity", "consent")
    assert schema.tools["escalate"].ends == "escalated"
    assert schema.tools["search_policy"].retrieves


def test_the_digest_is_of_the_rows_whatever_their_order():
    def with_orders(*numbers):
        class Some(Shop):
            @classmethod
            def start(cls):
                return {
                    "orders": [
                        {"order_id": f"O-{number}", "customer_id": "C-1", "status": "placed", "total": number}
                        for number in numbers
                    ]
                }

        return StartState.of(Some).digest

    assert with_orders(1, 2) == with_orders(2, 1)
    assert with_orders(1, 2) != with_orders(1, 3)
    assert StartState.of(Shop).digest == START.digest


def test_a_given_that_does_not_fit_opens_nothing():
    with pytest.raises(SandboxProblem, match="did you mean `status`"):
        START.open({"orders.O-1.stauts": "placed"}, CLOCK)


class Gauge(Row):
    gauge_id: str


class Unsure(Sandbox):
    gauges: Table[Gauge]

    @tool(reads)
    def look(self) -> int:
        """Look."""
        return len(self.gauges)

    @invariant
    def the_gauge_is_there(self) -> bool:
        return self.gauges["main"] is not None


def test_an_invariant_that_cannot_be_told_at_the_start_is_said_at_once():
    start = StartState.of(Unsure)
    with pytest.raises(SandboxProblem, match=r"can't be told on the start state: KeyError\('main'\)"):
        start.open({}, CLOCK)
    assert start.open({"gauges.main": {}}, CLOCK).invariants == {"the_gauge_is_there": True}


def test_a_json_view_is_the_state_that_episodes_start_from():
    given = {"orders.O-1.total": "59.90", "orders.O-3": None}
    tables = START.tables(given)
    shop = START.open(given, CLOCK)
    assert {name: dict(rows) for name, rows in tables.items()} == {name: shop.value(name) for name in tables}
    shop.call("issue_refund", {"order_id": "O-1", "amount": 1}, turn=1)
    assert tables["orders"]["O-1"]["status"] == "delivered"
    assert dict(tables["refunds"]) == {}
