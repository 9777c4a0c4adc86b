"""The growth of costs is told apart, wherever Python code does the work."""

from __future__ import annotations

import sys

import pytest

from tests import effort
from tests.effort import growth, lines, no_hang


def loop(numbers):
    found = 0
    for number in numbers:
        found += number
    return found


WAYS = {
    "loop": (loop, lambda numbers: [loop(numbers) for _ in numbers]),
    "comprehension": (
        lambda numbers: [-number for number in numbers],
        lambda numbers: [(one, other) for one in numbers for other in numbers],
    ),
    "generator": (
        lambda numbers: sum(number for number in numbers),
        lambda numbers: sum(one * other for one in numbers for other in numbers),
    ),
    "key": (
        lambda numbers: sorted(numbers, key=lambda number: -number),
        lambda numbers: [min(numbers, key=lambda number: -number) for _ in numbers],
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_grows_with_the_input_is_told_from_what_grows_with_its_square(way):
    straight, square = WAYS[way]
    assert 0.9 < growth(straight, lambda size: list(range(size)), 100) <= 1
    assert 3.5 < growth(square, lambda size: list(range(size)), 100) <= 4


def test_who_watches_already_goes_on_after():
    def watching(frame, event, argument):
        return None

    before = sys.gettrace()
    sys.settrace(watching)
    try:
        lines(lambda: loop([1]))
        assert sys.gettrace() is watching
    finally:
        sys.settrace(before)


def test_what_takes_longer_than_a_healthy_machine_ever_does_hangs(monkeypatch):
    with no_hang():
        loop(range(1000))
    monkeypatch.setattr(effort, "_HANGS", 0)
    with pytest.raises(AssertionError, match="of processor time"), no_hang():
        loop(range(1000))
