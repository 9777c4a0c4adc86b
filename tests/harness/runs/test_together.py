from __future__ import annotations

import asyncio

import pytest

from harness.runs.together import all_of


def test_the_first_failure_ends_the_others_and_is_raised_with_its_cause():
    cancelled = []
    cause = OSError("gone")

    async def fails():
        await asyncio.sleep(0)
        raise ValueError("no") from cause

    async def waits():
        try:
            await asyncio.sleep(10)
        except asyncio.CancelledError:
            cancelled.append(True)
            raise

    with pytest.raises(ValueError, match="no") as caught:
        asyncio.run(all_of([waits(), fails(), waits()]))
    assert caught.value.__cause__ is cause
    assert cancelled == [True, True]
