"""The built package by itself: what it carries is enough to run the demo from a folder that is no checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
_DEMO = """
import sys
import harness
assert harness.__file__.startswith(sys.argv[1]), harness.__file__
sys.argv[1:] = ["demo"]
from harness.cli import main
main()
"""
_BUILD = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"


def test_the_demo_runs_from_an_unpacked_wheel(tmp_path):
    pytest.importorskip("hatchling", reason="the dependency group dev has it")
    built = subprocess.run(
        [sys.executable, "-c", _BUILD, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    site, elsewhere = tmp_path / "site", tmp_path / "elsewhere"
    with zipfile.ZipFile(tmp_path / built.stdout.split()[-1]) as wheel:
        wheel.extractall(site)
    elsewhere.mkdir()
    came = subprocess.run(
        [sys.executable, "-c", _DEMO, str(site)],
        cwd=elsewhere,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(site), os.environ.get("PYTHONPATH", "")])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert came.returncode == 0, came.stdout + came.stderr
    assert "Today's version: exit code 0. The earlier version: its gate fails, as it must." in came.stdout
    assert "tools_sandbox" in {path.name for path in site.iterdir()}
