"""`turngate history`: the runs of a workflow over time."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest

from harness.store.store import Store

DEAF = """
def deaf(message):
    return "Hello."
"""


@pytest.fixture
def over_time(cli):
    """A bad agent, the desk's own, a part of it, and the desk with another scenario text."""
    (cli.folder / "other.py").write_text(DEAF)
    cli("run", "--agent", "other.py:deaf")
    cli("run")
    cli("run", "--trials", "1")
    scenarios = cli.folder / "scenarios" / "orders.yaml"
    scenarios.write_text(scenarios.read_text().replace("Please cancel my order.", "Please cancel it."))
    cli("run")
    return cli


def row(came, metric):
    return next(line.split() for line in came.out.splitlines() if metric in line)


def test_a_letter_for_each_run_and_a_cut_where_the_scenario_changed(over_time):
    came = over_time("history")
    assert came.code == 0, came.text
    assert came.out.startswith("desk: 4 runs, the oldest first\n")
    assert row(came, "task_success") == ["orders", "task_success", "▁██│█", "1/1", "2/2"]
    lines = [line for line in came.out.splitlines() if " r-" in line]
    assert "✖ failed" in lines[0]
    assert "other:deaf@" in lines[0]
    assert "agent:agent@" in lines[1]
    assert "agent:agent@" not in lines[2], "a version is told where it changes"
    assert "no gate, partial: --trials 1" in lines[2]
    assert "run 4 is not comparable with the one before in orders: the scenario changed (of 1 scenario)\n" in came.out
    assert "not comparable with what is before" in came.out


def test_the_last_ones_alone(over_time):
    assert over_time("history", "desk", "--last", "2").out.startswith("desk: 2 runs")


def test_a_terminal_without_blocks(over_time, monkeypatch):
    monkeypatch.setattr(
        "harness.cli.history.letters_for",
        lambda encoding: __import__("harness.reports.history.sparkline", fromlist=["ASCII"]).ASCII,
    )
    assert row(over_time("history"), "task_success")[2] == "_##|#"


def test_as_json(over_time):
    document = json.loads(over_time("history", "workflow.yaml", "--json").out)
    assert document["schema"] == "turngate.history/1"
    assert [run["gate"] for run in document["runs"]] == ["failed", "passed", "partial", "passed"]
    assert [run["partial"] for run in document["runs"]] == [None, None, "--trials 1", None]
    success = next(each for each in document["series"] if each["metric"] == "task_success")
    assert success["values"] == [0.0, 1.0, 1.0, 1.0]
    assert success["n"] == [2, 2, 1, 2]
    assert success["not_comparable_before"] == [3]
    assert success["unit"] == "share"


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")
def test_the_commit_is_told_where_it_changes(cli):
    settings = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]

    def git(*words):
        subprocess.run(["git", *settings, *words], cwd=cli.folder, check=True, capture_output=True)

    git("init", "-q")
    git("add", "workflow.yaml", "agent.py", "scenarios")
    git("commit", "-qm", "first")
    cli("run")
    cli("run")
    (cli.folder / "agent.py").write_text((cli.folder / "agent.py").read_text() + "\n# changed\n")
    cli("run")
    runs = json.loads(cli("history", "--json").out)["runs"]
    first, same, changed = (run["commit"] for run in runs)
    assert first == same == changed.removesuffix("+")
    assert changed.endswith("+")
    lines = [line for line in cli("history").out.splitlines() if " r-" in line]
    assert [first[:10] in line for line in lines] == [True, False, True]


def test_a_run_that_was_interrupted_is_marked(over_time):
    with Store.open(over_time.folder / ".turngate" / "turngate.db") as store:
        store.finish(store.runs()[0].id, "interrupted")
    assert "interrupted" in over_time("history").out


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (("desc",), "desc: no such file, and no run of such a workflow is stored; did you mean `desk`?"),
        (("--last", "0"), "greater than or equal to 1"),
    ],
)
def test_mistakes_are_told(over_time, typed, told):
    came = over_time("history", *typed)
    assert came.code == 2
    assert told in came.err


def test_nothing_stored_yet(cli):
    came = cli("history")
    assert came.code == 2
    assert "nothing is stored there yet" in came.err
