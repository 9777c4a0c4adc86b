from __future__ import annotations

import subprocess
import sys
from textwrap import dedent

import pytest

from tests.harness.desk import environment

START = """
import atexit, sys, threading, time
from concurrent.futures import ThreadPoolExecutor
from harness.cli.leave import leave

atexit.register(print, "at exit")
"""

NOTHING = ""
THREAD = "threading.Thread(target=time.sleep, args=(600,), name='held').start()"
POOL = "threading.Thread(target=lambda: ThreadPoolExecutor().submit(time.sleep, 600), daemon=True).start()"
CHILD = "import multiprocessing; multiprocessing.Process(target=time.sleep, args=(3,), name='child').start()"
EXIT = "atexit.register(time.sleep, 600); threading.Thread(target=time.sleep, args=(600,), daemon=True).start()"


def left(held, code):
    """What became of a process that left so, long before what is held is over."""
    program = f"{START}{held}\ntime.sleep(0.1)\nsys.stdout.write('said ')\nleave({code})"
    return subprocess.run(
        [sys.executable, "-c", dedent(program)], capture_output=True, text=True, env=environment(), timeout=120
    )


@pytest.mark.parametrize(
    ("held", "named"),
    [(NOTHING, None), (THREAD, "thread held"), (POOL, None), (CHILD, "process child"), (EXIT, None)],
    ids=["nothing", "thread", "pool", "child", "exit"],
)
def test_the_process_ends_with_its_code_whatever_is_left_running(held, named):
    done = left(held, 3)
    assert done.returncode == 3
    assert done.stdout.startswith("said ") if held in (CHILD, EXIT) else done.stdout == "said at exit\n"
    assert done.stderr == (f"turngate: left behind, still running: {named}\n" if named else "")


def test_a_thread_that_ends_in_time_is_waited_for():
    patient = "sys.modules['harness.cli.leave'].GRACE = 60\n"
    done = left(f"{patient}threading.Thread(target=lambda: (time.sleep(0.3), print('ended'))).start()", 0)
    assert (done.returncode, done.stderr) == (0, "")
    assert "ended" in done.stdout


@pytest.mark.parametrize("held", [NOTHING, POOL])
@pytest.mark.parametrize(("code", "expected"), [("None", 0), ("0", 0), ("True", 1), ("130", 130), ("'wrong'", 1)])
def test_the_code_is_what_systemexit_would_say(held, code, expected):
    done = left(held, code)
    assert done.returncode == expected
    assert done.stderr == ("wrong\n" if code == "'wrong'" else "")
