"""What belongs to one event loop, as connections do."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

T = TypeVar("T")


class PerLoop(Generic[T]):
    """One resource for each event loop, entered when it is first asked for there. The loop leaves it when it shuts its
    asynchronous generators down, as `asyncio.run` does at its end; so it must not be made of one itself.
    """

    def __init__(self, make: Callable[[], AbstractAsyncContextManager[T]]) -> None:
        self._make = make
        # The generators are kept beside what they hold: dropped, they would leave it at once.
        self._held: WeakKeyDictionary[asyncio.AbstractEventLoop, tuple[T, AsyncGenerator[T]]] = WeakKeyDictionary()

    async def get(self) -> T:
        """That of the running loop. Entering it must not wait for anything, lest two who ask at once make two."""
        loop = asyncio.get_running_loop()
        if (held := self._held.get(loop)) is None:
            holding = _held(self._make())
            held = self._held[loop] = await anext(holding), holding
        return held[0]


async def _held(resource: AbstractAsyncContextManager[T]) -> AsyncGenerator[T]:
    async with resource as entered:
        yield entered
