from __future__ import annotations

import gc
from contextlib import suppress

from harness.runs.heap import settled_heap


def test_collection_is_as_it_was_afterwards_whatever_happens():
    before = gc.get_threshold(), gc.get_freeze_count()
    with suppress(KeyError), settled_heap():
        assert gc.get_freeze_count() > 0
        assert gc.get_threshold()[0] > before[0][0]
        raise KeyError
    assert (gc.get_threshold(), gc.get_freeze_count()) == before


def test_cycles_are_still_collected():
    class Cycle:
        alive = 0

        def __init__(self):
            self.me = self
            Cycle.alive += 1

        def __del__(self):
            Cycle.alive -= 1

    with settled_heap():
        for _ in range(200_000):
            Cycle()
        assert Cycle.alive < 100_000
