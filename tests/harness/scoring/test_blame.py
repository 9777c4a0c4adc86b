from __future__ import annotations

import traceback
from pathlib import Path

import pytest

import harness
from harness.scoring.blame import last_place


def test_the_last_frame_of_the_users_code_is_named():
    ours = Path(harness.__file__).parent / "episodes" / "play.py"
    trace = (
        "Traceback (most recent call last):\n"
        f'  File "{ours}", line 10, in run\n    await reply()\n'
        '  File "/home/me/agent.py", line 7, in think\n    return cut(text)\n           ^^^^^^^^^\n'
        '  File "/venv/lib/python3.11/site-packages/lib/cut.py", line 3, in cut\n    raise ValueError\n'
        "ValueError\n"
    )
    assert last_place(trace) == "/home/me/agent.py:7 in think"


def test_without_such_a_frame_the_last_one_is_named():
    with pytest.raises(TypeError) as raised:
        len(3)
    assert str(last_place("".join(traceback.format_exception(raised.value)))).startswith(__file__)
    assert last_place("") is None
    assert last_place("ValueError: nothing to see") is None
