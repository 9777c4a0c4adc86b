from __future__ import annotations

import asyncio
import threading

from harness.loops import PerLoop


class Connections:
    def __init__(self, events):
        self.events = events
        self.number = len(events)

    async def __aenter__(self):
        self.events.append(f"open {self.number}")
        return self

    async def __aexit__(self, *_):
        self.events.append(f"close {self.number}")


def test_each_loop_has_its_own_and_closes_it_when_it_ends():
    events = []
    held = PerLoop(lambda: Connections(events))

    async def both():
        return {each.number for each in await asyncio.gather(held.get(), held.get())}

    assert asyncio.run(both()) == {0}
    assert events == ["open 0", "close 0"]
    assert asyncio.run(both()) == {2}
    assert events[2:] == ["open 2", "close 2"]


def test_loops_that_run_at_the_same_time_keep_their_own():
    events, kept = [], []
    held = PerLoop(lambda: Connections(events))
    together = threading.Barrier(2, timeout=120)

    async def twice():
        first = await held.get()
        together.wait()
        kept.append((first, await held.get(), len(events)))
        together.wait()

    threads = [threading.Thread(target=asyncio.run, args=(twice(),)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (one, again, opened), (other, once_more, _) = kept
    assert one is again
    assert other is once_more
    assert one is not other
    assert (opened, len(events)) == (2, 4)
