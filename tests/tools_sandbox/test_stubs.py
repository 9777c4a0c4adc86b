from decimal import Decimal

import pytest

from tests.tools_sandbox.shop import CLOCK
from tools_sandbox import SandboxProblem
from tools_sandbox.call import CallError
from tools_sandbox.patterns import Matcher
from tools_sandbox.schema import FieldType
from tools_sandbox.stubs import StubCase, StubReturn, StubTool, stub_sandbox, stub_spec

STATE = {
    "orders": {"O-1": {"status": "shipped", "total": "49.90", "customer": "C-1"}, "O-2": {"status": "paid"}},
    "refunds": {},
}


def opened(given=None, **tools):
    return stub_sandbox(STATE, {}, tools).open(given or {}, CLOCK)


GET = StubTool("reads", args={"order_id": "text"}, cases=(StubCase(answer=StubReturn(source="orders.{order_id}")),))


def test_a_row_by_path():
    shop = opened({"orders.O-1.note": "late"}, get_order=GET)
    assert shop.call("get_order", {"order_id": "O-1"}, turn=1).result == {
        "status": "shipped",
        "total": "49.90",
        "customer": "C-1",
        "note": "late",
    }
    assert shop.call("get_order", {"order_id": "O-9"}, turn=1).error == CallError("refused", "not found: O-9")


def test_an_argument_is_one_step_whatever_is_in_it():
    shop = opened(get_order=GET)
    for hostile in ("O-1.status", "", "../refunds", "{order_id}"):
        assert shop.call("get_order", {"order_id": hostile}, turn=1).error.kind == "refused"


CANCEL = StubTool(
    "writes",
    about="Cancel an order.",
    args={"order_id": "text", "reason": "text?"},
    needs=("identity", "consent"),
    cases=(
        StubCase(
            when={"order_id": Matcher({"equals": "O-1"})},
            set={"orders.O-1.status": "cancelled", "orders.O-1.customer": None},
            answer=StubReturn({"ok": True, "share": Decimal("0.5")}),
        ),
        StubCase(error="no such order: {order_id} {other}"),
    ),
)


def test_the_first_case_that_fits_answers():
    shop = opened(cancel_order=CANCEL)
    call = shop.call("cancel_order", {"order_id": "O-1"}, turn=1)
    assert call.result == {"ok": True, "share": 0.5}
    assert call.changes[0].after == {"status": "cancelled", "total": "49.90"}
    assert shop.call("cancel_order", {"order_id": "O-7"}, turn=1).error == CallError(
        "refused", "no such order: O-7 {other}"
    )


def test_an_episode_leaves_nothing_to_the_next():
    start = stub_sandbox(STATE, {}, {"cancel_order": CANCEL})
    assert start.open({}, CLOCK).call("cancel_order", {"order_id": "O-1"}, turn=1).ok
    assert start.open({}, CLOCK).value("orders.O-1.status") == "shipped"


def test_arguments_fill_paths_and_values():
    tool = StubTool(
        "writes",
        args={"order_id": "text", "amount": "decimal", "lines": "any?"},
        cases=(
            StubCase(
                set={
                    "refunds.{order_id}": {"amount": "{amount}", "note": "for {order_id} {x}", "lines": "{lines}"},
                    "orders.{order_id}.status": "refunded",
                },
                answer=StubReturn(source="refunds.{order_id}.amount"),
            ),
        ),
    )
    shop = opened(refund=tool)
    call = shop.call("refund", {"order_id": "O-1", "amount": "5.50", "lines": [1, {"a": 2}]}, turn=1)
    assert call.result == "5.50"
    assert shop.value("refunds.O-1") == {"amount": "5.50", "note": "for O-1 {x}", "lines": [1, {"a": 2}]}
    assert shop.value("orders.O-1.status") == "refunded"
    missing = shop.call("refund", {"order_id": "O-9", "amount": 1}, turn=1)
    assert missing.error == CallError("refused", "not found: O-9")
    assert shop.value("refunds") == {"O-1": shop.value("refunds.O-1")}


def test_no_case_that_fits_is_the_sandboxs_fault():
    tool = StubTool("reads", args={"a": "integer"}, cases=(StubCase(when={"a": Matcher({"at_most": 1})}),))
    shop = opened(look=tool)
    assert shop.call("look", {"a": 1}, turn=1).ok
    call = shop.call("look", {"a": 2}, turn=1)
    assert call.error == CallError("sandbox", "internal error")
    assert 'no case of look fits the arguments {"a": 2}' in call.exception


def test_arguments_are_typed_and_checked():
    shop = opened(get_order=GET)
    assert shop.call("get_order", {}, turn=1).error.kind == "bad_arguments"
    spec = stub_spec("cancel_order", CANCEL)
    assert spec.description == "Cancel an order."
    assert spec.parameters["required"] == ["order_id"]
    assert spec.arguments == {"order_id": FieldType("text"), "reason": FieldType("text", nullable=True)}


def test_a_tool_without_cases_has_marks_and_no_answer():
    start = stub_sandbox({}, {}, {"verify": StubTool("reads", args={"email": "text"}, proves="customer_id")})
    assert start.schema.tools["verify"].proves == "customer_id"
    assert start.tools == ()
    assert start.open({}, CLOCK).call("verify", {"email": "a"}, turn=1).error.kind == "unknown_tool"


def test_private_fields_of_free_rows():
    start = stub_sandbox({"customers": {"C-1": {}}}, {"customers": {"email": "customer_id"}}, {})
    assert start.schema.tables["customers"].fields["email"].owner == "customer_id"
    assert start.schema.tables["customers"].account == "customer_id"


def test_unquoted_decimals_are_numbers_and_quoted_ones_text():
    start = stub_sandbox({"orders": {"O-1": {"a": Decimal("49.90"), "b": "49.90"}}}, {}, {})
    assert start.tables({})["orders"]["O-1"] == {"a": 49.9, "b": "49.90"}


def test_everything_that_does_not_fit_together_is_said_at_once():
    tools = {
        "get_order": StubTool(
            "reads",
            args={"order_id": "text"},
            cases=(
                StubCase(
                    when={"ordr_id": Matcher({"any": True})},
                    set={"ordrs.{order}": 1},
                    answer=StubReturn(source="order.{order_id}"),
                ),
            ),
        )
    }
    with pytest.raises(SandboxProblem) as caught:
        stub_sandbox({"orders": {}}, {"customers": {}}, tools)
    assert caught.value.problems == [
        "private.customers: no such table; there is orders",
        "get_order: ordrs.{order}: no table `ordrs` in the state; did you mean `orders`?",
        "get_order: ordrs.{order}: no argument `order`; did you mean `order_id`?",
        "get_order: order.{order_id}: no table `order` in the state; did you mean `orders`?",
        "get_order: when: no argument `ordr_id`; did you mean `order_id`?",
        "get_order: sets ordrs.{order}, so its kind is `writes`",
    ]
    with pytest.raises(SandboxProblem, match='no type is called "txt"; did you mean `text`'):
        stub_spec("x", StubTool("reads", args={"a": "txt"}))
