"""A deadline ends what runs within it, and nothing else."""

from __future__ import annotations

import asyncio

import pytest

from harness.episodes import deadline as deadlines
from harness.episodes.deadline import Deadline
from harness.episodes.stalls import LoopStalls
from tests.clock import Clock


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(deadlines, "monotonic", clock)
    return clock


def deadline(seconds):
    return Deadline(seconds, Share())


class Share:
    suffered = 0.0


def test_what_takes_too_long_ends_with_a_timeout(clock):
    async def work():
        with deadline(0.01) as limit:
            await asyncio.sleep(60)
        return limit

    with pytest.raises(TimeoutError) as caught:
        clock.run(work())
    assert isinstance(caught.value.__cause__, asyncio.CancelledError)


def test_what_ends_in_time_has_no_deadline_any_more(clock):
    async def work():
        with deadline(0.01) as limit:
            await asyncio.sleep(0)
        await asyncio.sleep(0.03)
        return limit.expired, asyncio.current_task().cancelling()

    assert clock.run(work()) == (False, 0)


def test_the_inner_of_two_strikes_alone(clock):
    async def work():
        with deadline(60) as outer:
            with pytest.raises(TimeoutError), deadline(0.01) as inner:
                await asyncio.sleep(60)
            await asyncio.sleep(0)
        return inner.expired, outer.expired

    assert clock.run(work()) == (True, False)


def test_a_cancellation_by_somebody_else_stays_one(clock):
    async def work():
        with deadline(60):
            await asyncio.sleep(60)

    async def both():
        task = asyncio.create_task(work())
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    clock.run(both())


def test_a_cancellation_beside_the_deadline_stays_one(clock):
    async def work():
        with deadline(0.01):
            try:
                await asyncio.sleep(60)
            finally:
                asyncio.current_task().cancel()

    async def both():
        with pytest.raises(asyncio.CancelledError):
            await asyncio.create_task(work())

    clock.run(both())


def test_one_that_is_entered_again_has_all_its_time_again_and_still_ends_it(clock):
    async def work():
        limit = deadline(0.05)
        with limit:
            await asyncio.sleep(0.04)
        with limit:
            await asyncio.sleep(0.03)  # past the moment that the first was to end at
        in_time = limit.expired
        await asyncio.sleep(0.06)  # the timer finds nobody within
        with pytest.raises(TimeoutError), limit:
            await asyncio.sleep(60)
        with limit:
            await asyncio.sleep(0)
        limit.close()
        return in_time, limit.expired

    assert clock.run(work()) == (False, False)


def test_seconds_that_others_took_do_not_count(clock):
    async def work():
        share = Share()
        with Deadline(0.02, share) as limit:
            share.suffered = 0.04
            await asyncio.sleep(0.03)
            return limit.expired, limit.stalled

    assert clock.run(work()) == (False, 0.04)


def test_stalls_that_are_not_measured_are_none():
    with LoopStalls().share() as share:
        assert share.suffered == 0.0
