from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from harness.runs.keeper import Keeper
from harness.store.codec import written
from harness.store.problem import StoreProblem
from harness.store.store import Store
from tests.harness.scoring.build import material
from tests.harness.store.build import begun, episode, planned


class Counted(Store):
    """Remembers how many episodes each transaction held."""

    groups: tuple[int, ...] = ()

    def save_many(self, scored_episodes, *args, **more):
        self.groups = (*self.groups, len(scored_episodes))
        return super().save_many(scored_episodes, *args, **more)


@pytest.fixture
def store(tmp_path):
    with Counted.open(tmp_path / "turngate.db") as opened:
        begun(opened, *(planned("item", trial) for trial in range(1, 9)))
        yield opened


def keeper(store, most, told=None):
    materials = {"item": material(), "nobody planned it": material()}
    return Keeper(store, materials, lambda played: None if told is None else told.append(played.key.trial), most)


def kept(store):
    return {played.key.trial for played in store.episodes("r-1")}


def test_as_many_as_can_come_are_written_at_once_and_are_there_when_they_go_on(store):
    told, seen = [], {}
    keeping = keeper(store, 4, told)

    async def worker(trial):
        await keeping.keep(episode("item", trial))
        seen[trial] = kept(store)

    async def run():
        await asyncio.gather(*map(worker, range(1, 9)))

    asyncio.run(run())
    assert store.groups == (4, 4)
    assert told == list(range(1, 9))
    assert all(trial in there for trial, there in seen.items())


def test_one_that_nobody_joins_is_written_soon(store):
    keeping = keeper(store, 4)

    async def run():
        await asyncio.wait_for(keeping.keep(episode("item", 1)), 60)
        await asyncio.wait_for(keeping.keep(episode("item", 2)), 60)

    asyncio.run(run())
    assert store.groups == (1, 1)


def test_what_waits_when_all_is_cancelled_is_left_to_flush(store):
    told = []
    keeping = keeper(store, 4, told)

    async def run():
        waiting = keeping.keep(episode("item", 1))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert kept(store) == set()
        keeping.flush()
        assert kept(store) == {1}
        keeping.flush()
        await asyncio.sleep(0.02)  # the group's time is over, and nothing is written twice

    asyncio.run(run())
    assert (told, store.groups) == ([1], (1,))


def test_what_the_store_says_reaches_everyone_of_the_group(store):
    keeping = keeper(store, 2)

    async def run():
        return await asyncio.gather(
            keeping.keep(episode("item", 1)),
            keeping.keep(episode("nobody planned it", 1)),
            return_exceptions=True,
        )

    assert [type(problem) for problem in asyncio.run(run())] == [StoreProblem, StoreProblem]


def test_a_record_is_stored_as_it_came_but_for_its_secrets(store):
    keeping = keeper(store, 1)
    secret = "sk-proj-Zx8Qw3Er5Ty7Ui9Op1As3Df5Gh7Jk9Lz"
    one = episode("item", 1, notes=[f"the key is {secret}"])

    async def run():
        await keeping.keep(one, written(one))

    asyncio.run(run())
    (kept_one,) = store.episodes("r-1")
    assert replace(kept_one, notes=[]) == replace(one, notes=[])
    assert secret not in kept_one.notes[0]
