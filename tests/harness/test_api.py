"""`harness.run`: from scripts and notebooks, with and without an event loop."""

from __future__ import annotations

import asyncio
import inspect
import subprocess
import sys
import threading

import pytest

import harness
from harness import AgentProblem, NothingSelectedError, Problems, StoreProblem, run, run_async
from harness.model.result import Decision
from harness.model.status import Status
from harness.store.store import Store
from tests.harness.desk import ROOT, WORKFLOW, scenario, write


@pytest.fixture
def desk(tmp_path, monkeypatch):
    monkeypatch.chdir(write(tmp_path / "desk"))
    monkeypatch.delenv("TURNGATE_STORE", raising=False)
    return tmp_path / "desk"


def right(message, session):
    if "O-1" not in message:
        return "Which order number is it?"
    return session.call_tool("cancel_order", {"order_id": "O-1"}, None) and "It is cancelled."


def wrong(message):
    return "No."


def test_a_run_is_a_function_call(desk, capfd):
    outcome = run(agent=right)
    assert outcome.passed
    assert outcome.decision == "passed"
    assert outcome.verdict.decision is Decision.PASSED
    assert outcome.agent.startswith("right@")
    assert [(result.key.trial, result.verdict.status) for result in outcome.results] == [
        (1, Status.PASSED),
        (2, Status.PASSED),
    ]
    assert outcome.map.played == {"orders": 2}
    assert outcome.failures == ()
    assert [episode.key.trial for episode in outcome.episodes()] == [1, 2]
    assert capfd.readouterr() == ("", ""), "it prints nothing"
    with Store.open(desk / ".turngate" / "turngate.db") as store:
        assert store.run(outcome.run).status == "done"


def test_an_outcome_is_explained_in_the_lines_of_the_terminal(desk):
    (desk / "workflow.yaml").write_text(f"{WORKFLOW}gate: [{{rule: at once, metric: latency_seconds, at_most: 0}}]\n")
    outcome = run(agent=right)
    assert not outcome.passed
    assert outcome.failures == (), "no episode failed, and yet it is told what did"
    assert "at once" in outcome.explanation
    assert str(outcome) == outcome.explanation
    assert outcome.explanation.splitlines()[-1].startswith(f"desk · {outcome.agent}: gate failed")


@pytest.mark.parametrize("function", [run, run_async])
def test_an_argument_that_there_is_none_of_is_told_of_the_function_that_was_called(desk, function):
    with pytest.raises(TypeError, match=r"^run\(\) got an unexpected keyword argument 'trails'"):
        asyncio.run(function(trails=2))


def test_a_failure_says_where_it_went_wrong(desk):
    outcome = run(agent=wrong, store="elsewhere.db")
    assert not outcome.passed
    assert outcome.decision == "failed"
    assert [(failure.item, failure.turn is not None) for failure in outcome.failures] == [("cancel-one", True)]
    assert (desk / "elsewhere.db").exists()
    assert not (desk / ".turngate").exists()


def test_a_part_never_passes(desk):
    for part in ({"only": "cancel-one"}, {"only": ["orders"]}, {"slices": {"language": "en"}}, {"trials": 1}):
        outcome = run(agent=right, **part)
        assert (outcome.decision, outcome.passed) == ("partial", False), part


def test_a_named_agent_runs_in_a_worker(desk):
    assert run("workflow.yaml", agent="agent.py:agent").passed
    assert run().passed
    assert run(workers=0).passed


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"agent": "agent.py:nobody"}, AgentProblem, "nobody"),
        ({"agent": 7}, AgentProblem, "accepted are"),
        ({"only": "refnud"}, NothingSelectedError, "refnud"),
        ({"workflow": "nowhere"}, Problems, "no such file or folder"),
        ({"store": "agent.py/x.db"}, StoreProblem, "agent.py"),
        ({"trials": 0}, ValueError, "trials=0"),
        ({"concurrency": 0}, ValueError, "concurrency=0"),
        ({"turn_limit": 0}, ValueError, "turn_limit=0"),
        ({"workers": -1}, ValueError, "workers=-1"),
        ({"until_decided": 0}, ValueError, "until_decided=0: at least 1"),
        ({"until_decided": 1}, ValueError, "until_decided=1: 2 trials of each scenario are planned already"),
        ({"agent": right, "workers": 2}, ValueError, "workers=2"),
        ({"trails": 2}, TypeError, "trails"),
        ({"workflow": None}, TypeError, "workflow=None: it must be a path"),
        ({"trials": "2"}, TypeError, "trials='2': it must be a whole number"),
        ({"trials": True}, TypeError, "trials=True: it must be a whole number"),
        ({"concurrency": 1.5}, TypeError, "concurrency=1.5: it must be a whole number"),
        ({"turn_limit": "5"}, TypeError, "turn_limit='5': it must be a number of seconds"),
        ({"max_cost": "1"}, TypeError, "max_cost='1': it must be a number of US dollars"),
        ({"fail_fast": "no"}, TypeError, "fail_fast='no': it must be True or False"),
        ({"store": 7}, TypeError, "store=7: it must be a path, or a database URL"),
        ({"only": 7}, TypeError, "only=7: it must be the id of a scenario"),
        ({"only": ["orders", None]}, TypeError, "only=None: it must be the id of a scenario"),
        ({"slices": ["language=en"]}, TypeError, r"slices=\['language=en'\]: it must be values by the names of slices"),
        ({"slices": {"language": ["en"]}}, TypeError, r"slices\['language'\]=\['en'\]: it must be a text"),
        ({"max_cost": float("nan")}, harness.ModelProblem, "nan"),
    ],
)
def test_a_mistake_is_a_typed_exception(desk, options, error, text):
    with pytest.raises(error, match=text):
        run(**options)


def test_what_a_workflow_file_lacks_is_told_with_its_place(desk):
    write(desk, scenarios="- id: x\n  family: nowhere\n")
    with pytest.raises(Problems, match=r"scenarios/orders.yaml:1:3: `user` is missing"):
        run()


def test_where_a_loop_runs_the_other_form_is_named(desk):
    async def main():
        with pytest.raises(RuntimeError, match=r"await harness\.run_async"):
            run(agent=right)
        return await run_async(agent=right)

    assert asyncio.run(main()).passed


def test_the_callers_loop_goes_on_while_an_agent_blocks_its_own(desk):
    gone_on = threading.Event()

    def patient(message):
        return "done" if gone_on.wait(60) else "the loop stood still"

    async def main():
        playing = asyncio.create_task(run_async(agent=patient, trials=1))
        await asyncio.sleep(0.05)
        gone_on.set()
        outcome = await playing
        return [message.text for episode in outcome.episodes() for message in episode.messages]

    assert "the loop stood still" not in asyncio.run(main())


def test_cancelled_it_keeps_what_was_played(desk):
    begun = threading.Event()

    async def slow(message, session):
        if session.seed != first[0]:
            begun.set()
            await asyncio.sleep(30)
        return "No."

    first: list[int] = []

    def seeded(session):
        first.append(session.seed)
        return slow

    async def main():
        playing = asyncio.create_task(run_async(agent=seeded, concurrency=1))
        await asyncio.to_thread(begun.wait, 60)
        playing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await playing

    asyncio.run(main())
    with Store.open(desk / ".turngate" / "turngate.db") as store:
        record = store.latest()
        assert record.status == "interrupted"
        assert [result.state for result in store.results(record.id)] == ["played", "missing"]


def test_both_forms_tell_the_same_of_themselves():
    assert inspect.signature(run) == inspect.signature(run_async)
    assert run.__doc__ == run_async.__doc__
    assert (run.__name__, run_async.__name__) == ("run", "run_async")


def test_nothing_is_imported_before_it_is_asked_for():
    code = "import sys, harness; assert 'harness.api' not in sys.modules; assert callable(harness.run)"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_several_scenarios_fail_fast(desk):
    write(desk, scenarios="".join(scenario("Hello.", id=name, expect="{says: [goodbye]}") for name in ("a", "b", "c")))
    outcome = run(agent=wrong, fail_fast=True, concurrency=1)
    states = [result.state for result in outcome.results]
    assert states.count("played") == 1
    assert not outcome.passed


def test_it_goes_on_until_rules_are_decided(desk):
    write(desk, workflow=WORKFLOW.replace("at_least: 0.9}]", "at_least: 0.4, confidence: 0.95}]"))
    outcome = run(agent=right, until_decided=12, concurrency=1)
    assert outcome.passed
    assert [result.state for result in outcome.results] == ["played"] * 5
    assert "until decided: every rule that more trials can decide is decided" in outcome.notes
