"""Who is charged with the time for which the event loop stands still."""

from __future__ import annotations

import asyncio
import time

import pytest

from harness.agents.resolve import resolve
from harness.episodes.play import play
from harness.episodes.stalls import BEAT, LoopStalls
from harness.episodes.task import Limits
from harness.scoring.efficiency import latency_seconds
from tests.clock import Clock
from tests.harness.desk import scenario, tasks
from traces.capture import Tracing

STALL = 0.4
TOLD = pytest.approx(STALL, abs=1.01 * BEAT)
"""A stall is told up to a beat too short."""


class Stalling(Clock):
    """A clock that also moves on while something holds up the loop. `stalls`: what measures that."""

    stalls: LoopStalls

    def stall(self):
        """Hold up the loop for STALL seconds, and until that is seen."""
        seen = self.stalls.seconds
        self.wait(STALL)
        for _ in range(12_000):
            if self.stalls.seconds != seen:
                return
            time.sleep(0.005)
        pytest.fail("nobody has seen that the loop stands still")

    def measured(self):
        """Measures the running loop within the `with`."""
        self.stalls = LoopStalls()
        return self.stalls


@pytest.fixture
def clock(monkeypatch):
    clock = Stalling()
    for module in ("stalls", "deadline"):
        monkeypatch.setattr(f"harness.episodes.{module}.monotonic", clock)
    for module in ("deadline", "play"):
        monkeypatch.setattr(f"harness.episodes.{module}.now", lambda: 1_800_000_000 + clock())
    return clock


async def answers(message):
    await asyncio.sleep(0.1)
    return "Here I am."


def blocks(clock):
    async def agent(message):
        await asyncio.sleep(0.02)
        clock.stall()
        return "Here I am."

    return agent


def blocks_in_a_task_of_its_own(clock):
    async def agent(message):
        return await asyncio.create_task(blocks(clock)(message))

    return agent


def blocks_in_a_callback(clock):
    async def agent(message):
        asyncio.get_running_loop().call_later(0.02, clock.stall)
        await asyncio.sleep(0.1)
        return "Here I am."

    return agent


def together(folder, clock, *agents, limits=Limits(turn_seconds=0.3), beside=None):
    """Plays an episode with each agent, all at once on one loop, and `beside` with them."""

    async def run():
        with clock.measured() as stalls:
            playing = [
                play(task, source, Tracing(), stalls=stalls) for task, source in zip(every, sources, strict=True)
            ]
            episodes = await asyncio.gather(*playing, *([beside()] if beside else []))
            return episodes[: len(agents)]

    bundle, every = tasks(folder, trials=len(agents), limits=limits, scenarios=scenario("Hi."))
    sources = [resolve(agent, folder) for agent in agents]
    return bundle, clock.run(run())


@pytest.mark.parametrize("blocking", [blocks, blocks_in_a_task_of_its_own, blocks_in_a_callback])
def test_only_the_agent_that_blocks_the_loop_is_charged_with_it(tmp_path, clock, blocking):
    bundle, (innocent, guilty) = together(tmp_path, clock, answers, blocking(clock))
    assert innocent.end.kind == "script_done"
    assert (guilty.end.kind, guilty.end.code) == ("limit", "FL4")
    (turn,) = innocent.turns
    assert turn.stalled == TOLD
    (own,) = guilty.turns
    assert own.stalled == pytest.approx(0, abs=1e-6)
    assert own.seconds > STALL

    told = latency_seconds.score(innocent, bundle.material("talk"))["latency_seconds"]
    assert told.value.value == pytest.approx(turn.ended - turn.started - turn.stalled)
    assert told.details["stalled"] == pytest.approx(turn.stalled)
    assert told.details["turns"] == [told.value.value]


@pytest.mark.parametrize("limits", [Limits(turn_seconds=0.3), Limits(episode_seconds=0.3)])
def test_what_turngate_does_itself_is_nobodys_time(tmp_path, clock, limits):
    async def scores():
        await asyncio.sleep(0.02)
        clock.stall()

    _, (episode,) = together(tmp_path, clock, answers, limits=limits, beside=scores)
    assert episode.end.kind == "script_done"
    assert episode.turns[0].stalled == TOLD


def test_what_turngate_does_for_an_episode_is_no_more_the_episodes_doing(clock):
    async def works():
        with clock.measured() as stalls, stalls.share() as share:
            await asyncio.sleep(0.02)
            clock.stall()
            await asyncio.sleep(0.05)
            return share.caused, share.suffered

    assert clock.run(works()) == (0, TOLD)


def test_an_agent_that_is_slow_without_blocking_has_all_its_time(tmp_path, clock):
    async def slow(message):
        await asyncio.sleep(30)

    _, (episode,) = together(tmp_path, clock, slow, limits=Limits(turn_seconds=0.2))
    assert (episode.end.kind, episode.end.code) == ("limit", "FL4")
    assert episode.turns[0].seconds == pytest.approx(0.2)


def test_a_loop_that_rests_does_not_stand_still(clock):
    async def rest():
        with clock.measured() as stalls:
            for _ in range(10):
                time.sleep(BEAT)  # for the one who looks
                await asyncio.sleep(1)
            return stalls.seconds

    assert clock.run(rest()) == 0


def test_the_loop_is_left_as_it_was():
    async def run():
        loop = asyncio.get_running_loop()
        with LoopStalls():
            assert await asyncio.create_task(asyncio.sleep(0, "done")) == "done"
        return loop.get_task_factory()

    assert asyncio.run(run()) is None
