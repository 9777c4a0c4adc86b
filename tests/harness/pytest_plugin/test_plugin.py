"""Scenarios as tests: real runs of pytest, in processes of their own, on the desk's bundle."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from textwrap import dedent
from xml.etree import ElementTree

import pytest

from harness.store.store import Store
from tests.harness.desk import SCENARIO, WORKFLOW, environment, scenario, turngate, write

TWO = SCENARIO + scenario(
    "Has order O-2 been shipped?",
    id="ask-two",
    expect="{says: [shipped]}",
    more="tier: critical\nslices: {language: en}",
).replace("family: orders", "family: order-questions")
FAMILIES = WORKFLOW.replace(
    "scenario_map:",
    """scenario_map:
  order-questions:
    about: Questions
    source: [authored]
    measures: [task_success]
    failures: [TO1]
    gate: [{rule: answers, metric: task_success, at_least: 0.5}]
    review: {always: [critical_failure]}""",
)
AGENT = """
def agent(message, session):
    if "shipped" in message:
        return "Yes, it has been shipped."
    if "O-1" not in message:
        return "Which order number is it?"
    session.call_tool("cancel_order", {"order_id": "O-1"}, None)
    return "I have cancelled order O-1."
"""
OF_UNKNOWN_COST = """
from harness import Reply
from traces.genai import Usage

plain = agent

def agent(message, session):
    return Reply((plain(message, session),), usage=Usage(5, 5))
"""
SILENT_ON_SHIPPING = AGENT.replace("Yes, it has been shipped.", "I have no idea.")
CONFTEST = "import pytest\n\n@pytest.fixture{scope}\ndef turngate_agent():\n{body}\n"


class Outcome:
    """What came of a run of pytest."""

    def __init__(self, done):
        self.code = done.returncode
        self.out = done.stdout
        self.text = done.stdout + done.stderr

    @property
    def counts(self):
        """The words of the last line with a count."""
        return {
            word: int(number) for number, word in re.findall(r"(\d+) (\w+)", self.out.splitlines()[-1].split(" in ")[0])
        }


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """Runs pytest in a project whose folder `desk` is a workflow of two scenarios of two families."""
    write(tmp_path / "desk", workflow=FAMILIES, scenarios=TWO, agent=AGENT)
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = -p no:hypothesispytest -p no:langsmith_plugin\n")

    def run(*arguments, plugins=(), **env):
        command = [sys.executable, "-m", "pytest", *arguments]
        done = subprocess.run(
            command,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
            env={**environment(), **env},
            check=False,
        )
        return Outcome(done)

    run.folder = tmp_path
    return run


def stored(desk):
    """The runs, each with the states of its episodes."""
    with Store.open(desk.folder / ".turngate" / "turngate.db") as store:
        return [(run, [result.state for result in store.results(run.id)]) for run in store.runs()]


def test_a_scenario_is_an_item_and_its_trials_are_played_into_one_run(desk):
    came = desk("-v")
    assert came.code == 0, came.text
    assert "desk/scenarios/orders.yaml::cancel-one PASSED" in came.out
    assert "desk/scenarios/orders.yaml::ask-two PASSED" in came.out
    assert re.search(r"desk · agent:agent@\w+: gate passed", came.out)
    ((run, states),) = stored(desk)
    assert (run.status, states) == ("done", ["played"] * 4)
    assert f"turngate gate {run.id}    prints all of it" in came.out


@pytest.mark.parametrize(
    ("arguments", "chosen"),
    [
        (["-k", "cancel"], ["cancel-one"]),
        (["-m", "critical"], ["ask-two"]),
        (["-m", "family_order_questions"], ["ask-two"]),
        (["-m", "turngate(family='order-questions')"], ["ask-two"]),
        (["desk/scenarios/orders.yaml::ask-two", "-m", "not core"], ["ask-two"]),
    ],
)
def test_items_are_chosen_as_any_others_are(desk, arguments, chosen):
    came = desk("--co", "-q", "--strict-markers", *arguments)
    assert came.code == 0, came.text
    assert [line.partition("::")[2] for line in came.out.splitlines() if "::" in line] == chosen
    assert not (desk.folder / ".turngate").exists(), "nothing is played"


def test_a_failure_shows_the_turn_as_the_command_does(desk):
    write(desk.folder / "desk", workflow=FAMILIES, scenarios=TWO, agent=SILENT_ON_SHIPPING)
    came = desk("--junitxml=junit.xml", "-o", "junit_family=xunit1")
    assert came.code == 1
    assert came.counts == {"failed": 1, "passed": 1}
    assert "2 of 2 trials failed" in came.out
    assert re.search(r"trials 1, 2  failed  \w+ ", came.out)
    command = re.search(r"^turngate (show r-\S+/ask-two/1 --turn 1)$", came.out, re.MULTILINE)
    shown = turngate(*command[1].split(), cwd=desk.folder, env={"COLUMNS": "120"})
    page = "\n".join(line.rstrip() for line in shown.stdout.splitlines())
    assert page in came.out
    cases = {case.get("name"): case for case in ElementTree.parse(desk.folder / "junit.xml").iter("testcase")}
    assert cases["cancel-one"].find("failure") is None
    assert cases["ask-two"].find("failure") is not None
    assert cases["ask-two"].get("file") == "desk/scenarios/orders.yaml"
    line = (desk.folder / "desk/scenarios/orders.yaml").read_text().splitlines()[int(cases["ask-two"].get("line"))]
    assert line == "- id: ask-two"
    properties = {each.get("name"): each.get("value") for each in cases["ask-two"].iter("property")}
    ((run, _),) = stored(desk)
    assert properties == {"turngate_run": run.id, "turngate_trials": "failed, failed"}


def test_the_last_failed_one_is_played_again_alone(desk):
    write(desk.folder / "desk", workflow=FAMILIES, scenarios=TWO, agent=SILENT_ON_SHIPPING)
    assert desk().code == 1
    again = desk("--lf")
    assert (again.code, again.counts) == (1, {"failed": 1})
    write(desk.folder / "desk", workflow=FAMILIES, scenarios=TWO, agent=AGENT)
    mended = desk("--lf")
    assert (mended.code, mended.counts) == (0, {"passed": 1})
    assert "partial: no gate (1 of 2 scenarios)" in mended.out
    assert len(stored(desk)) == 3


def test_it_stops_at_the_first_failure(desk):
    write(desk.folder / "desk", workflow=FAMILIES, scenarios=TWO, agent="def agent(message): return 'No.'")
    came = desk("-x")
    assert (came.code, came.counts) == (1, {"failed": 1})
    ((run, states),) = stored(desk)
    assert (run.status, states.count("played"), states.count("missing")) == ("interrupted", 2, 2)
    left = "  undecided: all that was planned was played (always) · all: 2 of 4 planned episodes were not played"
    assert left in came.out.splitlines()


@pytest.mark.parametrize("workers", ["0", "1"])
def test_processes_of_xdist_share_one_run_and_one_gate(desk, workers):
    many = "".join(
        scenario("Has order O-2 been shipped?", id=f"ask-{number}", expect="{says: [shipped]}") for number in range(6)
    )
    write(desk.folder / "desk", workflow=FAMILIES, scenarios=TWO + many, agent=AGENT)
    came = desk("-n", "2", TURNGATE_WORKERS=workers)
    assert (came.code, came.counts) == (0, {"passed": 8}), came.text
    ((run, states),) = stored(desk)
    assert (run.status, states) == ("done", ["played"] * 16)
    assert came.out.count("gate passed") == 1
    write(desk.folder / "desk", workflow=FAMILIES, scenarios=TWO + many, agent=SILENT_ON_SHIPPING)
    failed = desk("-n", "2", TURNGATE_WORKERS=workers)
    assert (failed.code, failed.counts) == (1, {"failed": 7, "passed": 1})
    assert failed.out.count("gate failed") == 1


def test_an_agent_may_be_an_object_of_the_project(desk):
    agent = "    def agent(message, session):\n        return 'It was shipped.'\n    return agent"
    (desk.folder / "conftest.py").write_text(CONFTEST.format(scope="", body=agent))
    came = desk("-k", "ask")
    assert (came.code, came.counts) == (0, {"passed": 1, "deselected": 1}), came.text
    ((run, _),) = stored(desk)
    assert run.agents[0].name.endswith("agent")
    named = desk("-k", "ask", "--turngate-agent", "desk/agent.py:agent", "--turngate-trials", "1")
    assert named.code == 0
    assert "agent:agent@" in named.out
    assert "partial: no gate (1 of 2 scenarios --trials 1)" in named.out


def test_a_fixture_may_make_a_new_agent_for_each_item(desk):
    body = (
        "    closed = []\n    def agent(message, session):\n        assert not closed, 'used after its test'\n"
        "        return 'It was shipped.'\n    yield agent\n    closed.append(True)"
    )
    (desk.folder / "conftest.py").write_text(CONFTEST.format(scope="", body=body))
    more = "".join(scenario("Shipped?", id=f"ask-{number}", expect="{says: [shipped]}") for number in range(3))
    write(desk.folder / "desk", workflow=FAMILIES, scenarios=TWO + more, agent=AGENT)
    came = desk("-k", "ask")
    assert (came.code, came.counts) == (0, {"passed": 4, "deselected": 1}), came.text
    assert len(stored(desk)) == 1


def test_what_is_nobodys_failure_is_an_error(desk):
    unknown = scenario("Help me.", id="unscripted", expect="{says: [goodbye]}")
    write(
        desk.folder / "desk",
        workflow=FAMILIES,
        scenarios=unknown,
        agent="def agent(message): return 'What is your shoe size?' if 'Help' in message else 'I see.'",
    )
    came = desk("--junitxml=junit.xml")
    assert (came.code, came.counts) == (1, {"error": 1})
    assert "2 of 2 trials not judged" in came.out
    assert "to paste into the scenario, under user:" in came.out
    (case,) = ElementTree.parse(desk.folder / "junit.xml").iter("testcase")
    assert (case.find("error") is not None, case.find("failure"), case.find("skipped")) == (True, None, None)


def test_what_is_explored_or_in_quarantine_fails_nothing(desk):
    explore = scenario("Is O-2 shipped?", id="later", expect="{says: [goodbye]}", more="tier: explore")
    write(
        desk.folder / "desk",
        workflow=FAMILIES,
        scenarios=TWO + explore,
        agent=AGENT.replace('if "O-1"', 'if "Hello" not in message and "O-1"'),
    )
    came = desk()
    assert (came.code, came.counts) == (0, {"passed": 2, "xfailed": 1}), came.text


def test_a_gate_that_does_not_pass_fails_tests_that_do(desk):
    strict = FAMILIES + "gate: [{rule: cheap, metric: tool_calls, per: episode, stat: p95, at_most: 0}]\n"
    write(desk.folder / "desk", workflow=strict, scenarios=TWO, agent=AGENT)
    came = desk()
    assert (came.code, came.counts) == (1, {"passed": 2}), came.text
    assert "gate failed" in came.out
    assert "failed: cheap" in came.out
    unknown = FAMILIES + "gate: [{rule: cheap, metric: cost_usd, per: episode, stat: p95, at_most: 1}]\n"
    write(desk.folder / "desk", workflow=unknown, scenarios=TWO, agent=AGENT + OF_UNKNOWN_COST)
    came = desk()
    assert (came.code, came.counts) == (1, {"passed": 2}), came.text
    assert "gate undecided" in came.out


def test_mistakes_in_files_are_errors_of_collection_told_once(desk):
    folder = write(desk.folder / "desk", workflow=FAMILIES, scenarios=TWO.replace("turns:", "turrns:"), agent=AGENT)
    (folder / "scenarios" / "zz.yaml").write_text(scenario("Hello.", id="zz"))
    came = desk()
    assert came.code == 2
    assert re.search(r"desk/scenarios/orders\.yaml:7:5: .*turrns", came.out), came.out
    assert came.out.count("turrns") == 2, "the problem, and no more of it for the other file"
    assert "Traceback" not in came.text


def test_a_slip_in_the_key_that_tells_a_workflow_leaves_no_scenario_out_in_silence(desk):
    write(desk.folder / "desk", workflow=FAMILIES.replace("workflow:", "workflw:", 1), scenarios=TWO, agent=AGENT)
    came = desk()
    assert came.code == 2
    assert re.search(r"desk/workflow\.yaml:\d+:\d+: .*workflw", came.out), came.out


def test_other_yaml_is_left_alone_and_costs_nothing(desk):
    for name in ("scenarios/play.yaml", "workflow.yaml", ".github/workflows/workflow.yaml", "deploy/scenarios/x.yaml"):
        file = desk.folder / "other" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("name: CI\non: push\n")
    (desk.folder / "other" / "deploy" / "workflow.yaml").write_text("kind: Workflow\nspec:\n  workflow: x\n")
    heavy = "{'pydantic', 'sqlalchemy', 'rich', 'yaml', 'langgraph', 'opentelemetry', 'harness.model', 'harness.api'}"
    test = f"import sys\n\ndef test_light():\n    assert not {heavy} & set(sys.modules)\n"
    (desk.folder / "other" / "test_light.py").write_text(test)
    came = desk("other", "-p", "no:anyio")
    assert (came.code, came.counts) == (0, {"passed": 1}), came.text
    assert "turngate" not in came.out.replace("plugins: ", "").split("collected")[1]


def test_without_the_plugin_nothing_is_collected(desk):
    assert desk("-p", "no:turngate").code == 5


@pytest.mark.parametrize(
    ("arguments", "env", "text"),
    [
        (["--turngate-trials", "0"], {}, "--turngate-trials=0: a whole number, at least 1"),
        ([], {"TURNGATE_TRIALS": "many"}, "TURNGATE_TRIALS=many: a whole number, at least 1"),
    ],
)
def test_a_number_that_can_not_be_meant_is_a_usage_error(desk, arguments, env, text):
    came = desk(*arguments, **env)
    assert came.code == 4
    assert text in came.text


@pytest.mark.parametrize("workers", ["0", "1"])
def test_an_agent_that_is_not_there_is_an_error_without_a_traceback(desk, workers):
    came = desk("--turngate-agent", "desk/agent.py:nobody", TURNGATE_WORKERS=workers)
    assert (came.code, came.counts) == (1, {"errors": 2}), came.text
    assert "has no `nobody`" in came.out
    assert "Traceback" not in came.text


def test_a_crash_is_told_by_its_code_and_the_agents_own_line_first(desk):
    crashing = AGENT.replace('return "Yes, it has been shipped."', 'raise KeyError("nothing here")')
    write(desk.folder / "desk", workflow=FAMILIES, scenarios=TWO, agent=crashing)
    came = desk()
    assert (came.code, came.counts) == (1, {"failed": 1, "passed": 1}), came.text
    line = crashing.splitlines().index('        raise KeyError("nothing here")') + 1
    assert re.search(r"trials 1, 2  failed  FL4 .*KeyError.* · \S*agent\.py:\d+ in agent$", came.out, re.MULTILINE)
    assert f"agent.py:{line} in agent" in came.out.partition("Traceback")[0]
    assert re.search(r"^FAILED .*ask-two - Failed: FL4", came.out, re.MULTILINE)


def test_an_agent_that_ends_its_process_fails_its_own_scenario_alone(desk):
    deadly = AGENT.replace('return "Yes, it has been shipped."', "__import__('os')._exit(3)")
    write(desk.folder / "desk", workflow=FAMILIES, scenarios=TWO, agent=deadly)
    came = desk(TURNGATE_WORKERS="1")
    assert (came.code, came.counts) == (1, {"failed": 1, "passed": 1}), came.text
    assert "FL4" in came.out


def test_what_an_agent_says_breaks_no_report(desk):
    hostile = r"def agent(message): return '\x1b[2J\x00\x08 ]]> </failure> \ud800 \u202e & <b>' + 'x' * 100_000"
    write(desk.folder / "desk", workflow=FAMILIES, scenarios=TWO, agent=hostile)
    came = desk("--junitxml=junit.xml")
    assert (came.code, came.counts) == (1, {"failed": 2}), came.text[-3000:]
    assert "\x1b[2J" not in came.out
    assert len(list(ElementTree.parse(desk.folder / "junit.xml").iter("failure"))) == 2


def test_an_interruption_keeps_what_was_played(desk):
    slow = AGENT.replace(
        "    if ", "    if 'shipped' in message:\n        import time\n        time.sleep(60)\n    if ", 1
    )
    write(desk.folder / "desk", workflow=FAMILIES, scenarios=TWO, agent=slow)
    started = subprocess.Popen(
        [sys.executable, "-m", "pytest"], cwd=desk.folder, env={**environment(), "TURNGATE_WORKERS": "1"},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    store = desk.folder / ".turngate" / "turngate.db"
    until = time.monotonic() + 60
    while time.monotonic() < until and not (
        store.exists() and stored(desk) and stored(desk)[0][1].count("played") == 2
    ):
        time.sleep(0.1)
    started.send_signal(signal.SIGINT)
    out, _ = started.communicate(timeout=120)
    assert started.returncode == 2, out
    ((run, states),) = stored(desk)
    assert (run.status, states.count("played")) == ("interrupted", 2)
    assert "2 of 4 planned episodes were not played" in out


def test_an_agent_that_pytest_gives_up_on_is_not_played_on_beside_the_next_one(desk):
    """Plugins raise in the one who waits: pytest-timeout does so from a signal's handler, as this conftest does."""
    plugin = """
        import signal
        import pytest

        def late(*_):
            pytest.fail("Timeout")

        @pytest.hookimpl(wrapper=True)
        def pytest_runtest_setup(item):
            signal.signal(signal.SIGALRM, late)
            signal.alarm(6)
            try:
                return (yield)
            finally:
                signal.alarm(0)
    """
    (desk.folder / "conftest.py").write_text(dedent(plugin))
    slow = """
        import asyncio

        async def agent(message, session):
            if "cancel" in message:
                await asyncio.sleep(60)
            return "Yes, it has been shipped."
    """
    write(desk.folder / "desk", workflow=FAMILIES, scenarios=TWO, agent=slow)
    came = desk("-W", "error")
    assert (came.code, came.counts) == (1, {"passed": 1, "error": 1}), came.text
    assert "2 of 4 planned episodes were not played" in came.out
    ((run, states),) = stored(desk)
    assert (run.status, states.count("played")) == ("interrupted", 2)


def test_a_second_try_gives_what_came_of_the_first_and_tells_it_once(desk):
    again = """
        from _pytest.runner import runtestprotocol

        def pytest_runtest_protocol(item, nextitem):
            runtestprotocol(item, log=False)
            item._initrequest()
            for report in runtestprotocol(item, log=False):
                item.ihook.pytest_runtest_logreport(report=report)
            return True
    """
    (desk.folder / "conftest.py").write_text(dedent(again))
    better = """
        tries = []

        def agent(message, session):
            tries.append(message)
            return "I have no idea." if len(tries) < 3 else "Yes, it has been shipped."
    """
    write(desk.folder / "desk", workflow=FAMILIES, scenarios=TWO, agent=better)
    came = desk("-k", "ask", "--junitxml=junit.xml")
    assert (came.code, came.counts) == (1, {"failed": 1, "deselected": 1}), came.text
    (case,) = ElementTree.parse(desk.folder / "junit.xml").iter("testcase")
    assert [each.get("name") for each in case.iter("property")] == ["turngate_run", "turngate_trials"]


def test_what_is_only_to_be_set_up_is_not_played(desk):
    for option in ("--setup-plan", "--setup-only"):
        came = desk(option)
        assert came.code == 0, came.text
        assert "desk/scenarios/orders.yaml::ask-two (fixtures used: turngate_agent" in came.out
    assert not (desk.folder / ".turngate").exists()


def test_a_scenario_that_is_named_twice_is_planned_once(desk):
    came = desk("--keep-duplicates", *["desk/scenarios/orders.yaml::ask-two"] * 2)
    assert came.code == 0, came.text
    assert "partial: no gate (1 of 2 scenarios)" in came.out


@pytest.mark.parametrize("ending", ["return", "yield"])
def test_a_fixture_that_nobody_awaits_is_refused(desk, ending):
    fixture = CONFTEST.format(scope="(scope='session')", body=f"    {ending} 'desk/agent.py:agent'")
    (desk.folder / "conftest.py").write_text(fixture.replace("def ", "async def "))
    came = desk("-p", "no:asyncio")
    assert (came.code, came.counts) == (1, {"errors": 2}), came.text
    assert "the fixture turngate_agent is asynchronous" in came.out
    assert "Traceback" not in came.text
