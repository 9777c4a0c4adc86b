import sys
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.gates.figures import exactly, nearest, shown


@pytest.mark.parametrize(
    ("figure", "limit", "text"),
    [
        ("0.79996", "0.8", "0.79996"),
        ("0.8", "0.80", "0.8"),
        ("1/3", None, "0.333"),
        ("2/3", "0.667", "0.6667"),
        ("0.0000213", "0.02", "0.0000213"),
        ("1999999999/2000000000", "1", "0.9999999995"),
        ("12345678.5", None, "12345678.5"),
        ("0", "0", "0"),
        ("-1/3", None, "-0.333"),
    ],
)
def test_shown(figure, limit, text):
    assert shown(Fraction(figure), None if limit is None else Decimal(limit)) == text


@given(st.fractions(0, 2, max_denominator=10**6), st.decimals(0, 1, places=3))
def test_never_looks_equal_to_a_limit_that_it_differs_from(figure, limit):
    assert (Fraction(shown(figure, limit)) == exactly(limit)) == (figure == exactly(limit))


def test_a_number_is_what_is_written():
    assert exactly(0.1) == Fraction(1, 10) == exactly(Decimal("0.1"))
    assert exactly(1e-07) == Fraction(1, 10**7)


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (Fraction(1, 2), 0.5),
        (10**400, sys.float_info.max),
        (-(10**4000), -sys.float_info.max),
        (Decimal("1e400"), sys.float_info.max),
        (Fraction(10**400, 3), sys.float_info.max),
    ],
)
def test_a_number_beyond_floats_is_the_largest_one(value, found):
    assert nearest(value) == found


def test_numbers_that_nobody_can_read_are_not_written_out():
    assert shown(exactly(10**400)) == "1.000e+400"
    assert shown(exactly(10**5000)) == "1.000e+5000"
    assert shown(exactly(123_456)) == "123456"
