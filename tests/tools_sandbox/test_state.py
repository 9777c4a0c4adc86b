from tests.tools_sandbox.shop import START, opened
from tools_sandbox.call import Change
from tools_sandbox.state import EndState, lookup
from tools_sandbox.values import ABSENT


def test_values_are_found_at_paths():
    value = {"a.b": {"c": [{"d": 1}, None]}, "a": {"b": {"e": 2}}}
    assert lookup(value, ["a", "b", "e"]) == 2
    assert lookup(value, ["a", "b", "c", "0", "d"]) == 1
    assert lookup(value, ["a", "b", "c", "1"]) is None
    assert lookup(value, ["a", "b", "c", "2"]) is ABSENT
    assert lookup(value, ["a", "b", "c", "-1"]) is ABSENT
    assert lookup(value, ["a", "b", "c", "²"]) is ABSENT
    assert lookup(value, ["x"]) is ABSENT
    assert lookup("text", ["x"]) is ABSENT
    assert lookup(value, []) is value


def test_the_end_state_is_the_start_with_the_changes_over_it():
    given = {"orders.O-2.status": "delivered"}
    shop = opened(given)
    shop.call("issue_refund", {"order_id": "O-1", "amount": 5}, turn=1)
    end = EndState(START.tables(given), shop.changes())
    assert end.value("orders.O-1.status") == "refunded"
    assert end.value("orders.O-2.status") == "delivered"
    assert end.value("refunds.R-1.amount") == "5"
    assert end.value("refunds.R-2") is ABSENT
    assert end.value("nothing") is ABSENT
    assert {name: end.value(name) for name in ("orders", "refunds")} == {
        name: shop.value(name) for name in ("orders", "refunds")
    }
    assert list(end.touched("refunds")) == ["R-1"]
    assert list(end.touched("orders")) == ["O-1"]
    assert end.touched("customers") == {}


def test_a_removed_row_is_gone():
    end = EndState({"users": {"a.b": {"n": 1}, "c": {"n": 2}}}, [Change("users", "a.b", {"n": 1}, None)])
    assert end.value("users.a.b.n") is ABSENT
    assert end.value("users.a.b") is ABSENT
    assert end.rows("users") == {"c": {"n": 2}}
    assert end.touched("users") == {}


def test_plain_data_is_enough():
    end = EndState({}, [Change("notes", "N-1", None, {"text": "a"})])
    assert end.value("notes.N-1.text") == "a"
    assert end.value("notes") == {"N-1": {"text": "a"}}
