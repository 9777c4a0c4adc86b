from __future__ import annotations

import asyncio

import pytest

from harness.agents.problem import AgentProblem
from harness.runs.inline import play_all


def run(tasks, play, go_on=lambda: True, concurrency=3):
    asyncio.run(play_all(tasks, play, go_on, concurrency=concurrency))


def test_every_task_is_played_once_and_no_more_than_so_many_at_a_time():
    under_way, most, results = 0, 0, {}

    async def play(task):
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0)
        under_way -= 1
        results[task] = results.get(task, 0) + 1

    run(iter(range(20)), play)
    assert results == dict.fromkeys(range(20), 1)
    assert most == 3


def test_no_more_tasks_are_taken_than_are_being_played():
    taken = []

    def tasks():
        for n in range(100):
            taken.append(n)
            yield n

    async def play(task):
        await asyncio.sleep(0)
        assert len(taken) - task <= 3

    run(tasks(), play)
    assert len(taken) == 100


def test_when_told_to_stop_those_under_way_are_finished():
    begun, finished = [], []

    async def play(task):
        begun.append(task)
        await asyncio.sleep(0.01 if task else 0)
        finished.append(task)

    run(range(10), play, lambda: not finished)
    assert begun == [0, 1, 2]
    assert sorted(finished) == [0, 1, 2]


def test_a_failure_ends_the_others_and_is_raised_as_it_is():
    cancelled = []
    cause = KeyError("tool")

    async def play(task):
        if task == 0:
            await asyncio.sleep(0)
            raise AgentProblem("no such tool") from cause
        try:
            await asyncio.sleep(10)
        except asyncio.CancelledError:
            cancelled.append(task)
            raise

    with pytest.raises(AgentProblem, match="no such tool") as caught:
        run(range(10), play)
    assert caught.value.__cause__ is cause
    assert sorted(cancelled) == [1, 2]


def test_cancelling_it_cancels_what_is_played():
    async def play(task):
        await asyncio.sleep(10)

    async def outer():
        playing = asyncio.create_task(play_all(range(5), play, lambda: True, concurrency=2))
        await asyncio.sleep(0.01)
        playing.cancel()
        await playing

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(outer())
