from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from enum import Enum, IntEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools_sandbox import Row
from tools_sandbox.schema import ANY, FieldType
from tools_sandbox.values import ABSENT, digest, equal, read, same, show, to_json, with_numbers

TEXT, INTEGER, NUMBER, DECIMAL = (FieldType(name) for name in ("text", "integer", "number", "decimal"))
DATE, DATETIME = FieldType("date"), FieldType("datetime")

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


class Colour(Enum):
    RED = "red"


class Level(IntEnum):
    HIGH = 3


class Point(Row):
    x: Decimal
    seen: date | None = None


@dataclass
class Pair:
    left: int
    right: Decimal


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Decimal("49.90"), "49.90"),
        (date(2026, 11, 20), "2026-11-20"),
        (datetime(2026, 11, 20, 10, tzinfo=UTC), "2026-11-20T10:00:00+00:00"),
        (Colour.RED, "red"),
        (Level.HIGH, 3),
        (Point(x=Decimal("1.50")), {"x": "1.50", "seen": None}),
        (Pair(1, Decimal(2)), {"left": 1, "right": "2"}),
        ({"b", "a"}, ["a", "b"]),
        ((1, [True, None]), [1, [True, None]]),
        ({Colour.RED: 1, 2: "x"}, {"red": 1, "2": "x"}),
    ],
)
def test_everything_a_tool_may_give_is_written_as_json(value, expected):
    written = to_json(value)
    assert written == expected
    assert type(written) is type(expected)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object(), b"x", [1, {"a": object()}]])
def test_what_json_cannot_hold_is_refused(value):
    with pytest.raises(TypeError, match="cannot be written as JSON"):
        to_json(value)


@given(JSON)
def test_json_is_written_as_itself_and_as_a_copy(value):
    assert to_json(value) == value
    if isinstance(value, list | dict):
        assert to_json(value) is not value


@pytest.mark.parametrize(
    ("expected", "actual", "kind", "equal"),
    [
        # without a type, JSON types compare
        (25, 25.0, None, True),
        (Decimal("25.00"), 25, None, True),
        ("1", 1, None, False),
        (True, 1, None, False),
        (1, True, None, False),
        ([True], [1], None, False),
        ({"a": True}, {"a": 1}, None, False),
        (None, ABSENT, None, False),
        (None, 0, None, False),
        (0.1, Decimal("0.1"), None, True),
        (1, 1.5, None, False),
        ([1, 2], [2, 1], None, False),
        ({"items": ["a", {"b": 1}]}, {"items": ["a", {"b": 1.0}]}, None, True),
        ({}, {}, None, True),
        # through a type
        ("49.90", Decimal("49.9"), DECIMAL, True),
        (49.9, "49.90", DECIMAL, True),
        (Decimal("0.1"), 0.1, DECIMAL, True),
        ("49.90", "49.9", DECIMAL, True),
        ("49.90", "49.91", DECIMAL, False),
        ("49.90", "49.9", TEXT, False),
        (1001, "1001", TEXT, True),
        ("1", 1, INTEGER, True),
        (1.0, 1, INTEGER, True),
        (True, 1, INTEGER, False),
        ("abc", 1, INTEGER, False),
        ("abc", "abc", INTEGER, True),
        ("2026-11-20", date(2026, 11, 20), DATE, True),
        ("2026-11-20T00:00:00", "2026-11-20", DATE, True),
        ("2026-11-20T10:00:00", "2026-11-20", DATE, False),
        # the same instant in two zones; a naive time is never an aware one
        ("2026-11-20T10:00:00+01:00", "2026-11-20T09:00:00Z", DATETIME, True),
        ("2026-11-20T10:00:00+01:00", "2026-11-20T10:00:00+02:00", DATETIME, False),
        ("2026-11-20T10:00:00", "2026-11-20T10:00:00Z", DATETIME, False),
        (datetime(2026, 11, 20, 10), "2026-11-20T10:00:00", DATETIME, True),
        ({"x": "1.50"}, {"x": "1.5"}, FieldType("record", fields={"x": DECIMAL}), True),
        (["1.50"], [1.5], FieldType("list", of=DECIMAL), True),
        ({"a": "1"}, {"a": 1}, FieldType("map", of=INTEGER), True),
        ("paid", "paid", FieldType("text", choices=("paid", "open")), True),
    ],
)
def test_values_compare_by_what_they_mean(expected, actual, kind, equal):
    arguments = (expected, actual) if kind is None else (expected, actual, kind)
    assert same(*arguments) is equal


@given(JSON)
def test_every_value_is_the_same_as_itself(value):
    assert same(value, value)


@given(st.decimals(allow_nan=False, allow_infinity=False, places=2, min_value=-(10**9), max_value=10**9))
def test_money_as_decimal_text_and_float_is_one_amount(amount):
    assert same(amount, str(amount), DECIMAL)
    assert same(amount, float(amount), DECIMAL)
    assert same(amount, float(amount))


@given(st.datetimes(datetime(2000, 1, 1), datetime(2049, 12, 31)), st.integers(-12, 12))
def test_a_time_is_the_same_in_every_zone(moment, hours):
    moment = moment.replace(tzinfo=UTC)
    elsewhere = moment.astimezone(timezone(timedelta(hours=hours)))
    assert same(moment.isoformat(), elsewhere.isoformat(), DATETIME)
    assert not same(moment.isoformat(), moment.replace(tzinfo=None).isoformat(), DATETIME)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("x", INTEGER),
        (1.5, INTEGER),
        ("1e99999999", INTEGER),
        ("NaN", DECIMAL),
        ("1_000", NUMBER),
        (True, NUMBER),
        ({}, TEXT),
        (None, TEXT),
        ("yes", FieldType("boolean")),
        ("tomorrow", DATE),
        (5, DATETIME),
        ("a", FieldType("list")),
        ([], FieldType("record")),
        ("odd", FieldType("text", choices=("paid",))),
    ],
)
def test_what_a_type_cannot_read_is_a_value_error(value, kind):
    with pytest.raises(ValueError, match=r"is no|is none of"):
        read(value, kind)


TEXTS = st.sampled_from(["a", "25", "25.0", "true", "2026-11-20", "2026-11-20T00:00:00", "NaN", "1e5", ""])
KINDS = st.sampled_from([TEXT, INTEGER, DECIMAL, DATE, DATETIME, FieldType("text", choices=("a", "25")), ANY])


@given(TEXTS, TEXTS, KINDS)
def test_two_texts_are_the_same_as_they_are_when_read(one, other, kind):
    try:
        meant = equal(read(one, kind), read(other, kind))
    except ValueError:
        meant = one == other
    assert same(one, other, kind) is meant


def test_null_is_read_where_a_field_may_be_null():
    assert read(None, FieldType("text", nullable=True)) is None


def test_unquoted_decimals_become_numbers_where_nothing_is_declared():
    assert with_numbers({"a": [Decimal("2.50"), Decimal(3)]}) == {"a": [2.5, 3]}
    assert type(with_numbers(Decimal("3.0"))) is int


def test_shown_values_are_short_and_harmless():
    assert show("a\x1b[31m\u202e") == '"a\\u001b[31m\\u202e"'
    assert show("x" * 100, limit=10) == '"xxxxxxxx…'
    assert show(Decimal("49.90")) == "49.90"
    assert show(ABSENT) == "nothing"
    assert show({"name": "José 退款"}) == '{"name": "José 退款"}'


@given(JSON)
def test_shown_values_never_hold_a_character_that_a_terminal_obeys(value):
    assert show(value).isprintable()
    assert len(show(value)) <= 80


def test_a_digest_does_not_depend_on_the_order_of_keys():
    assert digest({"a": 1, "b": [2]}) == digest({"b": [2], "a": 1})
    assert digest({"a": 1}) != digest({"a": "1"})
    # sha256 of `{"a":1}`, by sha256sum
    assert digest({"a": 1}) == "015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862"
