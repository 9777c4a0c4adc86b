"""`turngate run` with several agents: each its own run and gate, then side by side."""

from __future__ import annotations

import json

import pytest

from harness.cli.exits import Exit
from harness.cli.run import worst
from harness.store.store import Store
from tests.harness.desk import AGENT, write

DEAF = """
def deaf(message):
    return "Hello."

def silent(message):
    return None
"""


@pytest.fixture
def desk(cli):
    return write(cli.folder, agent=AGENT, other_py=DEAF)


def runs(folder):
    with Store.open(folder / ".turngate" / "turngate.db") as store:
        return [run.agents[0].name for run in store.runs()]


def test_each_has_its_run_and_its_gate_and_the_worst_is_the_exit_code(cli, desk):
    came = cli("run", "-a", "agent.py:agent", "-a", "other.py:deaf", "-o", "r.json")
    assert came.code == 1, came.text
    assert sorted(runs(desk)) == ["agent:agent", "other:deaf"]
    _, table = came.out.split("Which version, for which family")
    rows = [line for line in table.splitlines() if "agent:agent@" in line or "other:deaf@" in line]
    assert "passed" in rows[0]
    assert "failed" in rows[1]
    assert [row.rsplit(": ", 1)[1].split(" ·")[0] for row in rows[-2:]] == ["gate passed", "gate failed"]
    document = json.loads((desk / "r.json").read_text())
    assert document["schema"] == "turngate.comparison/1"
    assert [result["schema"] for result in document["results"]] == ["turngate.result/1"] * 2
    assert [result["gate"]["decision"] for result in document["results"]] == ["passed", "failed"]
    good, bad = document["families"]["orders"]
    assert (good["decision"], bad["decision"], bad["reason"]) == ("passed", "failed", "works")
    assert (good["run"], bad["run"]) == tuple(result["run"] for result in document["results"])
    # Neither states what it spends: that is a hole, which decides nothing.
    assert good["cost_usd"] == {"mean": None, "n": 0, "missing": 2}
    assert good["latency_seconds"]["n"] == 2
    assert (good["dominated_by"], bad["dominated_by"]) == ([], [])


def test_one_that_is_not_there_is_told_before_any_is_played(cli, desk):
    came = cli("run", "-a", "agent.py:agent", "-a", "agent.py:agnet")
    assert came.code == 2
    assert "agent.py has no `agnet`; did you mean `agent`?" in came.err
    assert runs(desk) == []


def test_one_that_is_there_twice_is_refused(cli, desk):
    came = cli("run", "-a", "agent.py:agent", "-a", "./agent.py:agent")
    assert came.code == 2
    assert "--agent agent.py:agent and --agent ./agent.py:agent are the same version: agent:agent@" in came.err
    assert runs(desk) == []


def test_a_run_is_gone_on_with_alone(cli, desk):
    came = cli("run", "-a", "agent.py:agent", "-a", "other.py:deaf", "--resume", "latest")
    assert (came.code, "--resume goes on with one run" in came.err) == (2, True)


def test_ctrl_c_says_which_were_not_begun(cli, desk, monkeypatch):
    import harness.cli.playing

    async def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(harness.cli.playing, "rehearse", interrupted)
    came = cli("run", "-a", "agent.py:agent", "-a", "other.py:deaf", "-a", "other.py:silent")
    assert came.code == 130
    assert came.err.splitlines() == [
        "interrupted: no episode was played yet, so nothing is kept",
        "not begun: --agent other.py:deaf --agent other.py:silent",
    ]


def test_a_name_from_the_environment_is_one_name_spaces_and_all(cli, desk, monkeypatch):
    folder = desk / "my agents"
    folder.mkdir()
    (folder / "other.py").write_text(AGENT)
    monkeypatch.setenv("TURNGATE_AGENT", "my agents/other.py:agent")
    came = cli("run")
    assert (came.code, "other:agent@" in came.out) == (0, True), came.err


@pytest.mark.parametrize(
    ("codes", "code"),
    [
        ([Exit.PASSED, Exit.PASSED], 0),
        ([Exit.PASSED, Exit.UNDECIDED], 3),
        ([Exit.UNDECIDED, Exit.MISSING], 4),
        ([Exit.MISSING, Exit.FAILED, Exit.UNDECIDED], 1),
    ],
)
def test_the_worst(codes, code):
    assert worst(codes) == code
