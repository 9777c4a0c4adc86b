from __future__ import annotations

import pytest

from harness.episodes.outcome import asks_for_nothing, outcome
from harness.model.episode import Message
from tools_sandbox.call import Call, CallError, Change, Proof


def call(tool="act", turn=1, *, ends=None, error=None, changes=(), proof=None):
    made = Call(f"c-{turn}", turn, tool, None, {}, "writes")
    made.ends, made.changes, made.proof = ends, list(changes), proof
    made.error = CallError("refused", error) if error else None
    return made


def talk(*pairs):
    """Messages of turns: what the user said, what the agent said, whether that is a refusal."""
    messages = []
    for number, (user, agent, refusal) in enumerate(pairs, 1):
        messages += [Message("user", user, number), Message("agent", agent, number, refusal=refusal)]
    return messages


HELLO = talk(("Please help.", "Done.", False))
NO = talk(("Refund me.", "I can't do that.", True))
CHANGE = Change("orders", "O-1", {"status": "paid"}, {"status": "refunded"})


def test_the_mark_of_the_last_successful_call_comes_first():
    calls = [call(ends="escalated"), call(ends="resolved"), call(ends="refused", error="no")]
    assert outcome(calls, NO, "open", finished=False) == "resolved"


def test_a_mark_of_a_failed_call_says_nothing():
    assert outcome([call(ends="escalated", error="closed")], HELLO, None, finished=True) == "resolved"


def test_then_what_the_last_reply_states():
    assert outcome([call()], NO, "escalated", finished=True) == "escalated"


def test_then_a_refusal_of_the_last_request():
    assert outcome([], NO, None, finished=True) == "refused"
    assert outcome([], NO, None, finished=False) == "refused"


def test_thanks_after_a_refusal_change_nothing():
    messages = talk(
        ("Refund me.", "I can't do that.", True), ("That's a pity. Thanks anyway.", "You're welcome.", False)
    )
    assert outcome([], messages, None, finished=True) == "refused"


def test_another_request_after_a_refusal_does():
    messages = talk(("Refund me.", "I can't do that.", True), ("Then cancel it, thanks?", "Cancelled.", False))
    assert outcome([], messages, None, finished=True) == "resolved"


def test_a_refusal_with_something_done_in_its_turn_is_none():
    assert outcome([call(changes=[CHANGE])], NO, None, finished=True) == "resolved"
    assert outcome([call(turn=2, changes=[CHANGE])], NO, None, finished=True) == "refused"


def test_what_any_episode_may_touch_is_nothing_done():
    noted = call(changes=[Change("notes", "N-1", None, {"text": "too late"})])
    seen = call(changes=[Change("orders", "O-1", {"seen": 1, "status": "paid"}, {"seen": 2, "status": "paid"})])
    free = ["notes", "orders.O-1.seen"]
    assert outcome([noted, seen], NO, None, finished=True, may_change=free) == "refused"
    assert outcome([noted, call(changes=[CHANGE])], NO, None, finished=True, may_change=free) == "resolved"
    assert outcome([noted], NO, None, finished=True) == "resolved"


def test_a_write_outside_the_sandbox_is_something_done():
    made = call()
    made.origin = "passthrough"
    assert outcome([made], NO, None, finished=True) == "resolved"
    made.kind = "reads"
    assert outcome([made], NO, None, finished=True) == "refused"


def test_a_proof_of_identity_is_nothing_done():
    proved = call(changes=[CHANGE], proof=Proof("customer_id", "C-7", {}))
    assert outcome([proved], NO, None, finished=True) == "refused"


def test_else_it_is_resolved_if_the_talk_is_finished():
    assert outcome([], HELLO, None, finished=True) == "resolved"
    assert outcome([], HELLO, None, finished=False) == "open"
    assert outcome([], [], None, finished=False) == "open"


@pytest.mark.parametrize(
    "text",
    [
        "Thanks!",
        "OK.",
        "ok, great",
        "That's a pity. Thanks anyway.",
        "Gracias.",
        "好的，谢谢",
        "Goodbye",
        "I see.",
        "Vale",
    ],
)
def test_what_asks_for_nothing(text):
    assert asks_for_nothing(text)


@pytest.mark.parametrize(
    "text",
    [
        "Thanks, but can you cancel it?",
        "I want a refund, thanks.",
        "And now?",
        "It broke.",
        "谢谢，请取消",
        "Gracias, ¿y ahora?",
    ],
)
def test_what_asks_for_something(text):
    assert not asks_for_nothing(text)
