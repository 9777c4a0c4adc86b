"""What came late of episodes that are over, told by a worker between two episodes."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

from harness.model.late import Late
from harness.runs.local.supervisor import _Run
from harness.store.codec import written


class Worker:
    """Says these messages, then is dead."""

    def __init__(self, messages):
        self._messages = iter(messages)
        self.fate = None

    async def hear(self, process):
        return next(self._messages, None)

    async def kill(self, fate):
        self.fate = fate


def heard(*messages):
    """What the supervisor takes for the next message, what it has stored, and why it ended the worker."""
    worker, stored = Worker(messages), []
    job = SimpleNamespace(concurrency=1, store=SimpleNamespace(late=SimpleNamespace(add=stored.extend)))
    message = asyncio.run(_Run(worker, 1, job)._hear(worker, {}))
    return message, stored, worker.fate


def test_any_number_of_them_is_stored_before_the_next_message():
    late = [Late(f"c-{number}", 1.0) for number in range(5000)]
    told = [{"late": True, "record": written(each)} for each in late]
    assert heard(*told, {"blamed": True}) == ({"blamed": True}, late, None)
    assert heard(*told) == (None, late, None)


def test_a_worker_that_tells_nonsense_for_one_is_ended():
    for wrong in ({"late": True}, {"late": True, "record": b"{}"}, {"late": True, "record": b"nothing"}):
        message, stored, fate = heard(wrong)
        assert (message, stored) == (None, [])
        assert fate is not None
