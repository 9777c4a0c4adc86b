"""Which call stands for which: held against all there are, one by one."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.replay.canonical import typed
from harness.replay.divergence.acts import acts
from harness.replay.divergence.matching import by_likeness, by_position, in_order, increasing
from tests.harness.replay.divergence.build import SHOP, call


def made(*arguments, tool="search"):
    return list(acts([call(tool, **each) for each in arguments], SHOP, typed(SHOP)))


LETTERS = st.lists(st.sampled_from("abc"), max_size=6)
ARGUMENTS = st.lists(
    st.dictionaries(st.sampled_from(["x", "y", "z"]), st.integers(0, 2), min_size=1, max_size=3), min_size=1, max_size=4
)


def common(first, second):
    """The length of the longest common subsequence, by trying all."""
    for size in range(min(len(first), len(second)), 0, -1):
        theirs = set(combinations(second, size))
        if any(mine in theirs for mine in combinations(first, size)):
            return size
    return 0


@given(LETTERS, LETTERS)
def test_as_many_as_can_be_are_matched_in_order(first, second):
    found = in_order(made(*({"q": each} for each in first)), made(*({"q": each} for each in second)))
    assert len(found) == common(first, second)
    assert all(one.key == other.key for one, other in found)
    assert sorted(found, key=lambda match: match[0].place) == sorted(found, key=lambda match: match[1].place)


@given(LETTERS, LETTERS)
def test_in_any_order_all_equal_calls_are_matched(first, second):
    found = by_position(made(*({"q": each} for each in first)), made(*({"q": each} for each in second)))
    assert len(found) == sum(min(first.count(each), second.count(each)) for each in "abc")
    assert len({one.place for one, _ in found}) == len({other.place for _, other in found}) == len(found)


def unlike(one, other):
    """1 less the share of paths and of values that both have."""
    mine, theirs = ({*each.given, *each.given.items()} for each in (one, other))
    return 1 - len(mine & theirs) / len(mine | theirs)


@given(ARGUMENTS, ARGUMENTS)
def test_the_rest_is_matched_with_as_little_difference_as_there_can_be(first, second):
    mine, theirs = made(*first), made(*second)
    found = by_likeness(mine, theirs)
    assert len(found) == min(len(mine), len(theirs))
    few, many = sorted((mine, theirs), key=len)
    best = min(
        sum(unlike(one, other) for one, other in zip(few, chosen, strict=True))
        for chosen in permutations(many, len(few))
    )
    assert sum(unlike(one, other) for one, other in found) == pytest.approx(best, abs=0.01)


def test_calls_of_two_tools_are_never_matched():
    assert by_likeness(made({"x": 1}), made({"x": 1}, tool="cancel")) == []


def test_so_many_calls_that_they_are_matched_piece_by_piece_are_each_matched_once():
    first, second = made(*({"x": n} for n in range(1000))), made(*({"x": n, "y": 1} for n in range(900)))
    found = by_likeness(first, second)
    assert len({one.place for one, _ in found}) == len({other.place for _, other in found}) == len(found) > 800


@given(st.lists(st.integers(0, 9), max_size=8))
def test_the_longest_increasing_subsequence(numbers):
    found = [numbers[index] for index in increasing(numbers)]
    assert found == sorted(set(found))
    chains = (
        len(some)
        for size in range(len(numbers) + 1)
        for some in combinations(numbers, size)
        if list(some) == sorted(set(some))
    )
    assert len(found) == max(chains, default=0)
