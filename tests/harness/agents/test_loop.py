from __future__ import annotations

import asyncio
import logging
import os
import signal
import threading
import time
from contextlib import suppress

import pytest

from harness.agents import loop as loops
from harness.agents.guard import guarded
from harness.agents.loop import run
from harness.agents.problem import AgentError
from harness.agents.threads import Worker


@pytest.fixture(autouse=True)
def _short_grace(monkeypatch):
    monkeypatch.setattr(loops, "GRACE", 0.05)


@pytest.fixture
def _handler():
    """Ctrl-C as in a program in the foreground: one that a script starts in the background ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    signal.signal(signal.SIGINT, before)


def agent(work):
    """A coroutine that runs as an agent's turn."""
    return guarded(work, object(), Worker())


async def swallows():
    while True:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(60)


def test_it_gives_what_the_coroutine_gives_and_raises_what_it_raises():
    async def main():
        await asyncio.sleep(0)
        return 7

    async def fails():
        raise KeyError("x")

    assert run(main()) == 7
    with pytest.raises(KeyError, match="x"):
        run(fails())


@pytest.mark.parametrize("ends", ["returns", "raises"])
def test_a_task_that_swallows_cancellation_is_named_and_left_behind(caplog, ends):
    async def main():
        main.task = asyncio.create_task(swallows())
        await asyncio.sleep(0)
        if ends == "raises":
            raise KeyError("x")
        return 7

    if ends == "raises":
        with pytest.raises(KeyError):
            run(main())
    else:
        assert run(main()) == 7
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert record.getMessage().startswith(
        "turngate: 1 task(s) of the agent did not end when cancelled and are left behind: "
    )
    assert f"{__file__}:" in record.getMessage()
    assert "in swallows" in record.getMessage()


def test_what_ends_when_cancelled_is_not_spoken_of(caplog, monkeypatch):
    monkeypatch.setattr(loops, "GRACE", 60)
    ended = []

    async def stays():
        try:
            await asyncio.sleep(60)
        finally:
            ended.append("task")
            raise ValueError("on the way out")

    async def stream():
        try:
            yield 1
        finally:
            ended.append("stream")

    async def main():
        main.task = asyncio.create_task(stays())
        main.stream = stream()
        await anext(main.stream)

    run(main())
    assert ended == ["task", "stream"]
    assert not caplog.records


def test_a_stream_that_does_not_close_is_left_behind():
    ended = []

    async def stream():
        try:
            yield 1
        finally:
            await asyncio.sleep(60)
            ended.append("stream")

    async def main():
        main.stream = stream()
        await anext(main.stream)

    run(main())
    assert not ended


# What an agent may do to the loop


def test_an_agent_cannot_stop_the_loop():
    async def stops():
        asyncio.get_running_loop().stop()

    async def main():
        with pytest.raises(AgentError, match="the agent tried to stop the event loop"):
            await agent(stops)
        await asyncio.sleep(0)
        return 7

    assert run(main()) == 7


def test_a_thread_or_a_callback_of_the_agent_cannot_stop_the_loop():
    async def stops():
        loop = asyncio.get_running_loop()
        loop.call_soon(loop.stop)
        thread = threading.Thread(target=loop.call_soon_threadsafe, args=(loop.stop,))
        thread.start()
        thread.join()
        await asyncio.sleep(0.01)
        return 7

    async def main():
        return await agent(stops)

    assert run(main()) == 7


@pytest.mark.usefixtures("_handler")
@pytest.mark.parametrize("error", [SystemExit(3), KeyboardInterrupt()])
def test_a_stray_task_of_an_agent_cannot_end_the_program(error):
    async def dies():
        raise error

    async def work():
        work.task = asyncio.create_task(dies())
        await asyncio.sleep(0.01)
        return 7

    async def main():
        return await agent(work)

    assert run(main()) == 7


def test_an_agent_cannot_cancel_what_is_not_its_own():
    async def cancels():
        for task in asyncio.all_tasks():
            task.cancel()
        await asyncio.sleep(1)

    async def waits():
        await asyncio.sleep(0.02)
        return 7

    async def main():
        other = asyncio.create_task(agent(waits))
        with pytest.raises(AgentError, match="cancelled itself"):
            await agent(cancels)
        return await other

    assert run(main()) == 7


def test_an_agent_that_waits_for_turngates_tasks_does_not_take_them_down_with_it():
    async def gathers():
        await asyncio.gather(*(asyncio.all_tasks() - {asyncio.current_task()}))

    async def main():
        over = asyncio.Event()
        other = asyncio.create_task(over.wait())
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await agent(gathers)
        over.set()
        return await other

    assert run(main())


def test_an_agents_own_timeouts_and_groups_work():
    async def work():
        told = []
        try:
            async with asyncio.timeout(0.01):
                await asyncio.sleep(10)
        except TimeoutError:
            told.append("timeout")
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(asyncio.sleep(10))
                raise KeyError
        except ExceptionGroup:
            told.append("group")
        return told

    async def main():
        return await agent(work)

    assert run(main()) == ["timeout", "group"]


# Ctrl-C


def press(*before):
    """Ctrl-C after each of these waits, from another thread."""

    def pressing():
        for wait in before:
            wait()
            os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=pressing, daemon=True).start()


def a_moment():
    time.sleep(0.05)


@pytest.mark.usefixtures("_handler")
def test_ctrl_c_cancels_in_order():
    ended = []

    async def main():
        press(a_moment)
        try:
            await asyncio.sleep(30)
        finally:
            await asyncio.sleep(0)
            ended.append("in order")

    with pytest.raises(KeyboardInterrupt):
        run(main())
    assert ended == ["in order"]


@pytest.mark.usefixtures("_handler")
@pytest.mark.parametrize("work", [swallows, lambda: _spins()])
def test_ctrl_c_ends_a_run_whose_agent_swallows_cancellation(work):
    async def main():
        press(a_moment)
        await agent(work)

    with pytest.raises(KeyboardInterrupt):
        run(main())


async def _spins():
    """Is nearly always at work itself when the signal comes."""
    while True:
        time.sleep(0.01)
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(0)


@pytest.mark.usefixtures("_handler")
def test_a_second_ctrl_c_ends_what_does_not_give_way():
    heard = threading.Event()

    def once_heard():
        heard.wait(60)
        a_moment()

    async def main():
        press(a_moment, once_heard)
        while True:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                heard.set()

    with pytest.raises(KeyboardInterrupt):
        run(main())


def test_a_programs_own_handler_may_raise():
    def handler(*_):
        raise KeyboardInterrupt

    async def main():
        press(a_moment)
        await asyncio.sleep(30)

    before = signal.signal(signal.SIGINT, handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            run(main())
        assert signal.getsignal(signal.SIGINT) is handler
    finally:
        signal.signal(signal.SIGINT, before)
