from __future__ import annotations

import asyncio

import pytest

from harness.agents.resolve import resolve
from harness.drafts.scenario import draft, gold_steps, pattern
from harness.drafts.yaml_text import to_yaml
from harness.episodes.play import play
from harness.model.expect import pattern as read_pattern
from harness.runs.gold import broken_scenarios
from harness.runs.prepare import load_bundle, stages
from harness.scoring.score import score
from harness.workflow.yaml_nodes import parse
from tests.harness.desk import scenario, tasks, write
from tools_sandbox.matching import mismatches
from traces.capture import Tracing

WORKFLOW = """
workflow: desk
clock: 2026-11-20T10:00:00+01:00
trials: 2
may_change: [sessions]
state:
  orders: {O-1: {status: paid, note: none}, v1.2: {status: paid, note: none}}
  sessions: {S-1: {seen: false}}
tools:
  note: {kind: writes, args: {order_id: text, note: text}, set: {"orders.{order_id}.note": "{note}"}}
  status: {kind: writes, args: {order_id: text, to: any}, set: {"orders.{order_id}.status": "{to}"}, return: {ok: true}}
  drop: {kind: writes, args: {order_id: text}, set: {"orders.{order_id}": null}, return: {ok: true}}
  add: {kind: writes, args: {}, set: {orders.O-9: {status: new, note: any}}, return: {ok: true}}
  seen: {kind: writes, args: {}, set: {sessions.S-1.seen: true}, return: {ok: true}}
scenario_map:
  orders:
    about: Orders
    source: [authored]
    measures: [task_success]
    failures: [TO1]
    gate: [{rule: works, metric: task_success, at_least: 0.9}]
    review: {always: [critical_failure]}
"""


def calling(*calls):
    def agent(message, session):
        if not session.history:
            for tool, arguments in calls:
                assert session.call_tool(tool, arguments, None).ok
        return "That is done."

    return agent


def redrafted(folder, agent, *turns):
    """Plays, drafts a scenario from the episode, and plays the draft: against its gold path, and the same agent."""
    _, (task,) = tasks(folder, workflow=WORKFLOW, scenarios=scenario(*turns))
    episode = asyncio.run(play(task, resolve(agent, folder), Tracing()))
    written = draft("again", "orders", "unknown", {}, episode, ["sessions"])
    bundle = load_bundle(write(folder, workflow=WORKFLOW, scenarios=to_yaml([written])))
    prepared = stages(bundle, bundle.scenarios.values())
    broken = asyncio.run(broken_scenarios(bundle, prepared, Tracing()))
    _, (task,) = tasks(folder, workflow=WORKFLOW, scenarios=to_yaml([written]))
    again = asyncio.run(play(task, resolve(agent, folder), Tracing()))
    return written, broken, score(again, bundle.material("again")).verdict


@pytest.mark.parametrize(
    "calls",
    [
        [],
        [("note", {"order_id": "O-1", "note": "any"})],
        [("note", {"order_id": "O-1", "note": "absent"})],
        [("note", {"order_id": "O-1", "note": "null"}), ("status", {"order_id": "O-1", "to": "12.50"})],
        [("note", {"order_id": "v1.2", "note": "a: b # c\n\x1b[31m"})],
        [("status", {"order_id": "O-1", "to": {"any": True}})],
        [("status", {"order_id": "O-1", "to": {"contains": [1]}})],
        [("status", {"order_id": "O-1", "to": {"equals": 5, "more": ["absent", None, {"like": "x"}]}})],
        [("drop", {"order_id": "O-1"})],
        [("add", {})],
        [("add", {}), ("note", {"order_id": "O-1", "note": "x"}), ("drop", {"order_id": "v1.2"})],
        [("seen", {})],
    ],
    ids=str,
)
def test_a_draft_lints_plays_and_passes_on_the_agent_that_made_it(tmp_path, calls):
    _, broken, verdict = redrafted(tmp_path, calling(*calls), "Please do it.", "Thanks.")
    assert broken == {}
    assert (verdict.status.value, verdict.reason) == ("passed", "")


@pytest.mark.parametrize("value", ["any", "absent", {"any": True}, {"contains": []}, {"equals": {"like": "x"}}, [], {}])
def test_a_value_is_held_against_itself_and_nothing_else(value):
    written = to_yaml({"x": pattern(value)})
    read = read_pattern(parse(written, "x.yaml")["x"], ordered=False)
    assert mismatches(read, value) == []
    assert mismatches(read, "something else") != []


def test_only_what_the_agent_did_wrong_fails_the_draft(tmp_path):
    written, _, _ = redrafted(tmp_path, calling(("note", {"order_id": "O-1", "note": "any"})), "Please do it.")
    bundle, (task,) = tasks(tmp_path, workflow=WORKFLOW, scenarios=to_yaml([written]))
    other = calling(("note", {"order_id": "O-1", "note": "something else"}))
    episode = asyncio.run(play(task, resolve(other, tmp_path), Tracing()))
    assert score(episode, bundle.material("again")).verdict.status.value == "failed"


def test_failed_calls_and_calls_outside_are_no_steps(tmp_path):
    def agent(message, session):
        session.call_tool("nosuch", {}, None)
        session.call_tool("add", {}, None)
        return ["One.", "Two."]

    _, (task,) = tasks(tmp_path, workflow=WORKFLOW, scenarios=scenario("Hi."))
    episode = asyncio.run(play(task, resolve(agent, tmp_path), Tracing()))
    assert gold_steps(episode) == [{"add": {}}, {"reply": "One.\nTwo."}]
