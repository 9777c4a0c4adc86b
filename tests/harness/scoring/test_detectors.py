"""The codes that misses without a code of their own are put under, and where their evidence points."""

from __future__ import annotations

import pytest

from harness.model.episode import Ask, AskKind, End
from harness.model.failure import CODES, UNKNOWN
from harness.scoring.detectors import DETECTORS
from harness.scoring.success import task_success
from tests.harness.scoring.build import altered, call, episode, material, refund, said

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
