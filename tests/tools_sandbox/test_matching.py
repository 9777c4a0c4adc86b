from datetime import date
from decimal import Decimal
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools_sandbox.matching import ABSENT, describe, mismatches, pair
from tools_sandbox.patterns import Listed, Matcher, Subset
from tools_sandbox.schema import FieldType

ORDER = FieldType(
    "record",
    fields={"total": FieldType("decimal"), "on": FieldType("date"), "lines": FieldType("list", of=FieldType("text"))},
)


def equals(value):
    return Matcher({"equals": value})


ANYTHING = Matcher({"any": True})


def all_fit(pairing):
    return not (pairing.patterns_left or pairing.values_left or any(one.mismatches for one in pairing.pairs))


@pytest.mark.parametrize(
    ("tests", "value", "kind"),
    [
        ({"equals": Decimal("49.90")}, "49.9", FieldType("decimal")),
        ({"equals": None}, ABSENT, None),
        ({"absent": True}, None, None),
        ({"absent": True}, ABSENT, None),
        ({"any": True}, 0, None),
        ({"mentions": "late parcel"}, "my parcel is late again", None),
        ({"mentions": "49.90"}, 49.9, None),
        ({"like": "^O-\\d+$"}, "o-12", None),
        ({"one_of": ["a", None]}, ABSENT, None),
        ({"between": [1, 5]}, 5, None),
        ({"at_most": 100}, "49.90", None),
        ({"at_most": Decimal("49.90")}, 49.9, None),
        ({"at_least": "2026-11-01"}, "2026-11-20", None),
        ({"at_most": "2026-11-20"}, date(2026, 11, 20), FieldType("date")),
        ({"at_least": 2, "at_most": 3}, 3, None),
    ],
)
def test_a_value_that_fits(tests, value, kind):
    assert mismatches(Matcher(tests), value, *([kind] if kind else [])) == []


@pytest.mark.parametrize(
    ("tests", "value"),
    [
        ({"equals": 1}, "1"),
        ({"equals": "x"}, ABSENT),
        ({"any": True}, None),
        ({"absent": True}, ""),
        ({"mentions": "a"}, ["a"]),
        ({"mentions": "true"}, True),
        ({"like": "a"}, None),
        ({"one_of": [1, 2]}, True),
        ({"between": [1, 5]}, 5.01),
        ({"at_most": 100}, ABSENT),
        ({"at_most": 100}, None),
        ({"at_most": 100}, "many"),
        ({"at_most": 100}, True),
        ({"at_least": "2026-11-01T00:00:00"}, "2026-11-20T00:00:00Z"),
        ({"at_most": 100}, float("nan")),
    ],
)
def test_a_value_that_does_not_fit(tests, value):
    (found,) = mismatches(Matcher(tests), value, path="x")
    assert found.path == "x"


def test_only_the_tests_that_fail_are_named():
    (found,) = mismatches(Matcher({"at_least": 2, "at_most": 3}), 4)
    assert str(found) == "expected at most 3, got 4"


def test_mismatches_name_path_expected_and_actual_through_types():
    wanted = Subset({"total": equals("49.90"), "on": equals("2026-11-20"), "lines": Listed((equals("a"),))})
    row = {"total": "44.90", "on": "2026-11-20", "lines": ["a", "b"], "more": 1}
    found = mismatches(wanted, row, ORDER, path="orders.O-1")
    assert [str(miss) for miss in found] == [
        'orders.O-1.total: expected "49.90", got "44.90"',
        'orders.O-1.lines[1]: expected nothing, got "b"',
    ]


def test_a_subset_asks_for_a_mapping_and_tells_a_missing_member():
    assert [str(miss) for miss in mismatches(Subset({"a": equals(1)}), {})] == ["a: expected 1, got nothing"]
    assert [str(miss) for miss in mismatches(Subset({"a": equals(1)}), [1])] == ["expected {a: 1}, got [1]"]
    assert mismatches(Subset({}), {"a": 1}) == []


def test_lists_in_order_in_any_order_and_with_others_left_over():
    wanted = (equals(1), equals(2))
    assert mismatches(Listed(wanted), [2, 1]) == []
    assert mismatches(Listed(wanted, ordered=True), [1, 2]) == []
    assert [miss.path for miss in mismatches(Listed(wanted, ordered=True), [2, 1])] == ["[0]", "[1]"]
    assert mismatches(Listed(wanted, contains=True), [3, 2, 1]) == []
    assert [str(miss) for miss in mismatches(Listed(wanted), [1])] == ["[]: expected 2, got nothing"]
    assert [str(miss) for miss in mismatches(Listed(()), [1])] == ["[0]: expected nothing, got 1"]


def test_two_equal_items_both_wanted_are_both_found():
    assert all_fit(pair([equals("get"), equals("get")], ["get", "get"]))
    once = pair([equals("get"), equals("get")], ["get"])
    assert once.patterns_left == (1,)
    assert not all_fit(once)


def test_lists_and_mappings_as_values_are_no_trouble():
    assert all_fit(pair([equals({"items": ["a", {"b": 1}]})], [{"items": ["a", {"b": 1.0}]}]))


def test_pairing_is_optimal_where_taking_the_first_that_fits_is_not():
    assert all_fit(pair([ANYTHING, equals(1)], [1, 2]))


def test_swapped_arguments_pair_with_their_own():
    found = pair([equals(1), equals(2)], [2, 1])
    assert [(one.pattern, one.value) for one in found.pairs] == [(0, 1), (1, 0)]
    assert all_fit(found)


def test_what_fits_nothing_is_paired_with_what_it_misses_least():
    wanted = [Subset({"a": equals(1), "b": equals(2)}), Subset({"a": equals(5), "b": equals(6)})]
    found = pair(wanted, [{"a": 5, "b": 0}, {"a": 1, "b": 0}])
    assert [(one.pattern, one.value, len(one.mismatches)) for one in found.pairs] == [(0, 1, 1), (1, 0, 1)]


def test_nothing_wanted_and_nothing_there_fits():
    assert all_fit(pair([], []))
    assert not all_fit(pair([equals(1)], []))
    assert not all_fit(pair([], [1]))


@given(
    st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=3), max_size=4),
    st.lists(st.integers(0, 3), max_size=4),
)
def test_as_many_fit_as_in_the_best_of_all_assignments(choices, values):
    patterns = [Matcher({"one_of": options}) for options in choices]
    padded = values + [None] * max(0, len(patterns) - len(values))
    best = max(
        (
            sum(value in options for options, value in zip(choices, order, strict=False) if value is not None)
            for order in permutations(padded)
        ),
        default=0,
    )
    found = pair(patterns, values)
    assert sum(not one.mismatches for one in found.pairs) == best
    assert len(found.pairs) + len(found.patterns_left) == len(patterns)
    assert len(found.pairs) + len(found.values_left) == len(values)


def test_patterns_in_words():
    wanted = Subset({"a": Listed((equals("x"), ANYTHING), contains=True), "b": Matcher({"between": [1, 2]})})
    assert describe(wanted) == '{a: a list with ["x", any value], b: between 1 and 2}'
    assert describe(Matcher({"one_of": [1, None]})) == "one of 1, null"
    assert describe(Matcher({"absent": True})) == "no value"
