"""JSON text of every JSON value, read back by the standard library."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from traces.json_text import json_text, loads

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
)


@given(VALUES)
def test_the_standard_library_reads_the_same_value_back(value):
    assert json.loads(json_text(value)) == value


@pytest.mark.parametrize("value", [{"a": 2**64}, "\ud800", {"\udfff": [1]}, [-(2**63) - 1]])
def test_what_the_fast_writer_refuses_is_written_too(value):
    assert json.loads(json_text(value)) == value


def test_it_is_short_and_in_plain_characters():
    assert json_text({"name": "Zürich", "n": [1, 2.5]}) == '{"name":"Zürich","n":[1,2.5]}'


def test_deep_nesting_is_written():
    deep = []
    for _ in range(400):
        deep = [deep]
    assert json.loads(json_text(deep)) == deep


def test_a_number_of_more_digits_than_python_reads_stays_text():
    digits = "9" * 5_000
    assert loads(f'{{"n": {digits}, "m": -7}}'.encode()) == {"n": digits, "m": -7}
