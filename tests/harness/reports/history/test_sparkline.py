"""Figures as a row of characters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.reports.history.sparkline import ASCII, BLOCKS, letters_for, level, span


@pytest.mark.parametrize(
    ("value", "letter"), [(0, "▁"), (0.14, "▁"), (0.15, "▂"), (0.5, "▄"), (0.9, "▇"), (0.9999, "▇"), (1, "█")]
)
def test_only_all_is_the_highest(value, letter):
    assert level(value, 0, 1, BLOCKS) == letter


def test_values_that_are_all_one_stand_in_the_middle():
    assert level(3.5, 3.5, 3.5, BLOCKS) == "▅"


@given(st.lists(st.floats(-1e6, 1e6), min_size=1))
def test_a_larger_value_is_no_lower(values):
    low, high = span(values)
    heights = [BLOCKS.levels.index(level(value, low, high, BLOCKS)) for value in sorted(values)]
    assert heights == sorted(heights)


def test_holes_are_in_no_scale():
    assert span([None, 2.0, None, 1.0]) == (1.0, 2.0)
    assert span([None]) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("encoding", "letters"), [("utf-8", BLOCKS), ("ascii", ASCII), ("latin-1", ASCII), ("nonsense", ASCII)]
)
def test_a_terminal_without_blocks_gets_letters(encoding, letters):
    assert letters_for(encoding) == letters
