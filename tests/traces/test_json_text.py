"""JSON text of every JSON value, read back by the standard library."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from traces.json_text import in_ascii, json_text, loads, pretty

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


@given(VALUES)
def test_over_many_lines_it_is_laid_out_as_the_standard_library_does(value):
    lines = pretty(value).split("\n")
    usual = json.dumps(value, indent=2).split("\n")
    assert [len(line) - len(line.lstrip()) for line in lines] == [len(line) - len(line.lstrip()) for line in usual]
    assert json.loads(pretty(value)) == value


@pytest.mark.parametrize("value", [{"a": 2**64}, "\ud800", ["\x7f\x9b\u202e😀Zürich"], {1: (2, object)}])
def test_over_many_lines_it_is_in_ascii_whatever_it_holds(value):
    text = pretty(value)
    assert text.isascii()
    assert "\x7f" not in text
    assert json.loads(text) == json.loads(json.dumps(value, default=str))


def test_what_is_utf8_is_the_same_in_ascii():
    assert in_ascii('{"a": "Zürich 😀\x7f"}'.encode()) == r'{"a": "Z\u00fcrich \ud83d\ude00\u007f"}'


def test_a_number_of_more_digits_than_python_reads_stays_text():
    digits = "9" * 5_000
    assert loads(f'{{"n": {digits}, "m": -7}}'.encode()) == {"n": digits, "m": -7}
