from __future__ import annotations

import asyncio

import pytest

from harness.agents.resolve import resolve
from harness.runs.inline import Inline
from harness.runs.plan import Settings
from harness.runs.prepare import load_bundle
from harness.runs.resume import CantResume
from harness.runs.shared import SharedRun
from harness.store.store import Store
from tests.harness.desk import SCENARIO, scenario, write

RUN = "r-20261130-100000-abcdef"
ITEMS = ["cancel-one", "other"]


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A bundle of two scenarios, and a way for each process to begin the run: as different objects on one store."""
    monkeypatch.chdir(write(tmp_path / "desk", scenarios=SCENARIO + scenario("Hello.", id="other")))
    store = Store.open(tmp_path / "runs.db")
    executor = Inline(resolve("agent.py:agent", tmp_path / "desk"))

    async def begun(items=ITEMS, executor=executor, **settings):
        bundle = load_bundle(tmp_path / "desk")
        return await SharedRun.begun(bundle, store, Settings(**settings), items, RUN, await executor.version())

    begun.store, begun.executor = store, executor
    yield begun
    store.close()


def states(store):
    return {result.key.item: result.state for result in store.results(RUN)}


def test_two_processes_play_their_parts_of_one_plan(place):
    async def main():
        first, second = await place(), await place()
        assert first.record == second.record
        await first.play("cancel-one", place.executor)
        assert states(place.store) == {"cancel-one": "played", "other": "missing"}
        await second.play("other", place.executor)

    asyncio.run(main())
    assert states(place.store) == {"cancel-one": "played", "other": "played"}
    assert len(list(place.store.results(RUN))) == 4


def test_what_was_played_is_there_once_however_often_it_is_asked_for(place):
    async def main():
        first, second = await place(), await place()
        for _ in range(2):
            await first.play("other", place.executor)
        await second.play("other", place.executor)
        assert [key.trial for key in first.keys("other")] == [1, 2]

    asyncio.run(main())
    assert [episode.key.trial for episode in place.store.episodes(RUN)] == [1, 2]


def test_no_trial_that_is_in_the_store_is_played_again(place, tmp_path):
    heard = []

    def agent(message):
        heard.append(message)
        return "Hi."

    async def main():
        executor = Inline(resolve(agent, tmp_path))
        first, second = await place(executor=executor), await place(executor=executor)
        await first.play("other", executor)
        await second.play("other", executor)

    asyncio.run(main())
    assert len(heard) == 2, "one message a trial"


def test_the_plan_of_the_first_holds(place):
    async def main():
        await place(trials=1)
        return await place()

    shared = asyncio.run(main())
    assert [key.trial for key in shared.keys("other")] == [1]
    assert shared.record.options["partial"] == "--trials 1"


def test_a_part_of_the_scenarios_says_so(place):
    assert asyncio.run(place(["other"])).record.options["partial"] == "1 of 2 scenarios"
    assert set(states(place.store)) == {"other"}


def test_another_agent_is_refused(place):
    async def main():
        await place()
        await place(executor=Inline(resolve(lambda message: "No.", place.store.place.parent)))

    with pytest.raises(CantResume, match="it was begun with agent:agent@"):
        asyncio.run(main())
