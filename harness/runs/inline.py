"""The `inline` executor: episodes in the calling process, several at a time on one event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


async def play_all(
    tasks: Iterable[T],
    play: Callable[[T], Awaitable[R]],
    done: Callable[[T, R], bool],
    *,
    concurrency: int,
) -> None:
    """Play every task, at most `concurrency` at a time, and hand each result to `done` as soon as it is there.

    When `done` returns False no further task is begun; those under way are finished and handed over too. A failure of
    `play` or `done` itself ends the others and is raised. Only as many tasks are held as are being played.
    """
    waiting = iter(tasks)
    go_on = True

    async def worker() -> None:
        nonlocal go_on
        while go_on and (task := next(waiting, None)) is not None:
            result = await play(task)
            go_on = done(task, result) and go_on

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(concurrency):
                group.create_task(worker())
    except BaseExceptionGroup as failures:
        # The first failure cancelled the others. Out of its group, a user's mistake is known by its type.
        first = failures.exceptions[0]
        raise first from first.__cause__
