import asyncio
import json
import math
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode
from pydantic import field_validator

from tests.tools_sandbox.shop import CLOCK, opened
from tools_sandbox import Row, Sandbox, StartState, Table, ToolError, invariant, reads, tool, writes
from tools_sandbox.call import CallError, Passage, Proof
from tools_sandbox.values import ABSENT

DEEP = '{"order_id": ' + "[" * 700 + "]" * 700 + "}"


def refund(shop, **arguments):
    return shop.call("issue_refund", {"order_id": "O-1", "amount": "49.90", **arguments}, turn=1)


def test_a_successful_write_is_recorded_with_all_it_did():
    shop = opened()
    call = shop.call("issue_refund", '{"order_id": "O-1", "amount": "49.90"}', turn=2, call_id="c-7")
    assert call.ok
    assert (call.id, call.turn, call.tool, call.kind, call.origin) == ("c-7", 2, "issue_refund", "writes", "sandbox")
    assert call.raw == '{"order_id": "O-1", "amount": "49.90"}'
    assert call.arguments == {"order_id": "O-1", "amount": "49.90"}
    assert call.result == {"refund_id": "R-1", "order_id": "O-1", "amount": "49.90"}
    added, changed = call.changes
    assert (added.table, added.key, added.before, added.after) == ("refunds", "R-1", None, call.result)
    assert (changed.key, changed.fields) == ("O-1", ("status",))
    assert call.started <= call.ended
    assert shop.calls == [call]
    assert shop.value("orders.O-1.status") == "refunded"


def test_a_refused_call_leaves_nothing_half_made():
    shop = opened()
    call = refund(shop, amount=200)
    assert call.error == CallError("refused", "more than 100 needs a person")
    assert call.result is None
    assert call.changes == []
    assert shop.changes() == []
    assert shop.value("refunds") == {}
    assert refund(shop).result["refund_id"] == "R-1"


def test_a_call_that_is_only_tried_leaves_nothing_behind():
    shop = opened()
    sent = {"order_id": "O-1", "amount": 40}
    assert shop.refusal("issue_refund", sent) is None
    assert shop.refusal("issue_refund", {**sent, "amount": 200}) == CallError("refused", "more than 100 needs a person")
    assert shop.refusal("invent", {}).kind == "unknown_tool"
    assert shop.calls == shop.changes() == []
    assert refund(shop).result["refund_id"] == "R-1"


def test_a_broken_tool_is_the_sandboxs_fault_and_its_text_is_not_shown():
    shop = opened()
    call = shop.call("break_halfway", {"order_id": "O-1"}, turn=1)
    assert call.error == CallError("sandbox", "internal error")
    assert "RuntimeError: secret detail" in call.exception
    assert "in break_halfway" in call.exception
    assert shop.changes() == []
    assert refund(shop).result["refund_id"] == "R-1"


def test_shared_rows_cannot_be_changed_by_a_tool():
    shop = opened()
    call = shop.call("spoil_in_place", {"order_id": "O-1"}, turn=1)
    assert call.error.kind == "sandbox"
    assert "shared by all episodes" in call.exception
    assert opened().value("orders.O-1.items") == [{"sku": "B", "qty": 1}]


def test_a_tool_marked_reads_cannot_write():
    shop = opened()
    call = shop.call("write_while_reading", {}, turn=1)
    assert call.error.kind == "sandbox"
    assert "orders can only be changed by a tool marked `writes`" in call.exception
    assert "O-1" in shop.value("orders")


@pytest.mark.parametrize(
    ("sent", "raw", "problem"),
    [
        ("null", "null", "a JSON object is needed, not null"),
        ('"K-7"', '"K-7"', 'a JSON object is needed, not "K-7"'),
        ("[1]", "[1]", "a JSON object is needed, not [1]"),
        ("3", "3", "a JSON object is needed, not 3"),
        (None, "null", "a JSON object is needed, not null"),
        ([1], "[1]", "a JSON object is needed, not [1]"),
        ("K-7", "K-7", "no JSON: Expecting value at character 0"),
        ('{"order_id": "O-1"', '{"order_id": "O-1"', "no JSON: Expecting ',' delimiter at character 18"),
        ('{"order_id": NaN}', '{"order_id": NaN}', "no JSON: NaN is no number"),
        ('{"order_id": 1e999}', '{"order_id": 1e999}', "no JSON: 1e999 is no number"),
        ("[" * 5000 + "]" * 5000, "[" * 5000 + "]" * 5000, "nested too deeply"),
        ('{"a":' * 150 + "1" + "}" * 150, '{"a":' * 150 + "1" + "}" * 150, "nested too deeply"),
        (
            '{"order_id": ' + "[" * 700 + "]" * 700 + "}",
            '{"order_id": ' + "[" * 700 + "]" * 700 + "}",
            "nested too deeply",
        ),
        ({"order_id": object}, None, "a type cannot be written as JSON"),
        ({"order_id": math.nan}, None, "nan cannot be written as JSON"),
    ],
)
def test_arguments_that_are_no_object_are_answered_and_kept(sent, raw, problem):
    shop = opened()
    call = shop.call("get_order", sent, turn=1)
    assert call.error == CallError("bad_arguments", f"arguments of get_order: {problem}")
    assert call.arguments is None
    assert raw is None or call.raw == raw
    assert call.raw is not None
    # the calls beside it are answered all the same
    assert shop.call("get_order", {"order_id": "O-1"}, turn=1).ok
    assert len(shop.calls) == 2


def test_a_trailing_comma_is_told_in_the_words_of_the_json_reader():
    """Its wording differs between versions of Python."""
    call = opened().call("get_order", '{"order_id": "O-1",}', turn=1)
    assert call.error is not None
    assert call.error.kind == "bad_arguments"
    assert call.error.text.startswith("arguments of get_order: no JSON: ")
    assert call.raw == '{"order_id": "O-1",}'


@pytest.mark.parametrize("sent", ["", "  ", "{}", {}])
def test_no_arguments_are_an_empty_object(sent):
    call = opened().call("escalate", sent, turn=1)
    assert call.ok
    assert call.arguments == {}


def test_arguments_that_do_not_fit_are_named_with_the_nearest():
    call = opened().call("get_order", {"ordr_id": "O-1"}, turn=1)
    assert call.error == CallError(
        "bad_arguments",
        "arguments of get_order: order_id: missing; ordr_id: no such argument; did you mean `order_id`?",
    )
    assert (call.arguments, call.raw) == ({"ordr_id": "O-1"}, None)


@pytest.mark.parametrize("name", ['get_order" />', "get_ordr", "Get-Order"])
def test_a_made_up_tool_is_answered_with_the_nearest_name(name):
    call = opened().call(name, '{"order_id": "O-1"}', turn=1)
    assert call.error.kind == "unknown_tool"
    assert call.error.text.endswith("did you mean `get_order`?")
    assert (call.tool, call.kind, call.arguments) == (name, None, {"order_id": "O-1"})


def test_a_made_up_tool_with_broken_arguments_is_a_made_up_tool():
    call = opened().call("nothing", "{", turn=1)
    assert call.error.kind == "unknown_tool"
    assert call.raw == "{"


def test_arguments_of_an_agents_own_types_are_written_as_json():
    call = opened().call("issue_refund", {"order_id": "O-1", "amount": Decimal("49.90")}, turn=1)
    assert call.ok
    assert call.arguments == {"order_id": "O-1", "amount": 49.9}
    assert call.raw is None


def test_a_record_does_not_change_with_what_the_agent_passed():
    sent = {"order_id": "O-1"}
    call = opened().call("get_order", sent, turn=1)
    sent["order_id"] = "O-2"
    call.result["items"].append("x")
    assert call.arguments == {"order_id": "O-1"}
    assert opened().call("get_order", {"order_id": "O-1"}, turn=1).result["items"] == [{"sku": "B", "qty": 1}]


def test_a_result_over_the_limit_is_an_error_and_undone():
    shop = opened(max_result_bytes=100)
    assert shop.call("spill", {"size": 98}, turn=1).ok
    assert shop.call("spill", {"size": 99}, turn=1).error == CallError(
        "sandbox", "the result has 101 bytes, more than the 100 allowed"
    )


def test_identity_is_proved_by_the_account_in_the_result():
    shop = opened()
    call = shop.call("verify_identity", {"email": "ana@example.com"}, turn=1)
    assert call.proof == Proof("customer_id", "C-1", {"email": "ana@example.com"})
    nobody = shop.call("verify_identity", {"email": "eve@example.com"}, turn=1)
    assert nobody.ok
    assert nobody.proof is None


def test_outcome_and_passages():
    shop = opened()
    assert shop.call("escalate", {}, turn=1).ends == "escalated"
    found = shop.call("search_policy", {"query": "refunds"}, turn=1)
    assert found.passages == [Passage("refunds.md", "About refunds.", "R1")]


def test_a_failed_call_has_no_marks():
    call = opened().call("escalate", {"x": 1}, turn=1)
    assert not call.ok
    assert call.ends is None


def test_a_broken_invariant_is_recorded_once_and_not_rolled_back():
    shop = opened()
    assert shop.invariants == {"refunds_within_total": True}
    first = refund(shop, amount=60)
    assert first.ok
    assert first.broken == ["refunds_within_total"]
    assert shop.value("refunds.R-1.amount") == "60"
    assert shop.invariants == {"refunds_within_total": False}
    assert refund(shop, amount=1).broken == []


def test_an_invariant_that_the_given_state_breaks_is_not_the_agents_doing():
    shop = opened({"refunds": [{"refund_id": "R-7", "order_id": "O-3", "amount": 50}]})
    assert shop.invariants == {"refunds_within_total": False}
    assert refund(shop).broken == []


def test_net_changes_leave_out_what_was_undone():
    shop = opened({"orders.O-1.status": "delivered"})
    refund(shop)
    assert [(change.table, change.key) for change in shop.changes()] == [("orders", "O-1"), ("refunds", "R-1")]


def test_values_of_the_state():
    shop = opened()
    assert shop.value("orders.O-1.items.0.sku") == "B"
    assert shop.value("orders.O-1.items.1") is ABSENT
    assert shop.value("orders.O-9") is ABSENT
    assert shop.value("nothing.O-1") is ABSENT
    assert shop.value("orders.O-1.address") is None
    assert list(shop.value("orders")) == ["O-1", "O-2", "O-3"]


def test_a_trial_never_sees_what_another_left():
    first = opened()
    refund(first)
    first.call("issue_refund", {"order_id": "O-2", "amount": 1}, turn=1)
    second = opened()
    assert second.value("orders.O-1.status") == "delivered"
    assert second.value("refunds") == {}
    assert second.calls == []
    assert refund(second).result["refund_id"] == "R-1"


def test_new_ids_never_hit_a_row_that_is_there():
    shop = opened({"refunds": [{"refund_id": "R-1", "order_id": "O-1", "amount": 1}]})
    assert refund(shop, amount=1).result["refund_id"] == "R-2"


def test_calls_from_many_threads_are_answered_one_after_another():
    shop = opened()
    with ThreadPoolExecutor(8) as pool:
        calls = list(pool.map(lambda number: refund(shop, amount=1, note=str(number)), range(200)))
    assert {call.result["refund_id"] for call in calls} == {f"R-{number}" for number in range(1, 201)}
    assert len({call.id for call in shop.calls}) == 200
    assert all(call.arguments["note"] == str(number) for number, call in enumerate(calls))
    assert len(shop.value("refunds")) == 200


class Gauge(Row):
    gauge_id: str
    value: int


class Fussy(Row):
    name: str

    @field_validator("name")
    @classmethod
    def look_it_up(cls, name: str) -> str:
        return {"known": "k"}[name]


class _Broken(ToolError):
    def __str__(self):
        raise SystemExit(3)


ENDS = {
    "SystemExit": SystemExit(0),
    "KeyboardInterrupt": KeyboardInterrupt(),
    "CancelledError": asyncio.CancelledError(),
    "GeneratorExit": GeneratorExit(),
    "_Broken": _Broken(),
}


class Plant(Sandbox):
    gauges: Table[Gauge]

    @classmethod
    def start(cls):
        return {"gauges": [Gauge(gauge_id="g", value=0)]}

    @tool(writes)
    def turn_to(self, value: int) -> dict[str, str]:
        """Turn the gauge."""
        self.gauges.update("g", value=value)
        return {"at": self.clock.isoformat()}

    @tool(writes)
    def remember(self) -> None:
        """Keep something outside the tables."""
        self.last = 1

    @tool(writes)
    def stop(self, how: str) -> None:
        """End more than the call."""
        self.gauges.delete("g")
        raise ENDS[how]

    @tool(reads)
    def odd_result(self) -> object:
        """Give what JSON can't hold."""
        return object()

    @tool(reads, proves="gauge_id")
    def prove(self, gauge_id: str) -> bool:
        """Prove by the argument."""
        return True

    @tool(reads)
    def meet(self, who: Fussy) -> str:
        """An argument whose own check is broken."""
        return who.name

    @invariant
    def stays_low(self) -> None:
        assert self.gauges["g"].value < 10

    @invariant
    def can_be_told(self) -> bool:
        return 1 / (7 - self.gauges["g"].value) != 0


def plant():
    return StartState.of(Plant).open({}, CLOCK)


def test_an_invariant_may_assert():
    assert plant().call("turn_to", {"value": 12}, turn=1).broken == ["stays_low"]


def test_an_invariant_that_cannot_be_told_is_the_sandboxs_fault():
    shop = plant()
    call = shop.call("turn_to", {"value": 7}, turn=1)
    assert call.error == CallError("sandbox", "internal error")
    assert "ZeroDivisionError" in call.exception
    assert shop.value("gauges.g.value") == 0


def test_the_clock_is_the_scenarios():
    assert plant().call("turn_to", {"value": 1}, turn=1).result == {"at": CLOCK.isoformat()}


def test_state_outside_the_tables_is_refused():
    call = plant().call("remember", {}, turn=1)
    assert call.error.kind == "sandbox"
    assert "self.last can't be set: what a tool changes belongs in a table" in call.exception


def test_a_result_that_json_cannot_hold_is_the_sandboxs_fault():
    call = plant().call("odd_result", {}, turn=1)
    assert call.error.kind == "sandbox"
    assert "cannot be written as JSON" in call.exception


def test_an_argument_model_that_is_itself_broken_is_the_sandboxs_fault():
    shop = plant()
    assert shop.call("meet", {"who": {"name": "known"}}, turn=1).result == "k"
    call = shop.call("meet", {"who": {"name": "other"}}, turn=1)
    assert call.error == CallError("sandbox", "internal error")
    assert "KeyError" in call.exception


@pytest.mark.parametrize("how", ENDS)
def test_a_tool_that_ends_the_program_or_the_task_is_the_sandboxs_fault(how):
    shop = plant()
    call = shop.call("stop", {"how": how}, turn=1)
    assert call.error == CallError("sandbox", "internal error")
    assert how in call.exception
    assert shop.value("gauges.g.value") == 0
    assert shop.calls == [call]
    assert shop.call("turn_to", {"value": 1}, turn=1).ok


def test_identity_may_be_proved_by_the_argument():
    assert plant().call("prove", {"gauge_id": "g"}, turn=1).proof == Proof("gauge_id", "g", {"gauge_id": "g"})


@given(st.text(), st.text() | st.recursive(st.none() | st.integers(), st.lists))
def test_whatever_an_agent_sends_is_answered_and_recorded(name, sent):
    shop = opened()
    call = shop.call(name, sent, turn=1)
    assert call.error is not None
    assert call.error.text.isprintable()
    assert shop.calls == [call]


@given(st.text())
def test_any_text_of_arguments_is_answered_and_kept(raw):
    call = opened().call("get_order", raw, turn=1)
    assert call.error.kind == "bad_arguments"
    assert call.raw == raw


@pytest.fixture
def traced():
    spans = InMemorySpanExporter()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(spans))
    return opened(tracer=provider.get_tracer("test")), spans


def test_a_call_is_a_span_with_the_names_of_the_genai_conventions(traced):
    shop, spans = traced
    call = shop.call("get_order", '{"order_id":  "O-1"}', turn=1, call_id="c-1")
    (span,) = spans.get_finished_spans()
    assert span.name == "execute_tool get_order"
    assert format(span.context.span_id, "016x") == call.span_id
    assert span.attributes["gen_ai.operation.name"] == "execute_tool"
    assert span.attributes["gen_ai.tool.name"] == "get_order"
    assert span.attributes["gen_ai.tool.call.id"] == "c-1"
    assert span.attributes["gen_ai.tool.call.arguments"] == '{"order_id":  "O-1"}'
    assert json.loads(span.attributes["gen_ai.tool.call.result"]) == call.result
    assert span.status.status_code is StatusCode.UNSET


def test_the_span_of_a_failed_call_says_why(traced):
    shop, spans = traced
    shop.call("get_order", {"order_id": "O-9"}, turn=1)
    (span,) = spans.get_finished_spans()
    assert span.status.status_code is StatusCode.ERROR
    assert span.status.description == "there is no order O-9"
    assert span.attributes["error.type"] == "refused"
    assert json.loads(span.attributes["gen_ai.tool.call.arguments"]) == {"order_id": "O-9"}
    assert json.loads(span.attributes["gen_ai.tool.call.result"]) == {"error": "there is no order O-9"}


def test_without_a_tracer_there_is_no_span():
    assert opened().call("get_order", {"order_id": "O-1"}, turn=1).span_id is None


def test_naive_and_aware_clocks_are_kept_as_they_are():
    naive = datetime(2026, 11, 20, 10)
    assert StartState.of(Plant).open({}, naive).call("turn_to", {"value": 1}, turn=1).result == {
        "at": "2026-11-20T10:00:00"
    }
