"""Chat, its /save, and bless: what they write is a scenario that plays."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from harness.runs.prepare import load_bundle
from harness.store.store import Store
from tests.harness.desk import SCENARIO, WORKFLOW, command, environment, turngate, write

ASKING = """
def agent(message, session):
    said = " ".join(each.text for each in session.history if each.role == "user") + " " + message
    if "O-1" not in said:
        return "Which order number is it?"
    if "yes" not in message.lower():
        return "Shall I cancel order O-1?"
    session.call_tool("cancel_order", {"order_id": "O-1"}, None)
    return "I have cancelled order O-1."
"""


@pytest.fixture
def typed(cli, monkeypatch):
    def run(*lines, options=()):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return cli("chat", *options)

    return run


def test_a_saved_conversation_is_a_scenario_that_plays_and_passes(cli, typed):
    write(cli.folder, agent=ASKING)
    came = typed("Please cancel my order.", "It's O-1.", "Yes, please.", "/save my-case")
    assert came.code == 0, came.text
    assert "Shall I cancel order O-1?" in came.out
    assert "wrote" in came.out
    saved = load_bundle(cli.folder).scenarios["my-case"]
    assert saved.user.knows == {"order_id": "O-1"}
    assert [line.say for line in saved.user.turns] == [["Please cancel my order."]]
    assert saved.expect.outcome == "resolved"
    assert [step.tool for step in saved.gold if step.tool] == ["cancel_order"]
    ran = cli("run", "--only", "my-case")
    assert ran.code == 0, ran.text
    assert "X3" not in ran.out
    with Store.open(Path(".turngate/turngate.db")) as store:
        results = list(store.results(store.latest().id))
    assert {result.verdict.status.value for result in results} == {"passed"}


def test_a_chat_through_a_pipe(cli):
    folder = write(cli.folder, agent=ASKING)
    lines = "Please cancel my order.\n/help\n\nO-1\nyes\n/save cancel-one\n/save a/b\n/save piped\n"
    came = turngate("chat", cwd=folder, stdin=lines)
    assert came.returncode == 0, came.stderr
    assert "there is a scenario `cancel-one` already" in came.stdout
    assert "`a/b` can't be a scenario's id" in came.stdout
    ran = cli("run", "--only", "piped")
    assert ran.code == 0, ran.text
    assert "2/2" in ran.out


@pytest.mark.parametrize("last", [[], ["/quit"]])
def test_a_chat_that_is_just_left(typed, last):
    came = typed("Please cancel my order.", *last)
    assert came.code == 0
    assert "Which order number is it?" in came.out


def test_a_conversation_is_saved_into_a_family(cli, typed):
    write(cli.folder, agent=ASKING)
    came = typed("/save early", "Hello.", "/save my!case", "/save mine ordrs", "/save mine orders")
    assert came.code == 0, came.text
    assert "nothing is said yet: there is nothing to save" in came.out
    assert "`my!case` can't be a scenario's id: it holds `!`" in came.out
    assert "there is no family `ordrs`; did you mean `orders`?" in came.out
    assert "in the family orders; look it through, then: turngate run . --only mine" in came.out
    assert load_bundle(cli.folder).scenarios["mine"].family == "orders"


def test_a_chat_in_a_scenarios_state(cli, typed):
    write(cli.folder, scenarios=SCENARIO.replace("  user:", "  given: {orders.O-1.total: 12.50}\n  user:", 1))
    write(cli.folder, scenarios=(cli.folder / "scenarios" / "orders.yaml").read_text(), agent=ASKING)
    came = typed("Cancel O-1.", "yes", "/save twin", options=["--scenario", "cancel-one"])
    assert came.code == 0, came.text
    assert str(load_bundle(cli.folder).scenarios["twin"].given["orders.O-1.total"]) == "12.50"
    assert cli("run", "--only", "twin").code == 0
    assert cli("chat", "--scenario", "nosuch").code == 2


def test_an_agent_that_fails_in_a_chat(cli, typed):
    write(cli.folder, agent="def agent(message): raise ValueError('\\x1b[31mno')")
    came = typed("Hello.", "/quit")
    assert came.code == 1
    assert "ValueError: \\x1b[31mno" in came.out
    assert "Traceback" not in came.text


def test_bytes_that_are_no_text_in_a_chat(tmp_path):
    folder = write(tmp_path / "desk", agent=ASKING)
    came = turngate("chat", cwd=folder, stdin=b"caf\xe9\n/quit\n", env={"PYTHONIOENCODING": ""})
    assert came.returncode == 0, came.stdout
    assert "Which order number is it?" in came.stdout


def test_bless_writes_a_gold_path_that_passes(cli):
    write(cli.folder, scenarios="# mine\n" + SCENARIO.split("  gold:")[0] + "# end\n")
    assert "there is no `gold` path" in cli("lint").out
    assert cli("run").code == 0
    came = cli("bless", "cancel-one", "--yes")
    assert came.code == 0, came.text
    text = Path("scenarios/orders.yaml").read_text()
    assert text.startswith("# mine\n")
    assert text.endswith("# end\n")
    assert "`gold`" not in cli("lint").out
    ran = cli("run")
    assert ran.code == 0
    assert "X3" not in ran.out
    with Store.open(Path(".turngate/turngate.db")) as store:
        labels = [store.labels(e.key) for run in store.runs() for e in store.episodes(run.id)]
    assert [label.label for found in labels for label in found] == ["passed"]


@pytest.mark.parametrize(("answer", "written"), [("y", True), ("n", False), ("\n", False)])
def test_bless_asks_first(cli, monkeypatch, answer, written):
    assert cli("run").code == 0
    before = Path("scenarios/orders.yaml").read_text()
    monkeypatch.setattr(sys, "stdin", io.StringIO(answer))
    assert cli("bless", "cancel-one").code == 0
    assert (Path("scenarios/orders.yaml").read_text() != before) is written


@pytest.mark.parametrize("options", [[], ["--yes"]])
def test_bless_refuses_an_episode_that_did_not_pass(cli, monkeypatch, options):
    write(cli.folder, agent="def agent(message): return 'Hello.'")
    assert cli("run").code == 1
    before = Path("scenarios/orders.yaml").read_text()
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
    came = cli("bless", "cancel-one", *options)
    assert came.code == 2
    assert "did not pass" in came.err
    assert "failed: task_success; " in came.err
    assert Path("scenarios/orders.yaml").read_text() == before


def test_bless_refuses_where_the_gold_path_itself_is_broken(cli):
    write(cli.folder, scenarios=SCENARIO.replace("cancel_order: {order_id: O-1}", "cancel_order: {order_id: O-2}"))
    assert cli("run").code == 3
    came = cli("bless", "cancel-one", "--yes")
    assert came.code == 2
    assert "take the gold path out, run again" in came.err


def test_bless_says_that_a_gold_path_is_replaced(cli, monkeypatch):
    assert cli("run").code == 0
    monkeypatch.setattr(sys, "stdin", io.StringIO("n\n"))
    for options, end in (([], "nothing was written"), (["-y"], "wrote the gold path")):
        came = cli("bless", "cancel-one", *options)
        assert "scenarios/orders.yaml:10: there is a gold path already: this one replaces it" in came.out
        assert end in came.out


def test_what_bless_wrote_is_linted_again(cli):
    assert cli("run").code == 0
    file = Path("scenarios/orders.yaml")
    file.write_text(file.read_text().replace("    state: {", "    stat: {"))
    came = cli("bless", "cancel-one", "--yes")
    assert came.code == 2
    assert "wrote the gold path" in came.out
    assert "did you mean `state`" in came.err


def test_bless_keeps_an_outcome_that_the_agent_stated(cli):
    agent = "def agent(message): return {'text': 'That is not for me to say.', 'outcome': 'refused'}"
    text = SCENARIO.split("  expect:")[0] + "  expect: {outcome: refused}\n"
    write(cli.folder, agent=agent, scenarios=text, workflow=WORKFLOW)
    assert cli("run").code == 0
    assert cli("bless", "cancel-one", "-y").code == 0
    assert "outcome: refused" in Path("scenarios/orders.yaml").read_text().split("gold:")[1]
    assert cli("run").code == 0


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda file: file.unlink(), "bless from the folder"),
        (lambda file: file.write_text("- {id: cancel-one, family: orders}\n"), "block style"),
        (lambda file: file.write_text("- id: other\n"), "no scenario `cancel-one`"),
        (lambda file: file.write_text("- id: [\n"), "no YAML"),
    ],
)
def test_bless_where_the_file_has_changed(cli, change, text):
    assert cli("run").code == 0
    change(Path("scenarios/orders.yaml"))
    came = cli("bless", "cancel-one", "--yes")
    assert came.code == 2
    assert text in came.err
    assert "Traceback" not in came.text


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_at_the_prompt_ends_a_chat(cli, stop):
    ends = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    foreground = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    with subprocess.Popen(command("chat"), cwd=cli.folder, env=environment(), preexec_fn=foreground, **ends) as running:
        shown = b""
        while not shown.endswith(b"you    "):
            shown += running.stdout.read1()
        running.send_signal(stop)
        assert running.wait(timeout=120) == 130
        assert running.stderr.read() == b""
