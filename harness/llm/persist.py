"""Attempts until one succeeds: with waits between them, and with the pauses that all of a run keep together."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from random import Random
from typing import TypeVar

from harness.llm.ledger import Ledger
from harness.llm.problem import ProviderError, TransientError
from harness.llm.retry import Patience

T = TypeVar("T")


async def persist(attempt: Callable[[], Awaitable[T]], patience: Patience, ledger: Ledger, seed: int) -> T:
    """What the attempt gives once it succeeds. `seed`: of the waits.

    Raises ProviderError when patience is at its end, and what the attempt raises but TransientError. A cancellation
    after something went wrong has that for its cause: who ran out of time knows that it was the provider's doing.
    """
    random = Random(seed)  # noqa: S311  no secret
    began, failures = time.monotonic(), 0
    trouble: ProviderError | None = None
    try:
        while True:
            if (pause := ledger.paused_until - time.time()) > 0:
                trouble = trouble or ProviderError(f"the provider asks to wait for {pause:.1f} s")
                if time.monotonic() - began + pause > patience.seconds:
                    raise trouble
                await asyncio.sleep(pause + random.uniform(0.0, min(pause / 4, 1.0)))
                continue
            try:
                return await attempt()
            except TransientError as error:
                failures += 1
                waited = time.monotonic() - began
                trouble = ProviderError(f"{error} (attempt {failures}, {waited:.1f} s after the first)")
                wait = patience.wait(failures, error, random)
                if error.limited:
                    ledger.pause(time.time() + wait)
                given_up = failures >= patience.attempts and not error.limited
            if given_up or time.monotonic() - began + wait > patience.seconds:
                raise trouble
            await asyncio.sleep(wait)
    except asyncio.CancelledError as cancelled:
        if trouble is not None:
            raise cancelled from trouble
        raise
