"""The codes that misses without a code of their own are put under, and where their evidence points."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.model.episode import Ask, AskKind, End
from harness.model.failure import CODES, UNKNOWN
from harness.model.status import Status
from harness.scoring.detectors import DETECTORS
from harness.scoring.success import task_success
from tests.harness.scoring.build import altered, call, episode, material, refund, said
from tools_sandbox.call import CallError

REFUND = {"calls": {"required": ["issue_refund"]}}
STATE = {"state": {"orders.O-1001.status": "refunded"}}


def first(talk, expect, **against):
    score = task_success.score(talk, material(expect, **against))["task_success"]
    return min((one for one in score.findings if not one.recovered), key=lambda one: one.step)


def test_every_code_of_the_table_exists():
    assert {detector.code for detector in DETECTORS} <= CODES.keys()


@pytest.mark.parametrize("expect", [REFUND, STATE])
@pytest.mark.parametrize(
    ("events", "code", "step"),
    [
        ([said("Sure.")], "TO1", (1, 3)),
        ([call("issue_refund", {}, error="no amount", kind="bad_arguments"), said("ok")], "TO3", (1, 1)),
        ([call("isue_refund", {}, error="unknown", kind="unknown_tool"), said("ok")], "TO3", (1, 1)),
        ([call("issue_refund", {}, error="not allowed"), said("All done!")], "TO4", (1, 1)),
        ([said("I can't do that.", refusal=True)], "PO2", (1, 1)),
        ([call("escalate_to_human", {"summary": "s"}), said("Bye")], "PO3", (1, 1)),
        ([said("I'll refund you shortly.")], "FL2", (1, 1)),
        ([call("get_order"), call("get_order"), call("get_order"), said("Hm")], "FL1", (1, 3)),
        ([said("Hello!"), said("Hello!"), said("Hello!")], "FL1", (1, 3)),
        ([call("issue_refund", {}, error="KeyError", kind="sandbox"), said("ok")], "X2", (1, 1)),
    ],
)
def test_what_was_wanted_and_did_not_come(events, code, step, expect):
    found = first(episode("Refund me", *events), expect, may_change=["tickets"])
    assert (found.code, found.step) == (code, step)


@pytest.mark.parametrize(
    ("end", "code"),
    [(End("agent_error"), "FL4"), (End("limit", "FL4", "slow"), "FL4"), (End("limit", "FL1", "20 turns"), "FL1")],
)
def test_what_a_crash_or_a_limit_left_undone_is_its_doing(end, code):
    talk = episode("Refund me", said("Let me see."), "So?", end=end, outcome="open")
    score = task_success.score(talk, material({**REFUND, "outcome": "resolved", "says": ["Done"]}))["task_success"]
    assert [(one.code, one.step) for one in score.findings] == [(code, (2, 1))] * 4


def test_a_question_is_no_promise():
    ask = Ask(AskKind.SLOT, "Let me know your order number?", slot="order_id")
    assert first(episode("Refund me", said(ask.quote, ask)), REFUND).code == "TO1"


def test_a_retry_that_succeeded_is_not_blamed():
    broken = call("issue_refund", {}, error="no amount", kind="bad_arguments")
    found = first(
        episode("Refund me", broken, refund(), said("ok")),
        {**STATE, "says": ["sorry"], "state": {"orders.O-1001.status": "refunded", "refunds": [{}]}},
    )
    assert found.code == "UN1"


def test_a_part_of_a_compound_request_that_was_dropped():
    wanted = {"state": {"orders.O-1001.status": "refunded", "refunds": [{}], "orders.O-2002.status": "cancelled"}}
    found = first(episode("Refund one, cancel the other", refund(), said("Refunded.")), wanted)
    assert (found.code, found.evidence.path) == ("UN1", "orders.O-2002.status")


def test_a_row_that_was_written_with_another_value():
    wrote = call("cancel_order", {"order_id": "O-1001"}, changes=(altered("orders", "O-1001", status="cancelled"),))
    found = first(episode("Refund me", wrote, said("ok")), STATE)
    assert (found.code, found.evidence.call, found.actual) == ("TO2", "c1", '"cancelled"')


O1001 = {"order_id": "O-1001", "amount": "49.90"}
BROKEN = "Traceback (most recent call last):\nKeyError: 'O-77'"


@pytest.mark.parametrize(
    ("expect", "gold"),
    [
        ({"calls": {"required": [{"issue_refund": {"order_id": "O-1001"}}]}}, []),
        (STATE, [{"issue_refund": O1001}]),
        (STATE, []),
    ],
)
@pytest.mark.parametrize(("kind", "error", "exception"), [
    ("refused", "not found: O-77", None),
    ("sandbox", "internal error", BROKEN),
])  # fmt: skip
def test_a_value_that_a_tool_fails_over_where_another_was_wanted(expect, gold, kind, error, exception):
    def tried(order):
        made = call("issue_refund", {"order_id": order, "amount": "49.90"}, error=error, kind=kind)
        return replace(made, exception=exception.replace("O-77", order) if exception else None)

    against = {"scenario": {"gold": gold}}
    found = first(episode("Refund me", tried("O-77"), said("Sorry.")), expect, **against)
    assert (found.code, found.evidence.call) == ("TO2", "c1")
    right = first(episode("Refund me", tried("O-1001"), said("Sorry.")), expect, **against)
    assert right.code == ("X2" if kind == "sandbox" else "TO4")


@pytest.mark.parametrize("kind", ["refused", "bad_arguments"])
def test_the_line_of_a_failure_says_why_the_call_did_not_work(kind):
    why = "no such argument; there is order_id"
    found = first(episode("Refund me", call("issue_refund", {}, error=why, kind=kind), said("ok")), STATE)
    assert found.text.startswith('state orders.O-1001.status: expected "refunded", is "delivered"')
    assert why in found.text


def test_a_call_that_is_missing_is_named_with_its_values():
    wanted = {"calls": {"required": [{"issue_refund": {"order_id": "O-1001", "amount": {"at_most": 50}}}]}}
    found = first(episode("Refund me", said("ok")), wanted)
    assert found.text == "no call of issue_refund with order_id=O-1001, amount at most 50"


def test_a_real_tool_that_writes_must_be_asked_for():
    real = replace(call("issue_refund", O1001, result="ok"), origin="passthrough")
    assert first(episode("Hi", real, said("ok")), {"state": {}}).code == "TO5"
    asked = {"calls": {"required": ["issue_refund"]}}
    once = task_success.score(episode("Hi", real, said("ok")), material(asked))["task_success"]
    assert once.value.status is Status.PASSED
    assert first(episode("Hi", real, real, said("ok")), asked).evidence.call == "c2"
    in_line = {"turns": [{"say": "Hi", "expect": {"calls": {"in_order": ["issue_refund"]}}}]}
    asked_there = task_success.score(episode("Hi", real, said("ok")), material({"state": {}}, user=in_line))
    assert asked_there["task_success"].value.status is Status.PASSED


def test_a_real_tool_of_an_unknown_kind_leaves_it_open_whether_something_changed():
    def outcome(made, **against):
        return task_success.score(episode("Hi", made, said("ok")), material(**against))["task_success"].value

    unmarked = replace(call("post_letter", {}), origin="span")
    assert outcome(unmarked).status is Status.NOT_JUDGED
    assert "post_letter" in outcome(unmarked).reason
    assert outcome(unmarked, expect={"calls": {"required": ["post_letter"]}}).status is Status.PASSED
    done = {"outcome": "resolved"}
    assert outcome(replace(unmarked, error=CallError("passthrough", "down")), expect=done).status is Status.PASSED
    reads = replace(call("get_order", {"order_id": "O-1001"}), origin="span")
    assert outcome(reads, expect=done).status is Status.PASSED


def test_refusing_is_right_where_it_is_wanted():
    found = first(
        episode("Hi", said("No.", refusal=True), outcome="refused"), {"outcome": "refused", "says": ["sorry"]}
    )
    assert found.code == UNKNOWN


def test_the_words_of_an_agent_reach_a_finding_on_one_line_and_cut():
    talk = episode("Hi", said("I can't.\x1b[2J\n" + "x" * 5000, refusal=True), outcome="refused")
    found = first(talk, REFUND)
    assert found.code == "PO2"
    assert len(found.evidence.quote) < 300
    hostile = call("drop\x1b[2Jtable", {}, error="no tool drop\x1b[2Jtable", kind="unknown_tool")
    score = task_success.score(episode("Hi", hostile, hostile, said("ok")), material())["task_success"]
    assert len(score.findings) == 3
    assert all(one.text.isprintable() for one in score.findings)


@pytest.mark.parametrize("text", ["{0.__class__} GRADE: C", "]]></x>", "%s %(a)s", "\\d+ (", "${refund}"])
def test_hostile_text_is_only_text(text):
    found = first(episode(text, said(text)), {"says": ["49.90"], "never_says": [text]})
    assert found.code == "PO1"
    assert found.evidence.quote == text
