from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.model.expect import CallItem
from harness.scoring.calls import broken_off, fits, match
from tests.harness.scoring.build import SHOP, call


def items(*written):
    return [CallItem.model_validate(item) for item in written]


def made(*calls):
    return [((1, position), one) for position, one in enumerate(calls, 1)]


def test_two_equal_calls_both_wanted_are_both_met():
    order = call("get_order", {"order_id": "O-1"})
    wanted = items({"get_order": {"order_id": "O-1"}}, {"get_order": {"order_id": "O-1"}})
    assert [one.met for one in match(wanted, made(order, order), SHOP)] == [True, True]
    assert [one.met for one in match(wanted, made(order), SHOP)] == [True, False]


def test_nested_arguments_match_without_hashing():
    wanted = items({"tag": {"items": ["a", {"b": "1"}]}})
    assert match(wanted, made(call("tag", {"items": ["a", {"b": "1"}]})), SHOP)[0].met
    assert not match(wanted, made(call("tag", {"items": [{"b": "1"}, "a"]})), SHOP)[0].met


@pytest.mark.parametrize("given_arguments", [{}, None])
def test_no_arguments_and_none_given_are_the_same(given_arguments):
    assert match(items("ping"), made(call("ping", given_arguments)), SHOP)[0].met


def test_no_call_at_all_meets_nothing():
    found = match(items("verify_identity", {"get_order": {"order_id": "O-1"}}), [], SHOP)
    assert [one.made for one in found] == [None, None]
    assert not any(one.met for one in found)


def test_repeated_names_are_paired_whatever_the_order():
    wanted = items({"get_order": {"order_id": "A"}}, {"get_order": {"order_id": "B"}})
    found = match(wanted, made(call("get_order", {"order_id": "B"}), call("get_order", {"order_id": "A"})), SHOP)
    assert [(one.met, one.made[0]) for one in found] == [(True, (1, 2)), (True, (1, 1))]


def test_a_pattern_that_takes_anything_leaves_the_exact_call_to_the_one_that_needs_it():
    wanted = items("get_order", {"get_order": {"order_id": "A"}})
    found = match(wanted, made(call("get_order", {"order_id": "A"}), call("get_order", {"order_id": "B"})), SHOP)
    assert all(one.met for one in found)


def test_values_are_read_through_the_tools_types():
    wanted = items({"issue_refund": {"order_id": "O-1", "amount": "49.90"}})
    assert match(wanted, made(call("issue_refund", {"order_id": "O-1", "amount": 49.9})), SHOP)[0].met
    assert match(items({"buy": {"quantity": "1"}}), made(call("buy", {"quantity": 1})), SHOP)[0].mismatches
    plain = [CallItem(tool="buy", arguments={"quantity": 1})]
    assert match(plain, made(call("buy", {"quantity": 1.0})), SHOP)[0].met


def test_free_text_arguments_can_be_held_loosely_or_ignored():
    wanted = items(
        {"search_policy": {"query": {"mentions": "refund window"}}}, {"search_policy": {"query": {"any": True}}}
    )
    calls = made(
        call("search_policy", {"query": "what is the window for a refund?"}), call("search_policy", {"query": "x"})
    )
    assert [one.met for one in match(wanted, calls, SHOP)] == [True, True]


def test_every_mismatch_says_step_path_expected_and_actual():
    wanted = items({"issue_refund": {"order_id": "O-1", "amount": "49.90"}})
    one = match(wanted, made(call("issue_refund", {"order_id": "O-2", "amount": "5"})), SHOP)[0]
    assert one.made is not None
    assert one.made[0] == (1, 1)
    assert [(miss.path, miss.expected, miss.actual) for miss in one.mismatches] == [
        ("order_id", '"O-1"', '"O-2"'),
        ("amount", '"49.90"', '"5"'),
    ]


def test_calls_of_tools_that_nobody_asked_for_mark_nothing_down():
    other = call("weather", {"city": "Rome"})
    assert match(items("get_order"), made(other, call("get_order", {"order_id": "O-1"}), other), SHOP)[0].met


def test_unreadable_arguments_fit_only_an_item_without_arguments():
    broken = call("get_order", None, raw='{"order_id": ', error="no JSON", kind="bad_arguments")
    assert fits(items("get_order")[0], broken, SHOP)
    assert not fits(items({"get_order": {"order_id": {"any": True}}})[0], broken, SHOP)


def test_a_subsequence_may_have_others_in_between():
    wanted = items("a", "b")
    assert broken_off(wanted, made(call("a"), call("x"), call("b")), SHOP) is None
    assert broken_off(wanted, made(call("b"), call("a")), SHOP) == 1
    assert broken_off(wanted, [], SHOP) == 0


ARGUMENTS = st.fixed_dictionaries({"x": st.integers(0, 2), "y": st.integers(0, 2)})


def cost(item, one):
    return sum(item.arguments[name].tests["equals"] != one.arguments[name] for name in item.arguments)


@given(st.lists(ARGUMENTS, max_size=4), st.lists(ARGUMENTS, max_size=4), st.randoms())
def test_matching_is_optimal_and_blind_to_order(expected, actual, random):
    wanted = [CallItem(tool="t", arguments=arguments) for arguments in expected]
    calls = [call("t", arguments) for arguments in actual]
    if len(wanted) <= len(calls):
        ways = [list(zip(wanted, way, strict=False)) for way in permutations(calls, len(wanted))]
    else:
        ways = [list(zip(way, calls, strict=False)) for way in permutations(wanted, len(calls))]

    def worth(pairs):
        costs = [cost(item, one) for item, one in pairs]
        return (-sum(value == 0 for value in costs), sum(costs))

    best = min(map(worth, ways))
    for _ in range(2):
        found = match(wanted, made(*calls), SHOP)
        pairs = [(one.item, one.made[1]) for one in found if one.made is not None]
        assert len({id(one) for _, one in pairs}) == len(pairs) == min(len(wanted), len(calls))
        assert worth(pairs) == best
        assert sum(one.met for one in found) == -best[0]
        random.shuffle(wanted)
        random.shuffle(calls)
