"""Every mistake of a user is told in words, with exit code 2 (nothing selected: 3), and never with a traceback."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.harness.desk import SCENARIO, WORKFLOW, turngate, write


def told(came, *texts, code=2):
    assert came.code == code, came.text
    for text in texts:
        assert text in came.err
    assert "Traceback" not in came.text
    assert came.err.startswith("turngate: ") or "Usage:" in came.err
    return came


# Files


@pytest.mark.parametrize("command", ["run", "lint", "chat", "gate"])
def test_an_empty_folder(cli, tmp_path, command):
    (tmp_path / "empty").mkdir()
    arguments = [tmp_path / "empty", *(["--explain"] if command == "gate" else [])]
    told(cli(command, *arguments), "there is no workflow.yaml", "turngate init")


@pytest.mark.parametrize("command", ["run", "lint", "chat"])
def test_no_such_folder(cli, command):
    told(cli(command, "nowhere"), "nowhere", "no such file or folder")


def test_a_name_that_no_file_can_have(cli):
    told(cli("run", "x" * 5000))
    told(cli("show", "r-1", "--store", "x" * 5000))
    told(cli("run", "--store", "x" * 5000))


@pytest.mark.skipif(os.getuid() == 0, reason="root may read everything")
def test_an_unreadable_file(cli):
    (cli.folder / "workflow.yaml").chmod(0)
    told(cli("run"), "workflow.yaml", "can't be read")


def test_a_folder_in_place_of_a_file(cli):
    (cli.folder / "workflow.yaml").unlink()
    (cli.folder / "workflow.yaml").mkdir()
    told(cli("run"))
    (cli.folder / "scenarios" / "more.yaml").mkdir()
    told(cli("run"))


def test_no_scenarios(cli):
    (cli.folder / "scenarios" / "orders.yaml").unlink()
    told(cli("run"), "scenarios", "there is no scenario")


@pytest.mark.parametrize(
    ("workflow", "scenarios", "texts"),
    [
        (WORKFLOW.replace("about:", "abuot:", 1), SCENARIO, ["workflow.yaml:16:5", "abuot", "about"]),
        (WORKFLOW.replace("trials: 2", "trials: two"), SCENARIO, ["workflow.yaml:5:9", "two"]),
        (WORKFLOW.replace("\n  orders:", "\n\torders:"), SCENARIO, ["workflow.yaml:8:1", "tab"]),
        (WORKFLOW, SCENARIO + SCENARIO, ["orders.yaml", "cancel-one", "twice"]),
        (WORKFLOW, SCENARIO.replace("expect:\n", "expect:\n    outcom: resolved\n"), ["outcom", "outcome"]),
        (
            WORKFLOW,
            SCENARIO.replace("    state: {orders.O-1.status: cancelled}", "    calls: {required: [cancel_ordr]}"),
            ["cancel_ordr", "cancel_order"],
        ),
        (WORKFLOW.replace("metric: task_success", "metric: task_sucess"), SCENARIO, ["task_sucess", "task_success"]),
        (WORKFLOW, "", ["orders.yaml", "empty"]),
        ("", SCENARIO, ["workflow.yaml", "empty"]),
        ("[1, 2", SCENARIO, ["workflow.yaml:"]),
        ("- a\n", SCENARIO, ["workflow.yaml:", "mapping"]),
        (WORKFLOW, "\x00", ["orders.yaml", "U+0000"]),
        (WORKFLOW.replace("agent.py:agent", '"\\e[31m.py:agent"'), SCENARIO, []),
    ],
)
def test_a_file_that_is_wrong(cli, workflow, scenarios, texts):
    write(cli.folder, workflow=workflow, scenarios=scenarios)
    for command in ("lint", "run") if texts else ("run",):
        came = told(cli(command), *texts)
        assert "\x1b" not in came.text


def test_what_is_not_utf_8(cli):
    (cli.folder / "workflow.yaml").write_bytes(b"workflow: caf\xe9\n")
    told(cli("run"), "workflow.yaml:1:14", "UTF-8")


# Agents


@pytest.mark.parametrize(
    ("spec", "texts"),
    [
        ("agent", ["file.py:name"]),
        ("nowhere.py:agent", ["nowhere.py", "no such file"]),
        ("no_such_module_x:agent", ["no_such_module_x"]),
        ("agent.py:agnet", ["agnet", "agent"]),
        ("openai:some-model", ["no key", "OPENAI_API_KEY"]),
        ("agent.py:", ["file.py:name"]),
        (":", ["file.py:name"]),
    ],
)
def test_an_agent_that_is_not_there(cli, spec, texts):
    told(cli("run", "--agent", spec), *texts)
    told(cli("chat", "--agent", spec), *texts)


@pytest.mark.parametrize(
    ("text", "texts"),
    [
        ("raise ValueError('no key')", ["agent.py:1", "ValueError: no key"]),
        ("import no_such_module_x", ["agent.py:1", "no_such_module_x", "not installed"]),
        ("def agent(:", ["agent.py:1", "SyntaxError"]),
        ("import sys; sys.exit(0)", ["agent.py:1", "SystemExit"]),
        ("raise BaseException('\\x1b[2J')", ["BaseException", "\\x1b[2J"]),
        ("agent = 7", ["type int", "accepted are"]),
        ("def agent(text): return text", ["(text)", "accepted are"]),
        ("agent = None", ["None", "accepted are"]),
        ("def agent(session): return 7", ["int", "accepted are"]),
        ("def agent(): return agent", ["factory"]),
    ],
)
def test_an_agent_that_cannot_be_rehearsed(cli, text, texts):
    write(cli.folder, agent=text)
    came = told(cli("run"), *texts)
    assert "\x1b" not in came.text


def test_an_agent_with_a_tool_that_the_sandbox_lacks(cli):
    agent = """
    from langchain_core.tools import tool

    @tool
    def delete_everything() -> str:
        "Really."
        raise RuntimeError("it ran")

    def build(session):
        def agent(message, session):
            return delete_everything.invoke({})
        return agent
    """
    write(cli.folder, agent=agent)
    came = told(cli("run", "--agent", "agent.py:build"), "delete_everything")
    assert "it ran" not in came.text


def test_a_workflow_without_an_agent(cli):
    write(cli.folder, workflow=WORKFLOW.replace("agent: agent.py:agent\n", ""))
    told(cli("run"), "--agent file.py:name")


# Options


@pytest.mark.parametrize(
    ("arguments", "texts"),
    [
        (["--slice", "language"], ["name=value"]),
        (["-o", "x.html"], [".json"]),
        (["-o", "nowhere/x.json"], ["nowhere"]),
        (["--trials", "0"], ["--trials", "greater than or equal to 1"]),
        (["--trials", "many"], ["--trials", "integer"]),
        (["--trials", "1000000000"], ["--trials", "less than or equal to 10000"]),
        (["--trails", "2"], ["--trails"]),
        (["--turn-limit", "-1"], ["--turn-limit"]),
    ],
)
def test_an_option_that_is_wrong(cli, arguments, texts):
    told(cli("run", *arguments), *texts)
    assert not (cli.folder / ".turngate").exists()


def test_nothing_selected_is_undecided(cli):
    told(cli("run", "--only", "cancel-oen"), "--only cancel-oen", "did you mean `cancel-one`", code=3)
    told(cli("run", "--slice", "language=fr"), "language=fr", code=3)


@pytest.mark.parametrize("kind", ["scenario", "", "\x1b[31m"])
def test_an_unknown_schema(cli, kind):
    assert "\x1b" not in told(cli("schema", kind), "workflow, scenarios, result, episodes").err


# Stores


def test_a_store_that_cannot_be(cli):
    Path("file").write_text("not a folder")
    told(cli("run", "--store", "file/x.db"), "file", "--store")
    told(cli("run", "--store", "file"), "no SQLite database")
    told(cli("run", "--store", "."), "folder")
    told(cli("run", "--store", "mysql://u:secret@h/d"))
    came = told(cli("run", "--store", "nonsense://u:secret@h/d"))
    assert "secret" not in came.text


@pytest.mark.skipif(os.getuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder(cli):
    cli.folder.chmod(0o555)
    try:
        told(cli("run"), "--store")
    finally:
        cli.folder.chmod(0o755)


@pytest.mark.parametrize("command", ["show", "gate", "rescore", "bless"])
def test_a_store_that_is_not_there(cli, command):
    arguments = ["r-1"] if command == "bless" else []
    told(cli(command, *arguments), "nothing is stored there yet")
    assert not Path(".turngate").exists()


@pytest.mark.parametrize("name", ["r-no", "r-no/cancel-one/1", "cancel-two", "cancel-one/9", "/", "a/b/c/d/e/f", "%"])
def test_a_run_or_an_episode_that_is_not_there(cli, name):
    assert cli("run").code == 0
    told(cli("show", name))
    told(cli("bless", name))
    told(cli("gate", name))
    told(cli("rescore", name))


def test_a_turn_that_is_not_there(cli):
    assert cli("run").code == 0
    told(cli("show", "cancel-one", "--turn", "9"), "turn 9", "turns 1 to 2")


def test_a_full_disk_is_told_and_what_was_stored_is_whole(cli):
    import resource

    assert cli("run").code == 0
    room = Path(".turngate/turngate.db").stat().st_size // 4  # the log of what is written gets longer
    limit = (room, room)
    full = turngate("run", cwd=cli.folder, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limit))
    assert full.returncode == 2, full.stderr
    assert "disk" in full.stderr
    assert "Traceback" not in full.stderr
    assert "done" in cli("show").out


def test_a_fault_of_our_own_never_looks_like_a_failed_gate(cli, monkeypatch):
    import harness.cli.lint

    def broken(workflow):
        raise ZeroDivisionError("ours")

    monkeypatch.setattr(harness.cli.lint, "lint", broken)
    came = cli("lint")
    assert came.code == 2
    assert "Traceback" in came.err
    assert "fault of turngate itself" in came.err
