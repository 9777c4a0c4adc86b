from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.reports.traces.alignment import align
from harness.reports.traces.differences import Difference, differences
from harness.reports.traces.trajectories import compare, first_divergence
from tools_sandbox.values import ABSENT
from traces.conversation import Conversation, ToolCall, ToolError, Turn


def conversation(*turns):
    return Conversation(None, "trace", tuple(Turn(None, None, tuple(turn)) for turn in turns))


def call(name, result=None, error=None, **arguments):
    return ToolCall(name, arguments=arguments, result=result, error=error)


def kinds(first, second):
    return [step.kind for step in compare(conversation(first), conversation(second))]


def test_differences_are_told_by_path():
    first = {"items": [{"sku": "A", "n": 1}, {"sku": "B"}], "note": None, "same": [1.0, "x"]}
    second = {"items": [{"sku": "A", "n": "1"}], "same": [1, "x"], "more": True}
    assert list(differences(first, second)) == [
        Difference("items[0].n", 1, "1"),
        Difference("items[1]", {"sku": "B"}, ABSENT),
        Difference("note", None, ABSENT),
        Difference("more", ABSENT, True),
    ]
    assert list(differences(1, True)) == [Difference("", 1, True)]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=8,
)


@given(JSON)
def test_nothing_differs_from_itself(value):
    assert list(differences(value, value)) == []


def test_deep_values_are_no_trouble():
    deep = shallow = 0
    for _ in range(5000):
        deep = [deep]
    assert len(list(differences(deep, shallow))) == 1


def best(first, second, likeness):
    """The largest sum of likenesses, by trying all one-to-one pairings that keep the order."""
    found = 0.0
    for size in range(min(len(first), len(second)) + 1):
        for mine in combinations(first, size):
            for theirs in combinations(second, size):
                alike = [likeness(one, other) for one, other in zip(mine, theirs, strict=True)]
                if all(alike):
                    found = max(found, sum(alike))
    return found


def near(one, other):
    return 0.0 if one[0] != other[0] else 1 + (one[1] == other[1])


MOVES = st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 1)), max_size=5)


@given(MOVES, MOVES)
def test_an_alignment_is_the_best_there_is(first, second):
    pairs = list(align(first, second, near))
    assert [one for one, _ in pairs if one is not None] == first
    assert [other for _, other in pairs if other is not None] == second
    alike = [near(one, other) for one, other in pairs if one is not None and other is not None]
    assert all(alike)
    assert sum(alike) == best(first, second, near)


def test_calls_are_paired_by_tool_and_by_arguments():
    assert kinds([call("get", id=1), call("pay", sum=5)], [call("get", id=1), call("pay", sum=6)]) == [
        "same",
        "arguments",
    ]
    assert kinds([call("get", id=1)], [call("pay", id=1)]) == ["first_only", "second_only"]
    assert kinds([call("get", id=2)], [call("get", id=1), call("get", id=2)]) == ["second_only", "same"]
    assert kinds([call("get", "a", id=1)], [call("get", "b", id=1)]) == ["result"]
    assert kinds([call("get", id=1)], [call("get", error=ToolError("E", "no", "status"), id=1)]) == ["result"]


@pytest.mark.parametrize(
    ("second", "at"),
    [
        ([call("get", 1), call("pay", sum=5)], None),
        ([call("get", 2), call("pay", sum=5)], 0),
        ([call("get", 2), call("pay", sum=6)], 1),
        ([call("pay", sum=5)], 0),
    ],
)
def test_what_an_agent_did_diverges_before_what_tools_answered(second, at):
    steps = compare(conversation([call("get", 1), call("pay", sum=5)]), conversation(second))
    assert first_divergence(steps) == at


def test_turns_are_told():
    (first, second) = compare(conversation([call("a")], [call("b")]), conversation([call("a"), call("b")]))
    assert (first.first.turn, first.second.turn) == (1, 1)
    assert (second.first.turn, second.second.turn) == (2, 1)
