from __future__ import annotations

import asyncio

import pytest

from harness.agents.loop import run
from harness.runs.local import process


@pytest.mark.parametrize("pressed", [0, 1])
def test_a_worker_is_dead_once_its_end_is_over_also_one_that_was_interrupted(monkeypatch, pressed):
    monkeypatch.setattr(process, "_CODE", "import time; time.sleep(600)")

    async def ended():
        worker = await process.Process.start()
        ending = asyncio.create_task(worker.end())
        for _ in range(pressed):
            await asyncio.sleep(0.1)
            ending.cancel()
        await asyncio.wait({ending})
        assert ending.cancelled() == bool(pressed)
        return worker.alive

    assert not asyncio.run(ended())


def test_a_worker_that_nobody_ended_is_dead_before_the_loop_is_closed(monkeypatch):
    monkeypatch.setattr(process, "_CODE", "import time; time.sleep(600)")
    assert not run(process.Process.start()).alive
