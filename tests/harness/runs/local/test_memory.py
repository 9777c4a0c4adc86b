from __future__ import annotations

import os
import subprocess
import sys

import psutil
import pytest

from harness.runs.local import memory
from harness.runs.local.memory import fair_share, takes_more

MIB = 2**20
FORKS = """
import os, time
hoard = b"x" * (100 * 2**20)
for _ in range(3):
    if not os.fork():
        break
else:
    print("ready", flush=True)
time.sleep(60)
"""


def test_pages_that_forks_share_count_once():
    with subprocess.Popen([sys.executable, "-c", FORKS], stdout=subprocess.PIPE, start_new_session=True) as process:
        process.stdout.readline()
        family = [psutil.Process(process.pid), *psutil.Process(process.pid).children()]
        assert sum(each.memory_info().rss for each in family) > 400 * MIB
        assert takes_more(process.pid, 90 * MIB)
        assert not takes_more(process.pid, 250 * MIB)
        os.killpg(process.pid, 9)


def test_a_process_that_has_ended_takes_nothing():
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    assert not takes_more(process.pid, 0)


@pytest.mark.parametrize(("contained", "share"), [(10_000, 4000), (None, 40_000), (200_000, 40_000)])
def test_a_worker_gets_its_share_of_what_both_machine_and_container_have_free(monkeypatch, contained, share):
    monkeypatch.setattr(memory, "free_memory", lambda: contained)
    monkeypatch.setattr(memory.psutil, "virtual_memory", lambda: type("Memory", (), {"available": 100_000}))
    assert fair_share(2) == share
