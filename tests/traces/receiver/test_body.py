"""How long is waited for the body of a request."""

import asyncio

from tests.clock import Clock
from traces.receiver import body
from traces.receiver.body import Body, Slow


def read(*pieces, hurried=None):
    """After how many seconds a body is read, or given up, whose pieces come so many seconds after each other. What is
    `hurried` has only so many more, from its beginning on.
    """
    clock = Clock()
    coming = iter(pieces)

    async def receive():
        pause, length, more = next(coming)
        await asyncio.sleep(pause)
        return {"type": "http.request", "body": b" " * length, "more_body": more}

    async def reading():
        found = Body(receive, 2**30)
        if hurried is not None:
            found.hurry(hurried)
        try:
            await found.read(lambda size: None)
        except Slow:
            return "slow", round(clock(), 3)
        return "whole", round(clock(), 3)

    return clock.run(reading())


def test_a_long_body_may_come_slowly_but_surely():
    minute = body.RATE * 60
    assert read(*[(9, minute, True)] * 20, (9, 1, False)) == ("whole", 189)
    assert read(*[(9, 1000, True)] * 20, (9, 1, False)) == ("slow", round(30 + 3000 / body.RATE, 3))


def test_from_one_piece_to_the_next_there_is_less_time():
    assert read((9, 2**20, True), (600, 1, False)) == ("slow", 19)


def test_one_that_is_hurried_has_only_so_much_time():
    assert read((1, 2**20, True), (9, 1, False), hurried=5) == ("slow", 5)
    assert read((1, 2**20, True), (3, 1, False), hurried=5) == ("whole", 4)
