"""Several coroutines at once, of which the first that fails ends the others."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any


async def all_of(works: Iterable[Coroutine[Any, Any, None]]) -> None:
    """Run them all at once. The first failure cancels the others and is raised out of its group: a user's mistake is
    known by its type.
    """
    try:
        async with asyncio.TaskGroup() as group:
            for work in works:
                group.create_task(work)
    except BaseExceptionGroup as failures:
        first = failures.exceptions[0]
        raise first from first.__cause__
