"""A limit on the time that something may take, in which only time counts that it could use."""

from __future__ import annotations

import asyncio
import time
from types import TracebackType
from typing import Self

from harness.episodes.stalls import Share
from traces.clock import now


class Deadline:
    """Ends what runs within `async with` when the seconds are over, as `asyncio.timeout` does, but does not count those
    in which the loop stood still by somebody else's doing.
    """

    def __init__(self, seconds: float, share: Share) -> None:
        self._seconds = seconds
        self._share = share
        self._timeout = asyncio.timeout(None)
        self._left_late: bool | None = None

    async def __aenter__(self) -> Self:
        self._began = now()
        self._clock = time.monotonic()
        self._suffered = self._share.suffered
        await self._timeout.__aenter__()
        self._next = asyncio.get_running_loop().call_later(self._seconds, self._check)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._next.cancel()
        self._left_late = self.expired
        await self._timeout.__aexit__(kind, error, trace)

    @property
    def stalled(self) -> float:
        """Seconds since its beginning that don't count."""
        return max(0.0, self._share.suffered - self._suffered)

    @property
    def moment(self) -> float:
        """When the time is up, in seconds since the epoch, as far as it can be told now."""
        return self._began + self._seconds + self.stalled

    @property
    def expired(self) -> bool:
        """Whether the time is up; once it is left, whether it was up by then. What blocks the loop can't be ended, but
        is found out.
        """
        return self._timeout.expired() or self._left <= 0 if self._left_late is None else self._left_late

    @property
    def _left(self) -> float:
        return self._seconds + self.stalled - (time.monotonic() - self._clock)

    def _check(self) -> None:
        loop, left = asyncio.get_running_loop(), self._left
        if left > 0:
            self._next = loop.call_later(left, self._check)
        else:
            self._timeout.reschedule(loop.time())
