"""Histories in which calls and answers go by different ids."""

from __future__ import annotations

from traces.dialects.content.pairing import paired
from traces.dialects.facts import Answer, AskedCall, Message


def asks(*ids):
    return Message("assistant", "", tuple(AskedCall("get_fee", call_id, {}) for call_id in ids))


def answers(*ids):
    return Message("tool", "", (), tuple(Answer(call_id, "3") for call_id in ids))


def test_ids_of_items_give_way_to_those_of_the_answers():
    assert paired((asks("fc_1", "fc_2"), answers("call_a", "call_b"))) == (
        asks("call_a", "call_b"),
        answers("call_a", "call_b"),
    )


def test_calls_that_are_answered_by_their_own_ids_stay():
    told = (asks("call_a"), answers("call_a"))
    assert paired(told) is told
    own = (asks("fc_1"), answers("fc_1"))
    assert paired(own) == own


def test_nothing_is_guessed_where_their_numbers_differ():
    told = (asks("fc_1", "fc_2"), answers("call_a"))
    assert paired(told) == told


def test_answers_that_are_named_after_their_tool_belong_to_the_calls_in_their_order():
    told = (asks("a", "b"), answers("get_fee_0", "get_fee_1"), asks("c"))
    assert paired(told) == (asks("a", "b"), answers("a", "b"), asks("c"))
    unnamed = (asks(None), answers("get_fee_0"))
    assert paired(unnamed) == (asks(None), answers(None))


def test_answers_of_other_names_are_left_alone():
    told = (asks("a"), answers("other_0"))
    assert paired(told) == told


def test_the_same_message_twice_is_two_messages():
    again = answers("get_fee_0")
    told = (asks("a"), again, asks("b"), again)
    assert paired(told) == (asks("a"), answers("a"), asks("b"), answers("b"))
