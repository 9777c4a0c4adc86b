from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from harness.store.store import Store
from harness.workflow.json_schema import scenario_schema, workflow_schema
from tests.harness.desk import (
    AGENT,
    SCENARIO,
    WORKFLOW,
    command,
    environment,
    scenario,
    turngate,
    write,
)

HOSTILE = "\x1b[2J\x1b]0;owned\x07 [red]markup[/red] [link=http://x]y[/link] \u202eesrever :smile: \x9b31m \ud800"


def raw(text):
    """What a terminal would obey in a text."""
    return [char for char in text if (ord(char) < 32 and char not in "\n\t") or 0x7F <= ord(char) < 0xA0] + [
        char for char in text if char in "\u202e\u2066\ud800"
    ]


# Exit codes


def test_0_the_gate_passed(cli):
    came = cli("run")
    assert came.code == 0
    assert "gate passed" in came.out
    assert came.err == ""


def test_1_a_rule_failed(cli):
    write(cli.folder, agent="def agent(message): return 'Hello.'")
    came = cli("run")
    assert came.code == 1
    assert "gate failed" in came.out
    assert "turngate show" in came.out


def test_3_undecided(cli):
    write(cli.folder, scenarios=SCENARIO.replace("cancel_order: {order_id: O-1}", "cancel_order: {order_id: O-2}"))
    came = cli("run")
    assert came.code == 3
    assert "undecided" in came.out
    assert "nobody is blamed for it (X3)" in " ".join(came.out.split())


def test_4_planned_episodes_are_missing(cli):
    text = "".join(scenario("Hi.", id=f"s-{n}", expect="{outcome: escalated}") for n in range(9))
    write(cli.folder, scenarios=text, agent="def agent(message): return 'Hello.'")
    assert cli("run", "--fail-fast", "-j", "1").code == 4


def test_a_part_of_a_workflow_never_passes_its_gate(cli):
    came = cli("run", "--trials", "1")
    assert came.code == 0
    assert "partial: no gate (--trials 1)" in came.out
    assert "gate passed" not in came.out


def test_a_part_of_a_workflow_can_fail_it(cli):
    write(cli.folder, agent="def agent(message): return 'Hello.'")
    assert cli("run", "--only", "orders").code == 1


def test_settings_of_the_environment_come_behind_flags(cli, monkeypatch, tmp_path):
    monkeypatch.setenv("TURNGATE_STORE", str(tmp_path / "env.db"))
    monkeypatch.setenv("TURNGATE_TRIALS", "1")
    assert "--trials 1" in cli("run").out
    assert (tmp_path / "env.db").exists()
    assert cli("run", "--trials", "2", "--store", tmp_path / "flag.db").code == 0
    assert (tmp_path / "flag.db").exists()


# Looking at a run


def test_show_names_the_users_own_line_of_a_crash(cli):
    crashing = """
    def agent(message, session):
        return total({})

    def total(order):
        return order["total"]
    """
    write(cli.folder, agent=crashing)
    assert cli("run").code == 1
    place = f"{cli.folder / 'agent.py'}:6 in total"
    episode = " ".join(cli("show", "cancel-one").out.split())
    assert "✖ FL4 the agent failed: \"KeyError: 'total'\"" in episode
    assert episode.count(place) >= 2
    assert "the whole traceback: --turn 1" in episode
    assert 'return order["total"]' not in episode
    turn = cli("show", "cancel-one", "--turn", "1").out
    assert "Traceback (most recent call last)" in turn
    assert 'return order["total"]' in turn


def test_show_from_the_runs_to_a_turn(cli):
    assert cli("run").code == 0
    (run,) = Store.open(Path(".turngate/turngate.db")).runs()
    assert run.id in cli("show").out
    listed = cli("show", run.id)
    assert f"turngate show {run.id}/cancel-one/1" in listed.out
    episode = cli("show", f"{run.id}/cancel-one/1")
    for text in ("Please cancel my order.", "cancel_order", "line 1", "orders.yaml", 'status: "paid"', "resolved"):
        assert text in episode.out
    assert cli("show", "cancel-one").out == episode.out
    turn = cli("show", "cancel-one", "--turn", "2")
    assert "cancel_order" in turn.out
    assert "Please cancel my order." not in turn.out
    document = json.loads(cli("show", "cancel-one/2", "--json").out)
    assert document["episode"]["key"]["trial"] == 2
    assert document["scored"]["verdict"]["status"] == "passed"


def test_an_agents_version_may_have_a_slash(cli):
    write(cli.folder, agent="__version__ = 'release/1.2 \\x1b[31m'\n" + AGENT)
    came = cli("run")
    assert came.code == 0
    assert raw(came.out) == []
    assert cli("show", "cancel-one").code == 0
    run = Store.open(Path(".turngate/turngate.db")).latest().id
    assert cli("show", run).code == 0
    assert cli("show", f"{run}/cancel-one/2").code == 0


def test_gate_decides_a_stored_run_again(cli):
    write(cli.folder, agent="def agent(message): return 'Hello.'")
    run = cli("run")
    again = cli("gate")
    assert again.code == run.code == 1
    assert "gate failed" in again.out


ASK_FIRST = "rules: [{id: ask-first, before: cancel_order, need: consent}]\nscenario_map:"


def test_an_agent_that_breaks_a_rule_fails_the_gate_though_no_line_names_the_rule(cli):
    """The agent does what is asked for, without a yes to it."""
    write(cli.folder, workflow=WORKFLOW.replace("scenario_map:", ASK_FIRST))
    came = cli("run")
    assert came.code == 1
    assert "ask-first (always)" in came.out
    assert "rule ask-first" in came.out
    assert "0/2  2 failed" in came.out


def test_a_deterministic_agent_is_known_again_from_the_store(cli):
    assert "1 exact" in cli("run").out
    assert "1 exact" in cli("gate").out


@pytest.mark.parametrize("command", [["gate", "--explain"], ["lint"]])
def test_what_each_rule_of_a_gate_asks_for_and_takes(cli, command):
    write(cli.folder, workflow=WORKFLOW.replace("scenario_map:", ASK_FIRST))
    came = cli(*command)
    assert came.code == 0
    for text in ("works", "task_success", "ask-first (always)", "in no episode", "clean trials", "workflow.yaml:"):
        assert text in came.out


def test_a_run_that_planned_nothing_has_no_gate(cli):
    from datetime import UTC, datetime

    from harness.store.records import RunRecord

    assert cli("run").code == 0
    with Store.open(Path(".turngate/turngate.db")) as store:
        store.create_run(RunRecord("r-9", "desk", datetime.now(UTC), store.latest().agents))
    came = cli("gate", "r-9")
    assert came.code == 2
    assert "before anything was planned" in came.err
    assert cli("show", "r-9").code == 0
    assert cli("rescore", "r-9").code == 0


def test_rescore_needs_no_file(cli):
    assert cli("run").code == 0
    for each in ("workflow.yaml", "agent.py"):
        (cli.folder / each).unlink()
    shutil.rmtree(cli.folder / "scenarios")
    came = cli("rescore")
    assert came.code == 0
    assert "2 episodes scored again, 0 verdict(s) changed" in came.out


def test_lint_says_what_is_right_and_doubtful(cli):
    write(cli.folder, workflow=WORKFLOW.replace("passthrough: [outside]\n", ""))
    came = cli("lint")
    assert came.code == 0
    assert "desk: 1 scenarios in 1 families, 3 tools: nothing is wrong" in came.out
    write(cli.folder, scenarios=scenario("Hi."))
    came = cli("lint")
    assert "there is no `gold` path" in came.out
    assert came.out.endswith("3 tools: 2 warning(s)\n")


def test_lint_takes_a_workflow_that_only_scores_traces(cli):
    shutil.rmtree(cli.folder / "scenarios")
    came = cli("lint")
    assert came.code == 0
    assert "note: there is no scenario, so this scores traces (`turngate score`); nothing can be played" in came.out
    assert cli("run").code == 2


def test_latest_is_the_latest_run(cli):
    cli("run")
    run = cli("show").out.split("r-")[1].split()[0]
    assert f"turngate show r-{run}/" in cli("show", "latest").out
    assert cli("gate", "latest").out == cli("gate").out
    assert "trial 1" in cli("show", "latest/cancel-one/1").out


def test_show_without_a_run_says_what_to_do(cli):
    Store.open(cli.folder / ".turngate" / "turngate.db").close()
    assert cli("show").out == "no run is stored yet: `turngate run` plays a workflow\n"
    assert "no run is stored yet" in cli("show", "latest").err


@pytest.mark.parametrize("width", [40, 80, 120])
def test_a_narrow_terminal_loses_no_mark_and_no_figure(cli, monkeypatch, width):
    cli("run")
    monkeypatch.setenv("COLUMNS", str(width))
    told = cli("gate").out
    assert "✔" in told
    assert "…" not in " ".join(told.split()).replace("pass^1 … pass^2", "").replace("1 … 1", "")
    lines = cli("show", "latest").out.splitlines()
    assert sum("turngate show r-" in line and line.rstrip().endswith("/cancel-one/1") for line in lines) == 1


@pytest.mark.parametrize(("kind", "made"), [("workflow", workflow_schema), ("scenarios", scenario_schema)])
def test_schema_is_json_for_editors(cli, kind, made):
    assert json.loads(cli("schema", kind).out) == json.loads(json.dumps(made()))


def test_the_result_file(cli):
    assert cli("run", "-o", "result.json").code == 0
    result = json.loads(Path("result.json").read_text())
    assert result["schema"] == "turngate.result/1"
    assert (result["workflow"], result["scenarios"], result["trials"]) == ("desk", 1, 2)
    assert result["gate"]["decision"] == "passed"
    assert result["gate"]["partial"] is None
    assert {rule["rule"] for rule in result["gate"]["rules"]} >= {"works"}
    assert result["played"] == result["planned"] == {"orders": 2}
    cell = next(cell for cell in result["map"] if cell["metric"] == "task_success")
    assert (cell["family"], cell["passed"], cell["failed"]) == ("orders", 2, 0)
    assert [episode["verdict"]["status"] for episode in result["episodes"]] == ["passed", "passed"]
    cost = result["episodes"][0]["scores"]["cost_usd"]
    assert "value" not in cost or cost["value"] is not None
    assert os.listdir(".").count("result.json") == 1
    assert not [name for name in os.listdir(".") if name.startswith(".result")]


def test_failures_in_the_result_file(cli):
    write(cli.folder, agent="def agent(message): raise ValueError('x')")
    assert cli("run", "-o", "result.json").code == 1
    (failure,) = json.loads(Path("result.json").read_text())["failures"]
    assert (failure["scenario"], failure["status"], failure["code"]) == ("cancel-one", "failed", "FL4")
    assert len(failure["episodes"]) == failure["trials"] == 2


def test_only_episodes_that_were_played_are_listed_with_a_command(cli):
    text = WORKFLOW.replace("at_least: 0.9}]", "failures: 0}]").replace("trials: 2", "trials: 3")
    write(cli.folder, workflow=text)
    cli("run")
    run = Store.open(".turngate/turngate.db").latest().id
    lines = [" ".join(line.split()) for line in cli("show", run).out.splitlines() if "cancel-one" in line]
    assert lines == [
        f"orders passed turngate show {run}/cancel-one/1",
        f"orders passed turngate show {run}/cancel-one/2",
        f"orders spared {run}/cancel-one/3",
    ]


def test_a_run_tells_of_episodes_that_passed_with_an_open_ask(cli):
    agent = """
    def agent(message, session):
        if message == "Hi.":
            return "What colour is the box?"
        return "It is done."
    """
    write(cli.folder, agent=agent, scenarios=scenario("Hi.", expect="{outcome: resolved, says: [{mentions: done}]}"))
    out = " ".join(cli("run", "-o", "result.json").out.split())
    run = Store.open(".turngate/turngate.db").latest()
    assert f"2 passed episodes have asks that no fact answers: turngate show {run.id}/talk/1 " in out
    ids = [f"{run.id}/{run.agents[0].label}/talk/{trial}/clean" for trial in (1, 2)]
    assert json.loads(Path("result.json").read_text())["unscripted"] == ids
    assert "What colour is the box?" in cli("show", "talk").out.split("under user:")[1]


def test_a_first_workflow_says_that_kinds_are_guessed(cli):
    agent = """
    from langchain_core.tools import tool
    from langgraph.graph import MessagesState, StateGraph
    from langgraph.prebuilt import ToolNode

    @tool
    def room_price(room: str) -> str:
        "Price of a room for a night."

    graph = StateGraph(MessagesState).add_node("tools", ToolNode([room_price])).set_entry_point("tools").compile()
    """
    write(cli.folder, agent=agent)
    came = cli("init", "--agent", "agent.py:graph", "first")
    assert came.code == 0
    assert "room_price (writes)\n      kinds are guessed from names: look each over in workflow.yaml" in came.out
    assert cli("lint", "first").code == 0


# Hostile text


def test_nothing_that_agents_tools_or_files_say_steers_the_terminal(cli):
    hostile = json.dumps(HOSTILE.replace("\ud800", ""))
    agent = f"""
    HOSTILE = {HOSTILE!a}

    def agent(message, session):
        print(HOSTILE)
        session.call_tool("get_order", {{"order_id": HOSTILE}}, None)
        session.call_tool(HOSTILE, {{HOSTILE: HOSTILE}}, HOSTILE)
        if "two" in message:
            raise ValueError(HOSTILE)
        return HOSTILE
    """
    text = scenario(f"{{say: {hostile}}}", id="one", expect=f"{{says: [{hostile}]}}") + scenario("I am two.", id="two")
    write(cli.folder, agent=agent, scenarios=text)
    ran = cli("run")
    assert ran.code == 1
    pages = [ran, cli("gate"), cli("show"), cli("rescore"), cli("lint"), cli("show", "one", "--json")]
    pages += [cli("show", "one"), cli("show", "two"), cli("show", "one", "--turn", "1")]
    pages.append(cli("bless", "one", "--yes"))
    for page in pages:
        assert raw(page.text) == []
        assert "Traceback (most" not in page.err
    assert "[red]markup[/red]" in cli("show", "one").out
    assert ":smile:" in cli("show", "one").out
    assert cli("lint").code == 0


# The start


def test_help_is_quick_and_loads_no_engine():
    code = """
import sys
sys.argv = ["turngate", "--help"]
from harness.cli import main
try:
    main()
except SystemExit as ended:
    assert not ended.code
heavy = {"pydantic", "langgraph", "langchain_core", "sqlalchemy", "scipy", "rich", "deepdiff", "yaml", "rapidfuzz"}
print("LOADED", sorted(heavy & set(sys.modules)), file=sys.stderr)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment(), timeout=120, check=True
    )
    assert "run" in done.stdout
    assert "bless" in done.stdout
    assert done.stderr.endswith("LOADED []\n")


def test_every_command_has_help(cli):
    for name in ("run", "demo", "lint", "schema", "gate", "show", "rescore", "init", "chat", "bless"):
        came = cli(name, "--help")
        assert came.code == 0
        assert "Usage: turngate" in came.out


def test_version(monkeypatch, capsys):
    from harness import __version__
    from harness.cli import main

    monkeypatch.setattr(sys, "argv", ["turngate", "--version"])
    main()
    assert capsys.readouterr().out == f"turngate {__version__}\n"


def test_a_terminal_that_cannot_show_a_letter(cli):
    write(cli.folder, agent="def agent(message): return '你好 🙂'")
    assert cli("run").code == 1
    came = turngate("show", "cancel-one", cwd=cli.folder, env={"PYTHONIOENCODING": "ascii"})
    assert came.returncode == 0, came.stderr
    assert "\\u4f60" in came.stdout


# Other processes


@pytest.mark.parametrize("arguments", [("run", "-o", "result.json"), ("schema", "workflow")])
def test_a_reader_that_goes_away(tmp_path, arguments):
    folder = write(tmp_path / "desk")
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        command(*arguments),
        cwd=folder,
        stdout=writing,
        stderr=subprocess.PIPE,
        env=environment(),
        timeout=120,
        check=False,
    )
    os.close(writing)
    assert done.stderr == b""
    assert done.returncode == 0


FOREGROUND = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
BACKGROUND = partial(signal.signal, signal.SIGINT, signal.SIG_IGN)
"""As a script starts what it writes `&` behind."""


@pytest.mark.parametrize(
    ("stop", "started"),
    [
        (signal.SIGINT, FOREGROUND),
        (signal.SIGTERM, FOREGROUND),
        (signal.SIGHUP, FOREGROUND),
        (signal.SIGTERM, BACKGROUND),
        (signal.SIGHUP, BACKGROUND),
    ],
)
def test_ctrl_c_or_the_end_of_a_job_keeps_what_was_played_and_says_how_to_look_at_it(cli, stop, started):
    agent = """
    import asyncio, pathlib

    async def agent(message):
        if "two" in message:
            pathlib.Path("waiting").touch()
            await asyncio.sleep(60)
        return "Hello."
    """
    text = scenario("I am one.", id="one") + scenario("I am two.", id="two")
    folder = write(cli.folder, agent=agent, scenarios=text)
    running = subprocess.Popen(
        command("run", "-j", "1"),
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        preexec_fn=started,
    )
    until = time.monotonic() + 60
    while not (folder / "waiting").exists() and time.monotonic() < until:
        time.sleep(0.02)
    running.send_signal(stop)
    _, err = running.communicate(timeout=120)
    assert running.returncode == 130, err
    told = err.decode()
    assert "Traceback" not in told
    assert "interrupted: 1 of 4 episodes are kept in run r-" in told
    with Store.open(folder / ".turngate" / "turngate.db") as store:
        (run,) = store.runs()
        assert run.status == "interrupted"
        assert [result.key.item for result in store.results(run.id) if result.state == "played"] == ["one"]
    assert f"turngate gate {run.id}" in told
    assert cli("gate", run.id).code == 4


def test_a_factory_that_goes_wrong_later_keeps_what_was_played(cli):
    agent = """
    made = []

    def build():
        made.append(1)
        return (lambda message: f"Hello {len(made)}.") if len(made) < 3 else 7
    """
    write(cli.folder, agent=agent, workflow=WORKFLOW.replace("trials: 2", "trials: 4"), scenarios=scenario("Hi."))
    came = cli("run", "--agent", "agent.py:build", "-j", "1")
    assert came.code == 2
    assert "the run could not go on: " in came.err
    assert "of 4 episodes are kept in run r-" in came.err
    assert "Traceback" not in came.err


def test_ctrl_c_before_the_first_episode_is_told_too(cli, monkeypatch):
    import harness.cli.playing

    async def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(harness.cli.playing, "rehearse", interrupted)
    came = cli("run")
    assert came.code == 130
    assert came.err == "interrupted: no episode was played yet, so nothing is kept\n"


def test_a_name_that_may_be_of_several_runs_lists_them(cli):
    assert cli("run").code == 0
    assert cli("run").code == 0
    with Store.open(Path(".turngate/turngate.db")) as store:
        runs = [run.id for run in store.runs()]
    for name in ("show", "bless"):
        came = cli(name, "r-")
        assert came.code == 2
        assert "may be any of 2" in came.err
        assert all(run in came.err for run in runs)
    assert cli("show", runs[0]).code == 0


def test_a_scenario_that_is_not_there_has_a_nearest_one(cli):
    assert cli("run").code == 0
    came = cli("show", "cancel-oen")
    assert came.code == 2
    assert "did you mean `cancel-one`?" in came.err


def test_the_demo_says_how_to_type_its_commands(cli, monkeypatch):
    import harness.cli.demo

    monkeypatch.setattr(harness.cli.demo, "run", lambda *_: 0)
    monkeypatch.setenv("PATH", "")
    came = cli("demo")
    assert "`turngate` is not on the PATH here; write turngate in its place." in came.out


def test_two_runs_at_once_into_one_store(tmp_path):
    text = "".join(scenario("Hi.", id=f"s-{n}") for n in range(15))
    folder = write(tmp_path / "desk", scenarios=text, agent="def agent(message): return 'Hello.'")
    running = [
        subprocess.Popen(command("run"), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
        for _ in range(2)
    ]
    for each in running:
        _, err = each.communicate(timeout=120)
        assert each.returncode == 0, err
    with Store.open(folder / ".turngate" / "turngate.db") as store:
        runs = store.runs()
        assert [run.status for run in runs] == ["done", "done"]
        for run in runs:
            assert [result.state for result in store.results(run.id)] == ["played"] * 30
