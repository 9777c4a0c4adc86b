from __future__ import annotations

import time
from types import SimpleNamespace

import pytest

from harness.agents.http_agent import _made
from harness.agents.http_answer import ToolCall
from harness.agents.outside import call_outside
from traces import clock

SESSION = SimpleNamespace(tools=())


@pytest.fixture(params=[-60, 60])
def set_clock(request, monkeypatch):
    """The wall clock was set, or the machine slept, since the program began."""
    right = time.time
    monkeypatch.setattr(time, "time", lambda: right() + request.param)


def test_calls_from_outside_have_the_clock_of_all_other_records(set_clock):
    before = clock.now()
    began = call_outside(SESSION, "pay", None, "passthrough")
    ended = _made(ToolCall("c-1", "pay", {}), SESSION)
    after = clock.now()
    assert before <= began.started <= ended.started <= ended.ended <= after
