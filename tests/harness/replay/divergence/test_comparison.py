"""How two trajectories differ, and how every difference is named."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.model.replay import DivergenceKind as Kind
from harness.replay.divergence import matching
from harness.replay.divergence.comparison import compare
from tests.effort import growth
from tests.harness.replay.divergence.build import READS, SHOP, WRITES, call, side
from tools_sandbox.call import Call


def told(first, second, schema=SHOP):
    return [(each.kind, each.tool, each.recorded, each.new) for each in compare(first, second, schema).divergences]


def test_what_is_alike_has_no_divergence():
    trajectory = (call("get_order", id="O-1"), call("refund", id="O-1", amount="49.90"), call("get_order", id="O-1"))
    assert told(side(*trajectory), side(*trajectory)) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"n": 25}, {"n": 25.0}),
        ({"a": 1, "b": [1, {"c": None}]}, {"b": [1.0, {"c": None}], "a": 1}),
        ({"id": "O-1", "amount": "49.90"}, {"id": "O-1", "amount": 49.9}),  # money, by the tool's own type
    ],
)
def test_arguments_that_mean_the_same_are_the_same(one, other):
    tool = "refund" if "amount" in one else "search"
    assert told(side(call(tool, **one)), side(call(tool, **other))) == []


@pytest.mark.parametrize(
    ("one", "other", "path"),
    [
        ({"n": 1}, {"n": "1"}, "n"),
        ({"n": 1}, {"n": True}, "n"),
        ({"n": [1, 2]}, {"n": [True, 2]}, "n.0"),  # in a list Python takes true for 1
        ({"n": {"x": [{"sku": "a"}]}}, {"n": {"x": [{"sku": "b"}]}}, "n.x.0.sku"),
        ({"n": None}, {}, "n"),
        ({"__hidden": 1}, {"__hidden": 2}, "__hidden"),
        ({"at": "2026-11-20T10:00:00"}, {"at": "2026-11-20T10:00:00+00:00"}, "at"),
        ({"n": 0.1}, {"n": 0.1000000000000001}, "n"),
    ],
)
def test_arguments_that_differ_are_told_by_path(one, other, path):
    (found,) = compare(side(call("search", **one)), side(call("search", **other)), SHOP).divergences
    assert found.kind is Kind.CHANGED_ARGUMENT
    assert [each.path for each in found.differences] == [path]
    assert not found.write


def test_an_item_put_in_front_is_one_difference():
    first, second = side(call("search", of=["a", "b", "c"])), side(call("search", of=["x", "a", "b", "c"]))
    (found,) = compare(first, second, SHOP).divergences
    assert [(each.path, each.recorded, each.new, each.missing) for each in found.differences] == [
        ("of.0", None, "x", "recorded")
    ]


def test_repeated_calls_pair_with_their_like_whatever_the_order():
    first = side(call("get_order", id="1"), call("get_order", id="2"))
    second = side(call("get_order", id="2"), call("get_order", id="1"))
    assert [kind for kind, *_ in told(first, second)] == [Kind.REORDERED_READS]


def test_two_equal_writes_of_which_one_is_left_out():
    twice = call("refund", id="O-1", amount=1)
    assert told(side(twice, twice), side(twice)) == [(Kind.MISSING_WRITE, "refund", 1, None)]
    assert told(side(twice), side(twice, twice)) == [(Kind.EXTRA_WRITE, "refund", None, 1)]


def test_of_calls_with_other_arguments_those_most_alike_are_paired():
    first = side(call("refund", id="O-1", amount=1), call("refund", id="O-2", amount=2))
    second = side(call("refund", id="O-2", amount=3), call("refund", id="O-1", amount=4))
    assert told(first, second) == [(Kind.CHANGED_ARGUMENT, "refund", 0, 1), (Kind.CHANGED_ARGUMENT, "refund", 1, 0)]


def test_another_tool_stands_for_nothing():
    assert told(side(call("refund", id="1")), side(call("cancel", id="1"))) == [
        (Kind.MISSING_WRITE, "refund", 0, None),
        (Kind.EXTRA_WRITE, "cancel", None, 0),
    ]


def test_a_read_that_goes_past_a_write_is_another_one():
    look, refund = call("get_order", id="1"), call("refund", id="1")
    found = compare(side(look, refund), side(refund, look), SHOP).divergences
    assert {each.kind for each in found} == {Kind.MISSING_READ, Kind.EXTRA_READ}
    assert all("the other side of a write" in each.why for each in found)


def test_a_read_may_go_past_a_write_that_was_refused():
    look, refused = call("get_order", id="1"), call("refund", id="1", error="not paid")
    assert told(side(look, refused), side(refused, look)) == []


def test_a_write_that_changes_places_with_another_is_told_at_both_places():
    refund, cancel = call("refund", id="1"), call("cancel", id="1")
    assert sorted(kind for kind, *_ in told(side(refund, cancel), side(cancel, refund))) == [
        Kind.EXTRA_WRITE,
        Kind.MISSING_WRITE,
    ]


def test_the_same_call_that_comes_to_something_else():
    fine, refused = call("refund", id="1"), call("refund", id="1", error="already refunded")
    (found,) = compare(side(fine), side(refused), SHOP).divergences
    assert (found.kind, found.write) == (Kind.OTHER_OUTCOME, True)
    assert found.why == '`refund` fails now: "already refunded"'


def test_a_result_that_nobody_recorded_is_no_other_one():
    unseen = replace(call("get_order", id="1", result=None), origin="span")
    assert told(side(unseen), side(call("get_order", id="1", result={"a": 1}))) == []


def test_arguments_that_could_not_be_read_are_compared_as_text():
    broken = Call("c", 1, "refund", '{"id": "1",}', None, None)
    other = Call("c", 1, "refund", '{"id": "2",}', None, None)
    assert told(side(broken), side(broken)) == []
    assert told(side(broken), side(other)) == [(Kind.CHANGED_ARGUMENT, "refund", 0, 0)]


def test_no_arguments_and_empty_arguments_are_one():
    assert told(side(Call("c", 1, "search", None, None, None)), side(call("search", result=None))) == []


def test_a_tool_that_nobody_knows_counts_as_one_that_writes():
    (found,) = compare(side(), side(call("launch")), SHOP).divergences
    assert (found.kind, found.write) == (Kind.EXTRA_WRITE, True)
    assert "nobody says whether it writes" in found.why


def test_words_are_compared_where_nothing_else_differs():
    first = side(call("search", q="a"), replies=((1, "Hello  there"), (2, "Bye")))
    second = side(call("search", q="b"), replies=((1, "Hi"), (2, "Good bye")))
    assert [(kind, tool) for kind, tool, *_ in told(first, second)] == [
        (Kind.CHANGED_ARGUMENT, "search"),
        (Kind.WORDING_ONLY, None),
    ]
    spaced = replace(first, replies=((1, "Hello there"), (2, "Bye\n")))
    assert told(first, spaced) == []


def test_another_end_of_the_conversation():
    (found,) = compare(replace(side(), outcome="resolved"), replace(side(), outcome="escalated"), SHOP).divergences
    assert found.kind is Kind.OTHER_OUTCOME
    assert found.why == "the conversation comes out escalated instead of resolved"
    assert told(replace(side(), outcome="resolved"), side()) == []


def test_steps_hold_every_call_once_in_order():
    first = side(call("search", q="a"), call("refund", id="1"), call("get_order", id="1"))
    second = side(call("get_order", id="9"), call("search", q="a"), call("get_order", id="1"))
    steps = [(step.recorded, step.new) for step in compare(first, second, SHOP).steps]
    assert steps == [(None, 0), (0, 1), (1, None), (2, 2)]


@pytest.mark.parametrize("tool", ["search", "refund"])
@pytest.mark.parametrize("kept", [0.0, 0.5, 1.0])
def test_aligning_grows_with_the_calls(tool, kept):
    def turned_about(size):
        first = (call(tool, id=str(n), amount=n) for n in range(size))
        second = (call(tool, id=str(n), amount=n if n % 10 < 10 * kept else n + 0.5) for n in reversed(range(size)))
        return side(*first), side(*second)

    assert growth(lambda sides: compare(*sides, SHOP), turned_about, 50) < 1.1


def test_so_many_calls_with_other_arguments_are_held_against_each_other_piece_by_piece(monkeypatch):
    from scipy import optimize  # slow to import

    monkeypatch.setattr(matching, "_MOST", 10)
    sizes = []
    assign = optimize.linear_sum_assignment
    monkeypatch.setattr(optimize, "linear_sum_assignment", lambda costs: sizes.append(costs.shape) or assign(costs))
    first, second = (side(*(call("refund", id=str(n), amount=n + more) for n in range(95))) for more in (0, 0.5))
    assert [step.new for step in compare(first, second, SHOP).steps] == list(range(95))
    assert len(sizes) == 10
    assert max(max(shape) for shape in sizes) == 10


@pytest.mark.parametrize("loop", [2, 3])
@pytest.mark.parametrize("end", [(), ("note",)], ids=["ends alike", "ends otherwise"])
def test_aligning_a_loop_grows_with_it(loop, end, monkeypatch):
    monkeypatch.setattr(matching, "_FAR", 16)

    def shifted(size):
        last = (call(tool) for tool in end)
        first = (call("refund", id=str(n % loop)) for n in range(size))
        return side(*first, *last), side(*(call("refund", id=str((n + 1) % loop)) for n in range(size - 1)))

    assert growth(lambda sides: compare(*sides, SHOP), shifted, 100) < 1.1
    found = compare(*shifted(1000), SHOP).divergences
    assert [each.kind for each in found] == [Kind.MISSING_WRITE] * (1 + len(end))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from([0.5, 1.0, "1", "a", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "_c"]), inner, max_size=2),
    max_leaves=4,
)


@st.composite
def calls(draw, tools=(*READS, *WRITES)):
    made = call(
        draw(st.sampled_from(tools)),
        turn=draw(st.integers(1, 3)),
        error=draw(st.sampled_from([None, None, None, "no"])),
        result=draw(st.sampled_from(["ok", 1])),
    )
    made.arguments = draw(st.dictionaries(st.sampled_from(["id", "amount"]), VALUES, max_size=2))
    return made


@given(st.lists(calls(), max_size=12))
def test_a_trajectory_is_the_same_as_itself(trajectory):
    assert compare(side(*trajectory), side(*trajectory), SHOP).divergences == ()


@given(st.lists(calls(), max_size=10), st.lists(calls(), max_size=10))
def test_every_call_is_in_one_step(one, other):
    steps = compare(side(*one), side(*other), SHOP).steps
    assert sorted(step.recorded for step in steps if step.recorded is not None) == list(range(len(one)))
    assert sorted(step.new for step in steps if step.new is not None) == list(range(len(other)))


@given(st.lists(calls(READS), max_size=6), st.lists(calls(READS), max_size=6), st.randoms(use_true_random=False))
def test_reads_between_the_same_writes_may_be_permuted(before, after, random):
    refund = call("refund", id="1")
    mixed = [*random.sample(before, len(before)), refund, *random.sample(after, len(after))]
    found = compare(side(*before, refund, *after), side(*mixed), SHOP).divergences
    # Equal reads whose answers differ may come to stand for each other.
    assert {each.kind for each in found} <= {Kind.REORDERED_READS, Kind.OTHER_OUTCOME}
    assert not any(each.write for each in found)


@given(st.lists(calls(), min_size=1, max_size=10), st.data())
def test_a_changed_argument_of_a_write_always_shows(trajectory, data):
    place = data.draw(st.integers(0, len(trajectory) - 1))
    trajectory[place] = replace(trajectory[place], tool=data.draw(st.sampled_from(WRITES)))
    changed = list(trajectory)
    changed[place] = replace(changed[place], arguments={**(changed[place].arguments or {}), "id": "another one"})
    found = compare(side(*trajectory), side(*changed), SHOP).divergences
    assert any(each.write for each in found)
    assert all(each.differences for each in found if each.kind is Kind.CHANGED_ARGUMENT)


@given(st.lists(calls(WRITES), max_size=8), st.randoms(use_true_random=False))
def test_equal_writes_are_paired_whatever_their_order(trajectory, random):
    found = compare(side(*trajectory), side(*random.sample(trajectory, len(trajectory))), SHOP).divergences
    assert not any(each.kind is Kind.CHANGED_ARGUMENT for each in found)


def test_another_result_is_told_by_path():
    first = side(call("get_order", id="1", result={"status": "paid", "lines": [1, True]}))
    second = side(call("get_order", id="1", result={"status": "sent", "lines": [1.0, True]}))
    (found,) = compare(first, second, SHOP).divergences
    assert (found.kind, found.write) == (Kind.OTHER_OUTCOME, False)
    assert found.why == '`get_order` gives something else: status: "paid" → "sent"'
    yes, one = (side(call("get_order", id="1", result=[value])) for value in (True, 1))
    assert len(compare(yes, one, SHOP).divergences) == 1


def test_results_too_deep_to_walk_through_are_still_compared():
    def nested(inner):
        for _ in range(5000):
            inner = [{"a": inner}]
        return inner

    one, same, other = (side(call("get_order", id="1", result=nested(value))) for value in (1, 1.0, 2))
    assert told(one, same) == []
    assert [kind for kind, *_ in told(one, other)] == [Kind.OTHER_OUTCOME]
