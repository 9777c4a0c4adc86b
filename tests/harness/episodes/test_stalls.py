from __future__ import annotations

import asyncio
import time

import pytest

from harness.agents.resolve import resolve
from harness.episodes.play import play
from harness.episodes.stalls import LoopStalls
from harness.episodes.task import Limits
from harness.scoring.efficiency import latency_seconds
from tests.harness.desk import scenario, tasks
from traces.capture import Tracing

STALL = 0.4


async def answers(message):
    await asyncio.sleep(0.1)
    return "Here I am."


async def blocks(message):
    await asyncio.sleep(0.02)
    time.sleep(STALL)
    return "Here I am."


async def blocks_in_a_task_of_its_own(message):
    return await asyncio.create_task(blocks(message))


async def blocks_in_a_callback(message):
    asyncio.get_running_loop().call_later(0.02, time.sleep, STALL)
    await asyncio.sleep(0.1)
    return "Here I am."


def together(folder, *agents, limits=Limits(turn_seconds=0.3), beside=None):
    """Plays an episode with each agent, all at once on one loop, and `beside` with them."""

    async def run():
        with LoopStalls() as stalls:
            playing = [
                play(task, source, Tracing(), stalls=stalls) for task, source in zip(every, sources, strict=True)
            ]
            episodes = await asyncio.gather(*playing, *([beside()] if beside else []))
            return episodes[: len(agents)]

    bundle, every = tasks(folder, trials=len(agents), limits=limits, scenarios=scenario("Hi."))
    sources = [resolve(agent, folder) for agent in agents]
    return bundle, asyncio.run(run())


@pytest.mark.parametrize("blocking", [blocks, blocks_in_a_task_of_its_own, blocks_in_a_callback])
def test_only_the_agent_that_blocks_the_loop_is_charged_with_it(tmp_path, blocking):
    bundle, (innocent, guilty) = together(tmp_path, answers, blocking)
    assert innocent.end.kind == "script_done"
    assert (guilty.end.kind, guilty.end.code) == ("limit", "FL4")
    (turn,) = innocent.turns
    assert STALL / 2 < turn.stalled <= turn.ended - turn.started
    (own,) = guilty.turns
    assert own.stalled == pytest.approx(0, abs=0.1)
    assert own.seconds >= STALL - 0.1

    told = latency_seconds.score(innocent, bundle.material("talk"))["latency_seconds"]
    assert told.value.value == pytest.approx(turn.ended - turn.started - turn.stalled)
    assert told.details["stalled"] == pytest.approx(turn.stalled)
    assert told.details["turns"] == [told.value.value]


@pytest.mark.parametrize("limits", [Limits(turn_seconds=0.3), Limits(episode_seconds=0.3)])
def test_what_turngate_does_itself_is_nobodys_time(tmp_path, limits):
    async def scores():
        await asyncio.sleep(0.02)
        time.sleep(STALL)

    _, (episode,) = together(tmp_path, answers, limits=limits, beside=scores)
    assert episode.end.kind == "script_done"
    assert episode.turns[0].stalled > STALL / 2


def test_what_turngate_does_for_an_episode_is_no_more_the_episodes_doing():
    async def works():
        with LoopStalls() as stalls, stalls.share() as share:
            await asyncio.sleep(0.02)
            time.sleep(STALL)
            await asyncio.sleep(0.05)
            return share.caused, share.suffered

    caused, suffered = asyncio.run(works())
    assert caused == 0
    assert suffered > STALL / 2


def test_an_agent_that_is_slow_without_blocking_has_all_its_time(tmp_path):
    async def slow(message):
        await asyncio.sleep(30)

    _, (episode,) = together(tmp_path, slow, limits=Limits(turn_seconds=0.2))
    assert (episode.end.kind, episode.end.code) == ("limit", "FL4")
    assert 0.2 <= episode.turns[0].seconds < 30


def test_a_loop_that_rests_does_not_stand_still():
    async def rest():
        with LoopStalls() as stalls:
            await asyncio.sleep(1)
            return stalls.seconds

    assert asyncio.run(rest()) < 1


def test_the_loop_is_left_as_it_was():
    async def run():
        loop = asyncio.get_running_loop()
        with LoopStalls():
            assert await asyncio.create_task(asyncio.sleep(0, "done")) == "done"
        return loop.get_task_factory()

    assert asyncio.run(run()) is None
