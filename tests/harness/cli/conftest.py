from __future__ import annotations

import sys
from dataclasses import dataclass

import pytest

from harness.cli import main
from tests.harness.desk import write


@dataclass(frozen=True)
class Came:
    """What came of a command."""

    code: int
    out: str
    err: str

    @property
    def text(self):
        return self.out + self.err


@pytest.fixture
def cli(tmp_path, monkeypatch, capsys):
    """Runs a command in this process, in a folder with the desk's bundle."""
    folder = write(tmp_path / "desk")
    monkeypatch.chdir(folder)
    for name in ("TURNGATE_STORE", "TURNGATE_AGENT", "TURNGATE_TRIALS", "TURNGATE_CONCURRENCY", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TURNGATE_WORKERS", "0")
    monkeypatch.setattr("harness.cli.leave.leave", sys.exit)  # the real one would end the tests with the process

    def run(*arguments):
        capsys.readouterr()
        monkeypatch.setattr(sys, "argv", ["turngate", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        captured = capsys.readouterr()
        return Came(int(ended.value.code or 0), captured.out, captured.err)

    run.folder = folder
    return run
