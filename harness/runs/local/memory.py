"""A worker that takes all the memory there is would end others first, and the machine with them."""

from __future__ import annotations

import asyncio
from collections.abc import Set as AbstractSet

import psutil

from harness.runs.local.process import Process

_LOOK = 0.2
"""Seconds between two looks."""
_SHARE = 0.8
"""Of the memory that is free when a run begins, how much its workers may take together."""


def fair_share(workers: int) -> int:
    """Bytes that each of so many workers may take."""
    return int(psutil.virtual_memory().available * _SHARE / workers)


class MemoryGuard:
    """Ends processes that take more than `limit` bytes, their child processes included."""

    def __init__(self, processes: AbstractSet[Process], limit: int) -> None:
        self._processes = processes
        self._limit = limit

    async def watch(self) -> None:
        """Look until cancelled."""
        while True:
            await asyncio.sleep(_LOOK)
            for process in [each for each in self._processes if each.alive]:
                if _taken(process.pid) > self._limit:
                    await process.kill(f"took more than {self._limit / 2**30:.1f} GiB of memory")


def _taken(pid: int) -> int:
    try:
        process = psutil.Process(pid)
        return sum(each.memory_info().rss for each in (process, *process.children(recursive=True)))
    except psutil.Error:
        return 0  # it has just ended
