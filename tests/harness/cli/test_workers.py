from __future__ import annotations

import os
import signal
import subprocess
import time
from collections import Counter

import pytest

from harness.store.store import Store
from tests.harness.desk import WORKFLOW, command, environment, scenario, turngate, write

MANY = "".join(scenario("Hi.", id=f"s{n}") for n in range(6))
SLOW = """
import asyncio, pathlib

async def agent(message):
    for place in ("first", "second"):
        try:
            pathlib.Path(place).touch(exist_ok=False)
        except FileExistsError:
            continue
        return "Hello."
    while not pathlib.Path("go on").exists():
        await asyncio.sleep(0.01)
    return "Hello."
"""
"""Plays two episodes at once, and the others when it is let go on."""


def begun(folder, *arguments):
    """A run with two workers, once its first episodes are stored."""
    running = subprocess.Popen(
        command("run", "-w", "2", "-j", "2", "-n", "2", *arguments),
        cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(),
    )  # fmt: skip
    until = time.monotonic() + 60
    while time.monotonic() < until and running.poll() is None:
        if (folder / ".turngate" / "turngate.db").exists():
            with Store.open(folder / ".turngate" / "turngate.db") as store:
                if (run := store.latest()) and sum(each.state == "played" for each in store.results(run.id)) >= 2:
                    return running
        time.sleep(0.02)
    raise AssertionError(running.communicate())


def episodes_of(folder):
    with Store.open(folder / ".turngate" / "turngate.db") as store:
        (run,) = store.runs()
        return run, list(store.episodes(run.id))


def test_ctrl_c_keeps_what_was_played_and_the_run_is_gone_on_with(tmp_path):
    folder = write(tmp_path, agent=SLOW, scenarios=MANY)
    running = begun(folder)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=120)
    told = err.decode()
    assert running.returncode == 130, told
    assert "Traceback" not in told
    run, kept = episodes_of(folder)
    assert len(kept) == 2
    assert f"interrupted: {len(kept)} of 12 episodes are kept in run {run.id}" in told
    assert f"turngate run --workers 2 --concurrency 2 --resume {run.id}    go on" in told

    (folder / "go on").touch()
    came = turngate("run", "-w", "2", "--resume", run.id, cwd=folder)
    assert came.returncode == 0, came.stderr
    assert "gate passed" in came.stdout
    _, every = episodes_of(folder)
    assert len(every) == 12
    assert {each.key.id: each.started for each in kept}.items() <= {each.key.id: each.started for each in every}.items()


def test_a_child_that_outlives_its_worker_and_holds_its_pipes_leaves_no_complaint(tmp_path):
    agent = """
import pathlib, subprocess

def agent(message):
    child = subprocess.Popen(["sleep", "60"], start_new_session=True)
    pathlib.Path("child").write_text(str(child.pid))
    return "Hello."
"""
    folder = write(tmp_path, agent=agent, scenarios=scenario("Hi."))
    try:
        came = turngate("run", "-w", "1", "-n", "1", cwd=folder)
    finally:
        os.kill(int((folder / "child").read_text()), signal.SIGKILL)
    assert came.returncode == 0, came.stderr
    assert "Exception ignored" not in came.stderr
    assert "Traceback" not in came.stderr


@pytest.mark.parametrize("who", ["supervisor", "worker"])
def test_kill_9_loses_and_doubles_nothing(tmp_path, who):
    import psutil

    folder = write(tmp_path, agent=SLOW, scenarios=MANY)
    running = begun(folder)
    if who == "supervisor":
        running.kill()
    else:
        os.kill(psutil.Process(running.pid).children()[0].pid, signal.SIGKILL)
    (folder / "go on").touch()
    out, err = running.communicate(timeout=120)
    if who == "supervisor":
        came = turngate("run", "-w", "2", "--resume", "latest", cwd=folder)
        assert came.returncode == 0, came.stderr
    else:
        assert running.returncode == 0, err
        assert b"gate passed" in out
    _, every = episodes_of(folder)
    assert Counter((each.key.item, each.key.trial) for each in every) == {
        (f"s{n}", trial): 1 for n in range(6) for trial in (1, 2)
    }


def test_an_agent_that_ends_the_process_is_a_failure_and_no_success(cli):
    write(cli.folder, agent="import os\ndef agent(message):\n    os._exit(0)\n", scenarios=scenario("Hi."))
    came = cli("run", "-w", "1")
    assert came.code == 1
    assert "FL4" in came.out
    assert "the agent's process ended itself with exit code 0" in came.out
    assert "Traceback" not in came.text


@pytest.mark.parametrize(
    "code", ["import os; os._exit(0)", "raise SystemExit(0)", "import signal, os; os.kill(os.getpid(), 9)"]
)
def test_one_that_ends_it_on_import_is_a_mistake(cli, code):
    write(cli.folder, agent=code)
    came = cli("run", "-w", "1")
    assert came.code == 2
    assert came.err.startswith("turngate: ")
    assert "agent" in came.err
    assert "Traceback" not in came.err


def test_what_has_changed_is_no_longer_the_same_run(cli):
    write(cli.folder, scenarios=scenario("Hi."), agent='def agent(message):\n    return "Hello."\n')
    assert cli("run").code == 0
    assert cli("run", "--resume", "latest", "-n", "2").code == 2
    assert "there is no run" in cli("run", "--resume", "r-2020").err
    write(cli.folder, scenarios=scenario("Hi there."), agent='def agent(message):\n    return "Hello."\n')
    came = cli("run", "--resume", "latest")
    assert came.code == 2
    assert "what 1 of its scenarios depend on has changed since (talk)" in came.err
    write(cli.folder, scenarios=scenario("Hi."), agent='def agent(message):\n    return "Hello!"\n')
    came = turngate("run", "--resume", "latest", cwd=cli.folder)
    assert came.returncode == 2
    assert "it was begun with agent:agent" in came.stderr


def test_an_outage_is_played_again_when_a_run_is_gone_on_with(cli):
    agent = """
    import pathlib

    import httpx

    def agent(message):
        if pathlib.Path("down").exists():
            raise httpx.ConnectError("no model today")
        return "Hello."
    """
    write(cli.folder, scenarios=scenario("Hi."), agent=agent)
    (cli.folder / "down").touch()
    assert cli("run").code == 3
    (cli.folder / "down").unlink()
    assert cli("run", "--resume", "latest").code == 0
    _, every = episodes_of(cli.folder)
    assert {each.attempt for each in every} == {2}
    assert "nothing of the run was missing" in cli("run", "--resume", "latest").out
    assert {each.attempt for each in episodes_of(cli.folder)[1]} == {2}


def test_outages_are_no_agreement_and_what_they_spared_is_played(cli):
    agent = """
    import itertools, pathlib

    import httpx

    count = itertools.count()

    def agent(message):
        if pathlib.Path("down").exists():
            raise httpx.ConnectError("no model today")
        return f"Hello {next(count)}."
    """
    workflow = WORKFLOW.replace("trials: 2", "trials: 4")
    write(cli.folder, workflow=workflow, scenarios=scenario("Hi."), agent=agent)
    (cli.folder / "down").touch()
    assert cli("run").code == 3
    (cli.folder / "down").unlink()
    assert cli("run", "--resume", "latest").code == 0
    run, every = episodes_of(cli.folder)
    assert sorted(each.key.trial for each in every) == [1, 2, 3, 4]
    assert not run.deterministic


def test_what_was_spared_is_played_where_it_is_needed_after_all(tmp_path):
    """An older run, whose outages were taken for agreement."""
    workflow = WORKFLOW.replace("trials: 2", "trials: 4")
    agent = """
    import itertools

    count = itertools.count()

    def agent(message):
        return f"Hello {next(count)}."
    """
    folder = write(tmp_path, workflow=workflow, scenarios=scenario("Hi."), agent=agent)
    assert turngate("run", cwd=folder).returncode == 0
    with Store.open(folder / ".turngate" / "turngate.db") as store:
        run = store.latest()
        spared = [result.key for result in store.results(run.id) if result.key.trial > 2]
        with store._engine.begin() as connection:
            connection.exec_driver_sql(
                "delete from scorings where episode in (select pk from episodes where trial > 2)"
            )
            connection.exec_driver_sql("delete from episodes where trial > 2")
        store.spare(spared)
        assert [result.state for result in store.results(run.id)] == ["played", "played", "spared", "spared"]
    assert turngate("run", "--resume", "latest", cwd=folder).returncode == 0
    assert sorted(each.key.trial for each in episodes_of(folder)[1]) == [1, 2, 3, 4]


def test_a_run_keeps_its_limits_and_whatever_failed_before_stops_nothing(cli):
    agent = """
    import pathlib, time

    import httpx

    def agent(message):
        if pathlib.Path("down").exists() and "two" in message:
            raise httpx.ConnectError("no model today")
        time.sleep(0.3)
        return "Nothing."
    """
    scenarios = scenario("Hi, I am one.", id="one", expect="{says: [hello]}") + scenario("Hi, I am two.", id="two")
    write(cli.folder, scenarios=scenarios, agent=agent)
    (cli.folder / "down").touch()
    assert cli("run", "--turn-limit", "60").code == 1
    (cli.folder / "down").unlink()
    assert "leave --turn-limit out" in cli("run", "--resume", "latest", "--turn-limit", "0.1").err
    assert cli("run", "--resume", "latest", "--fail-fast").code == 1
    run, every = episodes_of(cli.folder)
    assert run.plan["limits"]["turn_seconds"] == 60
    assert {(each.key.item, each.attempt) for each in every} == {("one", 1), ("two", 2)}


def test_a_run_that_is_being_played_is_not_gone_on_with(tmp_path):
    folder = write(tmp_path, agent=SLOW, scenarios=MANY)
    running = begun(folder)
    came = turngate("run", "--resume", "latest", cwd=folder)
    running.kill()
    running.communicate()
    assert came.returncode == 2
    assert "it is still being played" in came.stderr
