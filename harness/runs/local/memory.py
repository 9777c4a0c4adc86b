"""A worker that takes all the memory there is would end others first, and the machine with them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from collections.abc import Set as AbstractSet

import psutil

from harness.runs.local.cgroup import free_memory
from harness.runs.local.process import Process

_LOOK = 0.2
"""Seconds between two looks."""
_SHARE = 0.8
"""Of the memory that is free when a run begins, how much its workers may take together."""


def fair_share(workers: int) -> int:
    """Bytes that each of so many workers may take of what is free: in the machine, and in a container around it all."""
    free, contained = psutil.virtual_memory().available, free_memory()
    return int((free if contained is None else min(free, contained)) * _SHARE / workers)


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
                if takes_more(process.pid, self._limit):
                    await process.kill(f"took more than {self._limit / 2**30:.1f} GiB of memory")


def takes_more(pid: int, limit: int) -> bool:
    """Whether a process and its child processes take more than so many bytes. Pages that a fork shares with its parent
    count once: where the cheap look, which counts them for each, finds too many, a dear one decides.
    """
    try:
        process = psutil.Process(pid)
        family = [process, *process.children(recursive=True)]
    except psutil.Error:
        return False  # it has just ended
    return all(sum(_bytes(each, look) for each in family) > limit for look in (_resident, _proportional))


def _bytes(process: psutil.Process, look: Callable[[psutil.Process], int]) -> int:
    try:
        return look(process)
    except psutil.AccessDenied:  # of one that has taken other rights, no more than the cheap look is to be had
        return _bytes(process, _resident) if look is not _resident else 0
    except psutil.Error:
        return 0


def _resident(process: psutil.Process) -> int:
    return int(process.memory_info().rss)


def _proportional(process: psutil.Process) -> int:
    """Each page divided by how many share it; where the system can't tell, the pages that nobody shares."""
    info = process.memory_full_info()
    return int(next(getattr(info, name) for name in ("pss", "uss", "rss") if hasattr(info, name)))
