from decimal import Decimal

import pytest

from tests.tools_sandbox.shop import START, Shop
from tools_sandbox import SandboxProblem, StartState
from tools_sandbox.stubs import stub_sandbox


def merged(given):
    assert START.check_given(given) == []
    return START.tables(given)


def test_nothing_given_is_the_start():
    assert merged({})["orders"]["O-1"]["total"] == "49.90"
    assert dict(merged({})["refunds"]) == {}


@pytest.mark.parametrize(
    "given",
    [
        {"orders.O-1.status": "refunded", "orders.O-1.total": Decimal("59.90")},
        {"orders.O-1": {"status": "refunded", "total": "59.90"}},
        {"orders": {"O-1": {"status": "refunded", "total": 59.9}}},
    ],
)
def test_paths_and_nested_mappings_merge_the_same(given):
    row = merged(given)["orders"]["O-1"]
    assert (row["status"], row["total"], row["customer_id"]) == ("refunded", row["total"], "C-1")
    assert Decimal(row["total"]) == Decimal("59.90")
    assert len(merged(given)["orders"]) == 3


def test_a_new_row_gets_its_key():
    row = merged({"orders.O-9": {"customer_id": "C-1", "status": "placed", "total": 5}})["orders"]["O-9"]
    assert row["order_id"] == "O-9"


def test_a_row_given_field_by_field_is_checked_when_it_is_whole():
    given = {"orders.O-9.customer_id": "C-1", "orders.O-9.status": "placed"}
    assert START.check_given(given) == ["orders.O-9.total: missing"]
    row = merged({**given, "orders.O-9.total": 5, "orders.O-9.tags.a": "1", "orders.O-9.tags.b": "2"})["orders"]["O-9"]
    assert (row["customer_id"], row["status"], row["total"]) == ("C-1", "placed", "5")
    assert row["tags"] == {"a": "1", "b": "2"}


def test_lists_replace_and_mappings_merge():
    row = merged({"orders.O-1": {"items": [{"sku": "Z"}], "tags": {"a": "1"}}})["orders"]["O-1"]
    assert row["items"] == [{"sku": "Z", "qty": 1}]
    row = merged({"orders.O-1.tags": {"a": "1"}, "orders.O-1.tags.b": "2"})["orders"]["O-1"]
    assert row["tags"] == {"a": "1", "b": "2"}
    assert (
        merged({"orders.O-1.tags": {"a": "1"}, "orders": {"O-1": {"tags": {"a": None}}}})["orders"]["O-1"]["tags"] == {}
    )


def test_null_deletes():
    assert "O-1" not in merged({"orders.O-1": None})["orders"]
    assert dict(merged({"orders": None})["orders"]) == {}
    assert merged({"orders.O-1.address": None})["orders"]["O-1"]["address"] is None
    assert merged({"orders.O-1.items": None})["orders"]["O-1"]["items"] == []


def test_a_list_replaces_a_table():
    rows = merged({"refunds": [{"refund_id": "R-7", "order_id": "O-1", "amount": 1}]})["refunds"]
    assert dict(rows) == {"R-7": {"refund_id": "R-7", "order_id": "O-1", "amount": "1"}}
    assert list(merged({"orders": []})["orders"]) == []


def test_keys_with_dots():
    stub = stub_sandbox({"users": {"ana@example.com": {"tier": "gold"}}}, {}, {})
    tables = stub.tables({"users.ana@example.com.tier": "silver", "users": {"ben@example.com": {"tier": "none"}}})
    assert tables["users"]["ana@example.com"] == {"tier": "silver"}
    assert tables["users"]["ben@example.com"] == {"tier": "none"}


def test_numbers_are_text_where_text_is_declared():
    assert merged({"customers.C-1.email": 5})["customers"]["C-1"]["email"] == "5"


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"ordrs.O-1": {}}, "ordrs: no such table; did you mean `orders`?"),
        ({"orders.O-1.stauts": "placed"}, "orders.O-1.stauts: no such field; did you mean `status`?"),
        (
            {"orders.O-1.status": "lost"},
            "orders.O-1.status: input should be 'placed', 'delivered' or 'refunded', got \"lost\"",
        ),
        ({"orders.O-1.total": "much"}, 'orders.O-1.total: input should be a valid decimal, got "much"'),
        ({"orders.O-1.items": [{"sku": "A", "quantity": 1}]}, "orders.O-1.items.0.quantity: no such field"),
        ({"orders.O-1.order_id": "O-9"}, "orders.O-1: `order_id` is the key of the row and can't be O-9"),
        ({"orders.O-1.total": None}, "orders.O-1.total: missing"),
        ({"orders.O-10": None}, "orders.O-10: there is no such row to delete; did you mean `O-1`?"),
        ({"orders.O-1": "refunded"}, 'orders.O-1: a row is a mapping of its fields, not "refunded"'),
        ({"orders": 5}, "orders: a table takes rows by key, not 5"),
        (
            {"refunds": [{"amount": 1}]},
            'refunds[0]: a row is a mapping of its fields, `refund_id` among them, not {"amount": 1}',
        ),
    ],
)
def test_what_does_not_fit_is_named_with_what_was_meant(given, problem):
    assert START.check_given(given) == [problem]
    with pytest.raises(SandboxProblem) as caught:
        START.tables(given)
    assert caught.value.problems == [problem]


def test_all_problems_are_told():
    assert len(START.check_given({"ordrs": {}, "orders.O-1.stauts": 1, "refunds": 5})) == 3


def test_a_given_leaves_the_start_as_it_was():
    start = StartState.of(Shop)
    before = start.digest
    start.tables({"orders.O-1.total": 1, "customers": None})
    assert start.tables({})["orders"]["O-1"]["total"] == "49.90"
    assert start.digest == before
