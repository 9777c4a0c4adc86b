"""A limit on the time that something may take, in which only time counts that it could use."""

from __future__ import annotations

import asyncio
from typing import Self

from harness.episodes.stalls import Share
from traces.clock import monotonic, now


class Deadline:
    """Ends what runs within `with` when the seconds are over, by a cancellation that becomes a TimeoutError, as
    `asyncio.timeout` does, but does not count those in which the loop stood still by somebody else's doing.

    May be entered again, for the next turn: its timer then runs on, since to set one takes longer than all else here.
    To be closed in the end.
    """

    def __init__(self, seconds: float, share: Share) -> None:
        self._seconds = seconds
        self._share = share
        self._struck = False
        self._left_late: bool | None = None
        self._timer: asyncio.Handle | None = None
        self._strikes: asyncio.Handle | None = None

    def __enter__(self) -> Self:
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("a deadline ends a task, and none is running here")
        self._task = task
        self._cancelling = task.cancelling()
        self._began = now()
        self._clock = monotonic()
        self._suffered = self._share.suffered
        self._struck, self._left_late = False, None
        if self._timer is None:
            self._timer = task.get_loop().call_later(self._seconds, self._check)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if self._strikes is not None:
            self._strikes.cancel()
            self._strikes = None
        self._left_late = self.expired
        # Cancelled by somebody else as well, it goes on being cancelled.
        if self._struck and self._task.uncancel() <= self._cancelling and isinstance(error, asyncio.CancelledError):
            raise TimeoutError from error

    def close(self) -> None:
        """It will not be entered again."""
        if self._timer is not None:
            self._timer.cancel()

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
        if self._left_late is not None:
            return self._left_late
        # Time that doesn't count is added only once it matters.
        return self._struck or (monotonic() - self._clock >= self._seconds and self._left <= 0)

    @property
    def _left(self) -> float:
        return self._seconds + self.stalled - (monotonic() - self._clock)

    def _check(self) -> None:
        self._timer = None
        if self._left_late is not None:
            return  # it was set for a turn that is over
        loop, left = self._task.get_loop(), self._left
        if left > 0:
            self._timer = loop.call_later(left, self._check)
        else:
            self._strikes = loop.call_soon(self._strike)  # a reply that is on its way already is still heard

    def _strike(self) -> None:
        self._struck = True
        self._task.cancel()
