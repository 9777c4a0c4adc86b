"""Runs that go from store to store by files: export, import, baselines, shards; as people type it."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from harness.store.store import Store
from tests.harness.desk import AGENT, ROOT, SCENARIO, WORKFLOW, scenario, write

DB = ".turngate/turngate.db"
GATED = WORKFLOW + "gate: [{rule: no worse, metric: task_success, against: prod, max_drop: 0.2}]\n"
CANCELLED = "{state: {orders.O-1.status: cancelled}}"
FOUR = SCENARIO + "".join(
    scenario(f"{name} please, cancel O-1.", id=name, expect=CANCELLED) for name in ("two", "three", "four")
)
WORSE = AGENT.replace("session.call_tool", "str")
"""The modules of a bundle are loaded once a process: another version has a file of its own."""


def run_of(store="home.db"):
    with Store.open(store) as opened:
        return opened.latest().id


def test_export_and_import(cli):
    assert cli("run", "--store", "home.db").code == 0
    came = cli("export", "--store", "home.db", "-o", "a.turngate")
    assert came.code == 0
    assert "2 episodes, gate passed" in came.out
    for said in ("a.turngate: run r-", "was here already, and is the same: nothing changed"):
        came = cli("import", "a.turngate", "--store", "there.db")
        assert (came.code, came.err) == (0, "")
        assert said in came.out
    assert cli("export", "--store", "there.db").code == 0
    assert Path(f"{run_of()}.turngate").read_bytes() == Path("a.turngate").read_bytes()
    assert cli("gate", "--store", "there.db").code == 0
    assert "0 verdict(s) changed" in cli("rescore", "--store", "there.db").out
    assert cli("show", "cancel-one", "--store", "there.db").code == 0


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("nowhere.turngate", "there is no such file; `turngate export RUN -o nowhere.turngate` writes one"),
        ("scenarios", "it is a folder: name the files in it"),
        ("agent.py", "agent.py: it is no file of `turngate export`"),
        ("cut.turngate", "cut.turngate: it was cut short"),
        ("forged.turngate", "forged.turngate: the text with digest"),
    ],
)
def test_what_is_no_whole_run_is_refused_and_nothing_is_there(cli, file, text):
    assert cli("run", "--store", "home.db").code == 0
    assert cli("export", "--store", "home.db", "-o", "a.turngate").code == 0
    whole = Path("a.turngate").read_bytes()
    Path("cut.turngate").write_bytes(whole[:-100])
    Path("forged.turngate").write_bytes(forged(whole))
    came = cli("import", file, "--store", "there.db")
    assert came.code == 2
    assert text in came.err
    assert len(came.err.splitlines()) == 1
    if Path("there.db").exists():
        with Store.open("there.db") as store:
            assert store.runs() == []


def forged(whole: bytes) -> bytes:
    """A file in which a scenario is another one, and the end is made to fit."""
    import hashlib

    *lines, _ = gzip.decompress(whole).splitlines(keepends=True)
    lines = [line.replace(b"Please cancel my order.", b"Please cancel all orders.") for line in lines]
    end = {"records": len(lines) - 2, "sha256": hashlib.sha256(b"".join(lines)).hexdigest()}
    return gzip.compress(b"".join([*lines, json.dumps({"end": end}, separators=(",", ":")).encode() + b"\n"]))


def test_where_an_export_can_not_go(cli):
    assert cli("run").code == 0
    for name, text in (
        ("a.json", "a file whose name ends in .turngate"),
        ("agent.py/a.turngate", "no folder"),
    ):
        came = cli("export", "-o", name)
        assert came.code == 2
        assert f"-o {name}: " in came.err
        assert text in came.err
    assert "there is no run r-9" in cli("export", "r-9").err


def test_a_baseline_in_the_store(cli):
    write(cli.folder, workflow=GATED)
    assert "no baseline `prod` is set" in cli("run").out
    first = run_of(".turngate/turngate.db")
    assert "no baseline is set: turngate baseline set RUN --name prod" in cli("baseline", "list").out
    came = cli("baseline", "set", "latest", "--name", "prod")
    assert (came.code, came.out.count(first)) == (0, 1)
    assert first in cli("baseline", "list").out
    write(cli.folder, workflow=GATED, worse_py=WORSE)
    came = cli("run", "--agent", "worse.py:agent")
    assert came.code == 1
    assert "no worse" in came.out
    shown = cli("baseline", "show", "prod").out
    assert "all scenarios that both have, and all metrics, can be compared" in shown
    write(cli.folder, workflow=GATED, scenarios=SCENARIO.replace("Please", "Do"))
    cli("run")
    shown = cli("baseline", "show", "prod").out
    assert "1 scenario not compared, the scenario changed: cancel-one" in shown
    assert "is no baseline any more" in cli("baseline", "remove", "prod").out
    assert cli("baseline", "remove", "prod").code == 2
    assert cli("baseline", "set", "latest", "--name", "a b").code == 2
    assert cli("baseline", "set", "r-9", "--name", "prod").code == 2
    assert cli("baseline", "set", "gone.turngate", "--name", "prod").code == 2


IN_GIT = GATED + "baselines: {prod: baselines/prod.turngate}\n"


def test_a_file_of_a_baseline_that_is_missing_is_told_wherever_the_baseline_is(cli):
    write(cli.folder / "flows", workflow=IN_GIT)
    file = str(Path("flows", "baselines", "prod.turngate"))
    assert f"turngate export RUN -o {file}" in cli("lint", "flows").out
    told = " ".join(cli("run", "flows").out.split())
    assert f"the file of baseline `prod` is missing (looked at {file}): nothing to compare with" in told
    assert f"{file}, which is missing" in cli("baseline", "list").out
    came = cli("baseline", "show", "prod")
    assert came.code == 2
    assert f"looked at {file}; turngate export RUN -o {file}" in came.err
    assert cli("export", "latest", "-o", file).code == 0, "the folder is made"
    assert "missing" not in cli("gate").out
    assert file in cli("baseline", "list").out


def test_the_file_that_the_workflow_names_goes_before_a_name_of_the_store(cli):
    write(cli.folder, workflow=GATED)
    cli("run")
    cli("baseline", "set", "latest", "--name", "prod")
    old = run_of(".turngate/turngate.db")
    cli("run")
    cli("export", "latest", "-o", "baselines/prod.turngate")
    new = run_of(".turngate/turngate.db")
    write(cli.folder, workflow=IN_GIT)
    cli("run")
    shown = cli("baseline", "show", "prod").out
    assert new in shown
    assert str(Path("baselines", "prod.turngate")) in shown
    listed = cli("baseline", "list").out.splitlines()
    (unused,) = (line for line in listed if "not used, the workflow names a file" in line)
    assert old in unused
    assert any(new in line and "not used" not in line for line in listed)


@pytest.mark.parametrize(("agent", "said"), [("worse.py:agent", "gate failed"), ("agent.py:agent", "")])
def test_a_run_that_did_not_pass_is_taken_as_a_baseline_with_a_warning(cli, agent, said):
    write(cli.folder, worse_py=WORSE)
    cli("run", "--agent", agent)
    came = cli("baseline", "set", "latest", "--name", "prod")
    assert came.code == 0
    assert ("warning: run r-" in came.err) == bool(said)
    assert said in came.err


def test_a_baseline_in_git(cli):
    write(cli.folder, workflow=GATED + "baselines: {prod: prod.turngate}\n")
    assert "there is no file prod.turngate" in cli("lint").out
    assert cli("run", "--store", "home.db").code == 0
    came = cli("baseline", "set", "latest", "--name", "prod", "--store", "home.db")
    assert came.code == 2
    assert f"turngate export {run_of()} -o" in came.err
    assert cli("export", "--store", "home.db", "-o", "prod.turngate").code == 0
    write(cli.folder, workflow=GATED + "baselines: {prod: prod.turngate}\n", worse_py=WORSE)
    assert cli("run", "--store", "fresh.db", "--agent", "worse.py:agent").code == 1
    came = cli("gate", "--store", "fresh.db")
    assert came.code == 1
    assert "no worse" in came.out
    Path("prod.turngate").write_bytes(b"\x1f\x8b no")
    came = cli("run", "--store", "fresh.db")
    assert came.code == 2
    assert "prod.turngate: it is damaged" in came.err or "prod.turngate: it was cut short" in came.err


def test_broken_trials_are_counted_as_failures_are_by_what_was_played(cli):
    write(cli.folder, workflow=GATED.replace("trials: 2", "trials: 4"), worse_py=WORSE)
    cli("run")
    cli("baseline", "set", "latest", "--name", "prod")
    came = cli("run", "--agent", "worse.py:agent", "-o", "summary.md")
    assert "of 2 episodes in both, 2 broke and 0 were fixed: cancel-one" in came.out
    assert "2 of 2 trials" in came.out
    assert "- `cancel-one` · 2 trials\n" in Path("summary.md").read_text()
    (command,) = (line.split() for line in came.out.splitlines() if line.startswith("  turngate compare "))
    compared = cli(*command[1:]).out
    assert "trials 1, 2; spared: 3, 4" in compared


def test_a_baseline_that_comes_as_a_file(cli):
    write(cli.folder, workflow=GATED)
    assert cli("run", "--store", "home.db").code == 0
    assert cli("export", "--store", "home.db", "-o", "prod.turngate").code == 0
    assert cli("baseline", "set", "prod.turngate", "--name", "prod", "--store", "fresh.db").code == 0
    assert "no baseline `prod` is set" not in cli("run", "--store", "fresh.db").out


def test_gate_by_the_workflow_as_it_is_now(cli):
    assert cli("run").code == 0
    write(cli.folder, workflow=WORKFLOW + "gate: [{rule: slow, metric: turns, at_most: 0}]\n")
    assert cli("gate").code == 0
    came = cli("gate", "--workflow", ".", "-o", "now.json")
    assert came.code == 1
    assert "the gate is that of the workflow as it is now" in came.out
    assert json.loads(Path("now.json").read_text())["gate"]["decision"] == "failed"
    write(cli.folder, workflow=WORKFLOW.replace("workflow: desk", "workflow: other"))
    assert "it is other, and run r-" in cli("gate", "--workflow", ".").err


@pytest.mark.parametrize("merged", [False, True])
def test_without_the_baseline_that_it_was_held_against_a_run_passes_no_gate(cli, merged, monkeypatch):
    """Neither from another folder, nor merged where nothing is checked out."""
    filed = GATED.replace("at_least: 0.9", "at_least: 0") + "baselines: {prod: prod.turngate}\n"
    write(cli.folder, workflow=filed, scenarios=FOUR, worse_py=WORSE)
    assert cli("run").code == 0
    assert cli("export", "-o", "prod.turngate").code == 0
    elsewhere = cli.folder / "elsewhere"
    elsewhere.mkdir()
    if merged:
        for number in (1, 2):
            cli("run", "--shard", f"{number}/2", "--agent", "worse.py:agent")
            cli("export", "-o", elsewhere / f"{number}.turngate")
    else:
        assert cli("run", "--agent", "worse.py:agent").code == 1
    monkeypatch.chdir(elsewhere)
    came = cli("merge", "1.turngate", "2.turngate") if merged else cli("gate", "--store", cli.folder / DB)
    assert came.code == 3
    assert "when it was played it was compared with run r-" in " ".join(came.out.split())


HELLO = scenario("Hello.", id="hello")
RULE = "rules: [{id: no-hurry, never_says: [hurry], code: PO1}]\n"


@pytest.mark.parametrize(
    ("now", "said"),
    [
        ({"scenarios": SCENARIO + HELLO}, "1 not played (hello): it takes a new run"),
        ({"scenarios": SCENARIO.replace("Please", "Do")}, "the scenario changed since (cancel-one)"),
        ({"workflow": WORKFLOW + RULE}, "`rules` of the workflow changed since (cancel-one)"),
        ({"workflow": WORKFLOW.replace("trials: 2", "trials: 3")}, "2 trials of each scenario were planned, and 3"),
        (
            {
                "workflow": WORKFLOW.replace("  orders:\n", "  acts:\n"),
                "scenarios": SCENARIO.replace("orders\n", "acts\n"),
            },
            "the scenario, `measures` of the workflow changed since (cancel-one)",
        ),
    ],
)
def test_a_run_of_what_the_workflow_was_does_not_pass_the_gate_of_what_it_is(cli, now, said):
    assert cli("run").code == 0
    write(cli.folder, **now)
    assert cli("gate").code == 0, "it is decided by the workflow that it was made with"
    came = cli("gate", "--workflow", ".", "-o", "now.json")
    assert came.code == 3
    (row,) = (row for row in json.loads(Path("now.json").read_text())["gate"]["rules"] if "as it is now" in row["rule"])
    assert row["decision"] == "undecided"
    assert said in row["reason"]


def test_a_run_that_has_become_the_baseline_shows_nothing_by_being_no_worse_than_itself(cli):
    write(cli.folder, workflow=GATED.replace("prod", "prod, required: true"))
    assert cli("run").code == 3
    assert cli("baseline", "set", "latest", "--name", "prod").code == 0
    came = cli("gate")
    assert came.code == 3
    assert "this run is the baseline `prod` itself" in " ".join(came.out.split())
    assert cli("run").code == 0


def shards(cli, count=3, **files):
    """The shards of a run, each with a store of its own."""
    write(cli.folder, scenarios=FOUR, **files)
    names = []
    for number in range(1, count + 1):
        came = cli("run", "--shard", f"{number}/{count}", "--store", f"s{number}.db")
        assert came.code == 0
        assert f"partial: no gate (--shard {number}/{count})" in came.out
        assert cli("export", "--store", f"s{number}.db", "-o", f"s{number}.turngate").code == 0
        names.append(f"s{number}.turngate")
    return names


def test_shards_make_the_run_that_would_have_been_played_at_once(cli):
    names = shards(cli)
    came = cli("merge", *reversed(names), "--store", "all.db", "-o", "all.json")
    assert came.code == 0
    assert "gate passed" in came.out
    assert cli("run", "--store", "once.db", "-o", "once.json").code == 0
    told = [json.loads(Path(name).read_text()) for name in ("all.json", "once.json")]
    assert told[0]["planned"] == told[1]["planned"]
    assert [row["scenario"] for row in told[0]["episodes"]] == [row["scenario"] for row in told[1]["episodes"]]
    assert told[0]["gate"]["decision"] == told[1]["gate"]["decision"] == "passed"
    with Store.open("all.db") as store, Store.open("once.db") as once:
        (run,) = store.runs()
        assert [each["shard"] for each in run.options["merged"]] == ["1/3", "2/3", "3/3"]
        seeds = [[episode.seed for episode in some.episodes(some.latest().id)] for some in (store, once)]
        assert seeds[0] == seeds[1]
    again = cli("merge", *names, "--store", "all.db")
    assert "these shards were merged before" in again.out
    assert cli("show", "four", "--store", "all.db").code == 0
    assert cli("export", "--store", "all.db", "-o", "all.turngate").code == 0


def test_shards_in_one_store(cli):
    write(cli.folder, scenarios=FOUR)
    for number in (1, 2):
        assert cli("run", "--shard", f"{number}/2").code == 0
    with Store.open(".turngate/turngate.db") as store:
        names = [run.id for run in store.runs()]
    assert cli("merge", *names).code == 0


def test_a_shard_that_fails_fails_and_so_does_the_whole(cli):
    write(cli.folder, scenarios=FOUR.replace("three please, cancel O-1.", "three please, cancel it."))
    codes = [cli("run", "--shard", f"{number}/2", "--store", f"s{number}.db").code for number in (1, 2)]
    assert codes == [1, 0]
    for number in (1, 2):
        cli("export", "--store", f"s{number}.db", "-o", f"s{number}.turngate")
    assert cli("merge", "s1.turngate", "s2.turngate", "--store", "all.db").code == 1


def test_what_can_not_be_merged(cli):
    names = shards(cli)
    assert cli("run", "--store", "whole.db").code == 0
    cli("export", "--store", "whole.db", "-o", "whole.turngate")
    write(cli.folder, scenarios=FOUR.replace("two please", "Two, please"), agent=AGENT + "\n# another version\n")
    cli("run", "--shard", "3/3", "--store", "other.db")
    cli("export", "--store", "other.db", "-o", "other.turngate")
    for given, said in (
        (names[:2], ["shard 3/3 is missing"]),
        (names[:1], ["shard 2/3 is missing", "shard 3/3 is missing"]),
        ([*names, names[0]], ["shard 1/3 is there twice: s1.turngate and s1.turngate"]),
        ([*names[:2], "whole.turngate"], ["whole.turngate is no shard"]),
        (
            [*names[:2], "other.turngate"],
            ["the agent: agent:agent@", "the digest of all scenarios and files: ", "in shard 3/3 (other.turngate)"],
        ),
        (["gone.turngate"], ["there is no such file"]),
    ):
        came = cli("merge", *given, "--store", "all.db")
        assert came.code == 2
        for text in said:
            assert text in came.err
        assert len(came.err.splitlines()) == 1
    with Store.open("all.db") as store:
        assert store.runs() == []


def test_shards_of_another_workflow_are_told_by_what_differs(cli):
    names = shards(cli)
    write(cli.folder, scenarios=FOUR, workflow=WORKFLOW.replace('total: "10.00"', 'total: "11.00"'))
    cli("run", "--shard", "3/3", "--store", "other.db")
    cli("export", "--store", "other.db", "-o", "other.turngate")
    came = cli("merge", *names[:2], "other.turngate", "--store", "all.db")
    assert came.code == 2
    assert "the digest of start state: " in came.err
    assert "the digest of knowledge" not in came.err


def test_an_unfinished_shard_is_told_how_to_go_on_with(cli):
    names = shards(cli)
    with Store.open("s2.db") as store:
        run = store.latest().id
        store.finish(run, "interrupted")
    cli("export", "--store", "s2.db", "-o", "s2.turngate")
    came = cli("merge", *names, "--store", "all.db")
    assert came.code == 2
    assert f"shard 2/3 (s2.turngate) was interrupted: turngate run --resume {run}" in came.err


@pytest.mark.parametrize("text", ["0/3", "4/3", "3", "a/b", "1/0", "-1/3", "1/2/3", ""])
def test_a_shard_is_written_as_one_of_so_many(cli, text):
    came = cli("run", "--shard", text)
    assert came.code == 2
    assert "--shard takes I/N, as 2/5 for the second of five" in came.err


def test_more_shards_than_scenarios_is_told(cli):
    came = cli("run", "--shard", "2/2")
    assert came.code == 3
    assert "--shard 2/2 selects nothing: there are 1 scenarios, and as many shards at most" in came.err


KILLED = """
import os, signal, sys
from harness.store import portable
real = portable._insert_attempts
def insert_and_die(connection, attempts):
    real(connection, attempts)
    if attempts:
        os.kill(os.getpid(), signal.SIGKILL)
portable._insert_attempts = insert_and_die
from harness.cli import main
main()
"""


@pytest.mark.parametrize("command", ["import", "merge"])
def test_killed_in_the_middle_it_leaves_nothing_and_can_be_done_again(cli, command):
    names = shards(cli, 2)
    arguments = [command, *(names if command == "merge" else names[:1]), "--store", "all.db"]
    died = subprocess.run(
        [sys.executable, "-c", KILLED, *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )
    assert died.returncode == -signal.SIGKILL
    with Store.open("all.db") as store:
        assert store.runs() == []
    assert cli(*arguments).code == 0
