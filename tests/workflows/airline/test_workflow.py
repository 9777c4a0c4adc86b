"""The airline workflow: its scenarios hold and mean what the τ²-bench tasks do; its desk can cancel and no more."""

from __future__ import annotations

import asyncio
import json
from collections import Counter

import pytest

from harness.agents.resolve import resolve
from harness.model.status import Status
from harness.runs.gold import broken_scenarios
from harness.runs.inline import Inline
from harness.runs.prepare import stages
from harness.runs.rehearse import Settings, rehearse
from harness.store.store import Store
from harness.workflow.bundled import bundled
from tests.reference import reference
from tests.workflows.airline.airline import bundle, end_state, opened
from traces.capture import Tracing


def test_it_is_whole():
    scenarios = bundle().scenarios.values()
    assert Counter(scenario.family for scenario in scenarios) == {
        "bookings": 2,
        "changes": 11,
        "cancellations": 9,
        "compensation": 3,
    }
    assert len({scenario.slices["tau2_task"] for scenario in scenarios}) == 25
    assert all(scenario.gold for scenario in scenarios)
    assert len(bundle().start.tools) == 15
    assert [str(warning) for warning in bundle().warnings] == []


def test_every_gold_path_passes():
    prepared = stages(bundle(), bundle().scenarios.values())
    assert asyncio.run(broken_scenarios(bundle(), prepared, Tracing())) == {}


def test_a_gold_path_ends_where_the_actions_of_its_task_do():
    tasks = {task["id"]: task for task in json.loads(reference("data/tau2_airline/tasks.json").read_bytes())}
    scenarios = {scenario.slices["tau2_task"]: scenario for scenario in bundle().scenarios.values()}
    if not (shared := tasks.keys() & scenarios.keys()):
        pytest.skip("these tasks are not those of the scenarios")
    for name in shared:
        scenario, task = scenarios[name], tasks[name]
        ours, theirs = opened(scenario.given), opened(scenario.given)
        for step in scenario.gold:
            if step.tool is not None:
                assert ours.call(step.tool, step.arguments, turn=1).ok
        for action in task["evaluation_criteria"]["actions"] or []:
            assert theirs.call(action["name"], action["arguments"], turn=1).ok
        assert end_state(ours) == end_state(theirs), name


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    store = Store.open(tmp_path_factory.mktemp("store") / "x.db")
    return asyncio.run(
        rehearse(bundle(), Inline(resolve("agent.py:build", bundled("airline"))), store, Settings(trials=1))
    ).results


def test_the_desk_cancels_what_may_be_cancelled_and_nothing_else(results):
    passed = {result.key.item for result in results if result.verdict.status is Status.PASSED}
    assert passed >= {
        "all-upcoming-flights",
        "upcoming-flights-of-one-passenger",
        "silver-member-insists",
        "insurance-alone",
        "best-friends-birthday",
    }
    families = {bundle().scenarios[item].family for item in passed}
    assert families == {"cancellations", "compensation"}


def test_it_breaks_no_rule_on_the_way(results):
    kept = {name for result in results for name in result.scores if name.startswith(("rule.", "safety."))}
    assert "rule.confirm-cancelling" in kept
    assert [
        (result.key.item, name)
        for result in results
        for name in kept
        if name in result.scores and result.scores[name].status is Status.FAILED
    ] == []
