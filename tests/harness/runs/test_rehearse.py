from __future__ import annotations

import asyncio
import shutil
from datetime import datetime

import pytest

from harness.agents.problem import AgentProblem
from harness.agents.resolve import resolve
from harness.episodes.task import Limits
from harness.model.result import Decision
from harness.model.status import Status
from harness.runs.inline import Inline
from harness.runs.plan import Settings
from harness.runs.prepare import load_bundle
from harness.runs.rehearse import Progress, rehearse
from harness.runs.rescore import rescore
from harness.runs.selection import NothingSelectedError, Selection, TooManyEpisodesError
from harness.store.store import Store
from tests.harness.desk import SCENARIO, WORKFLOW, scenario, write


class Told(Progress):
    def __init__(self):
        self.events = []

    def begins(self, run, planned):
        self.events.append(("begins", planned))

    def played(self, episode):
        self.events.append(("played", episode.key.item, episode.key.trial))

    def spared(self, count):
        self.events.append(("spared", count))


def hello(message):
    return "Hello."


class Varied:
    """Says something else in every conversation of one scenario."""

    def __init__(self, which):
        self.count = 0
        self.which = which

    def reply(self, message):
        self.count += 1
        return f"Hello {self.count}." if self.which in message else "Hello."


def rehearsed(folder, agent, *, trials=4, scenarios=None, told=None, more="", **settings):
    """Gives store and what came of it; the store lies beside the bundle. `more`: lines of the workflow file."""
    workflow = WORKFLOW.replace("trials: 2", f"trials: {trials}") + more
    text = scenarios or scenario("Hi, I am one.", id="one") + scenario("Hi, I am two.", id="two")
    bundle = load_bundle(write(folder / "bundle", workflow=workflow, scenarios=text))
    store = Store.open(folder / "store.db")
    return store, asyncio.run(rehearse(bundle, Inline(resolve(agent, folder)), store, Settings(**settings), told))


def test_a_run_has_one_clock_which_its_plan_tells(tmp_path):
    without = WORKFLOW.replace("clock: 2026-11-20T10:00:00+01:00\n", "")
    bundle = load_bundle(write(tmp_path / "bundle", workflow=without))
    store = Store.open(tmp_path / "store.db")
    finished = asyncio.run(rehearse(bundle, Inline(resolve(hello, tmp_path)), store, Settings()))
    clocks = {episode.clock for episode in store.episodes(finished.run.id)}
    assert clocks == {store.run(finished.run.id).plan["clock"]}
    assert datetime.fromisoformat(*clocks).tzinfo is not None


def states(finished):
    return [(result.key.item, result.key.trial, result.state) for result in finished.results]


# What is played


def test_two_agreeing_trials_spare_the_rest(tmp_path):
    told = Told()
    _, finished = rehearsed(tmp_path, hello, told=told)
    assert states(finished) == [
        *((item, trial, "played") for trial in (1, 2) for item in ("one", "two")),
        *((item, trial, "spared") for trial in (3, 4) for item in ("one", "two")),
    ]
    assert told.events[0] == ("begins", 8)
    assert told.events[-1] == ("spared", 4)
    assert finished.verdict.decision is Decision.PASSED


def test_a_scenario_in_quarantine_is_never_spared(tmp_path):
    told = "quarantine: [{scenario: one, owner: Ana, reason: shaky, until: 2999-12-31}]\n"
    _, finished = rehearsed(tmp_path, hello, more=told)
    assert [state for item, _, state in states(finished) if item == "one"] == ["played"] * 4
    assert [state for item, _, state in states(finished) if item == "two"] == ["played"] * 2 + ["spared"] * 2


@pytest.mark.parametrize(("rule", "tier"), [("at_least: 0.5, confidence: 0.9", "core"), ("at_least: 0.5", "critical")])
def test_what_needs_every_trial_is_played_and_the_rest_spared(tmp_path, rule, tier):
    other = WORKFLOW.replace(
        "scenario_map:",
        "scenario_map:\n  talks: {about: Talks, source: [authored], "
        "measures: [task_success], failures: [TO1], review: {}, "
        "gate: [{rule: talks, metric: task_success, at_least: 0.5}]}",
    )
    other = other.replace("at_least: 0.9", rule).replace("trials: 2", "trials: 4")
    text = scenario("Hi, I am one.", id="one", more=f"tier: {tier}")
    text += scenario("Hi, I am two.", id="two").replace("family: orders", "family: talks")
    bundle = load_bundle(write(tmp_path / "bundle", workflow=other, scenarios=text))
    store = Store.open(tmp_path / "store.db")

    def played(agent):
        finished = asyncio.run(rehearse(bundle, Inline(resolve(agent, tmp_path)), store, Settings(concurrency=1)))
        return {name: [state for item, _, state in states(finished) if item == name] for name in ("one", "two")}

    assert played(hello) == {"one": ["played"] * 4, "two": ["played", "played", "spared", "spared"]}
    assert store.latest().deterministic

    class Later:
        """Agrees with itself twice, and not the third time."""

        count = 0

        def reply(self, message):
            self.count += "one" in message
            return f"Hello {self.count // 3}."

    assert played(Later()) == {"one": ["played"] * 4, "two": ["played"] * 4}
    assert not store.latest().deterministic


def test_one_scenario_that_varies_spares_none(tmp_path):
    _, finished = rehearsed(tmp_path, Varied("two"))
    assert [result.state for result in finished.results] == ["played"] * 8


class Interrupted(Progress):
    """Ends a run when so many episodes are stored."""

    def __init__(self, after):
        self.left = after
        self.task = asyncio.current_task()

    def played(self, episode):
        self.left -= 1
        if self.left == 0:
            self.task.cancel()


def test_trials_whose_words_were_purged_agree_with_none(tmp_path):
    class First:
        """Says something else in its first conversation alone."""

        count = 0

        def reply(self, message):
            self.count += 1
            return "Hi." if self.count == 1 else "Hello."

    workflow = WORKFLOW.replace("trials: 2", "trials: 4")
    bundle = load_bundle(write(tmp_path / "bundle", workflow=workflow, scenarios=scenario("Hi.", id="one")))
    store = Store.open(tmp_path / "store.db")
    agent = Inline(resolve(First(), tmp_path))

    async def interrupted():
        await rehearse(bundle, agent, store, Settings(concurrency=1), Interrupted(3))

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(interrupted())
    record = store.latest()
    assert [result.state for result in store.results(record.id)] == ["played", "played", "played", "missing"]
    store.retention.purge([held for held in store.retention.held() if "/1/" in held.name])
    finished = asyncio.run(rehearse(bundle, agent, store, Settings(concurrency=1), resumed=record))
    assert [result.state for result in finished.results] == ["played"] * 4
    assert not store.latest().deterministic


def test_agents_that_call_differently_do_not_agree(tmp_path):
    class Agent:
        count = 0

        def reply(self, message, session):
            self.count += 1
            session.call_tool("get_order", {"order_id": f"O-{1 + self.count // 3}"}, None)
            return "Hello."

    _, finished = rehearsed(tmp_path, Agent(), concurrency=1)
    assert [result.state for result in finished.results] == ["played"] * 8


def test_a_plan_that_would_never_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("harness.model.limits.MAX_EPISODES", 3)
    bundle = load_bundle(write(tmp_path / "bundle", workflow=WORKFLOW))
    with Store.open(tmp_path / "store.db") as store, pytest.raises(TooManyEpisodesError) as caught:
        asyncio.run(rehearse(bundle, Inline(resolve(hello, tmp_path)), store, Settings(trials=4)))
    assert str(caught.value) == (
        "4 trials of each of 1 scenarios are 4 episodes, and a run has at most 3: play fewer, or a part of the "
        "scenarios with --only"
    )


def test_two_trials_are_both_played(tmp_path):
    store, finished = rehearsed(tmp_path, hello, trials=2)
    assert [result.state for result in finished.results] == ["played"] * 4
    assert works(finished.verdict).exact, "no trial to spare, and deterministic all the same"
    assert store.run(finished.run.id).deterministic


def works(verdict):
    return next(rule for rule in verdict.rules if rule.rule == "works")


@pytest.mark.parametrize(("agent", "trials"), [(hello, 1), (Varied("two"), 2), (Varied("two"), 4)])
def test_one_trial_or_trials_that_differ_show_no_deterministic_agent(tmp_path, agent, trials):
    store, finished = rehearsed(tmp_path, agent, trials=trials)
    assert not works(finished.verdict).exact
    assert not store.run(finished.run.id).deterministic


def test_fewer_trials_or_scenarios_are_a_part_and_no_gate(tmp_path):
    bundle = load_bundle(write(tmp_path, scenarios=SCENARIO))
    store = Store.open(tmp_path / "store.db")

    def partial(**settings):
        finished = asyncio.run(rehearse(bundle, Inline(resolve(hello, tmp_path)), store, Settings(**settings)))
        return finished.verdict.partial

    assert partial() is None
    assert partial(trials=4) is None
    assert partial(trials=1) == "--trials 1"
    assert partial(selection=Selection(("cancel-*",))) == "--only cancel-*"
    assert partial(selection=Selection((), (("language", "en"),)), trials=1) == "--slice language=en --trials 1"


def test_nothing_selected_writes_no_run(tmp_path):
    with pytest.raises(NothingSelectedError, match="did you mean `one`"):
        rehearsed(tmp_path, hello, selection=Selection(("oen",)))
    assert Store.open(tmp_path / "store.db").runs() == []


def test_fail_fast_begins_no_further_episode(tmp_path):
    text = "".join(scenario("Hi.", id=f"s-{n}", expect="{outcome: escalated}") for n in range(6))
    store, finished = rehearsed(tmp_path, hello, scenarios=text, fail_fast=True, concurrency=1)
    played = [result for result in finished.results if result.state == "played"]
    assert [result.key.item for result in played] == ["s-0"]
    assert {result.state for result in finished.results} == {"played", "missing"}
    assert store.run(finished.run.id).status == "done"
    assert finished.verdict.decision is Decision.UNDECIDED


def test_an_agent_that_fails_never_stops_a_run(tmp_path):
    def agent(message):
        raise RuntimeError("no")

    _, finished = rehearsed(tmp_path, agent, trials=2)
    assert [result.verdict.status for result in finished.results] == [Status.FAILED] * 4
    assert {result.code for result in finished.results} == {"FL4"}


# Broken scenarios


def test_a_failing_gold_path_is_nobodys_fault(tmp_path):
    broken = SCENARIO.replace("cancel_order: {order_id: O-1}", "cancel_order: {order_id: O-2}")

    def agent(message):
        return "No."

    _, finished = rehearsed(tmp_path, agent, scenarios=broken, trials=2)
    assert list(finished.faulty) == ["cancel-one"]
    assert finished.faulty["cancel-one"].startswith("orders.O-2: status changed, and nothing expects it (")
    assert "orders.yaml:9:5" in finished.faulty["cancel-one"]
    assert {(result.verdict.status, result.code) for result in finished.results} == {(Status.NOT_JUDGED, "X3")}
    assert finished.verdict.decision is Decision.UNDECIDED


def test_a_gold_path_with_too_few_replies_is_told(tmp_path):
    short = SCENARIO.replace("    - reply: Which order number is it?\n", "")
    chatty = short.replace("[Please cancel my order.]", "[Please cancel my order., Thanks.]")
    _, finished = rehearsed(tmp_path, hello, scenarios=chatty, trials=2)
    assert "has 1 replies and none for the user" in finished.faulty["cancel-one"]


# What is stored


def test_the_store_holds_the_plan_the_episodes_and_the_scores(tmp_path):
    store, finished = rehearsed(tmp_path, hello, scenarios=SCENARIO, trials=2)
    (run,) = store.runs()
    assert run.status == "done"
    assert run.workflow == "desk"
    assert run.plan == {
        "scenarios": ["cancel-one"],
        "trials": 2,
        "clock": "2026-11-20T10:00:00+01:00",
        "limits": {"turn_seconds": 120, "episode_seconds": 900, "turn_calls": 100, "turn_messages": 100},
    }
    episodes = list(store.episodes(run.id))
    assert [episode.key.trial for episode in episodes] == [1, 2]
    assert {episode.key.agent for episode in episodes} == {run.agents[0].label}
    for episode in episodes:
        assert store.scored_episode(episode.key).verdict.status is Status.FAILED
    assert tuple(store.results(run.id)) == finished.results
    material = store.material(run.id, "cancel-one")
    assert material.scenario.id == "cancel-one"
    assert material.workflow.workflow == "desk"


def test_rescoring_from_the_store_alone_gives_the_same_scores(tmp_path):
    text = SCENARIO + scenario("Hi.", id="two", expect="{outcome: escalated}")
    store, finished = rehearsed(tmp_path, hello, scenarios=text, trials=2)
    before = dict(store.scored(finished.run.id))
    store.close()
    shutil.rmtree(tmp_path / "bundle")
    with Store.open(tmp_path / "store.db") as again:
        changes = list(rescore(again, finished.run.id))
        assert len(changes) == 4
        assert [change.before for change in changes] == [change.after for change in changes]
        assert dict(again.scored(finished.run.id)) == before
        assert tuple(again.results(finished.run.id)) == finished.results


def test_a_faulty_scenario_stays_faulty_when_it_is_scored_again(tmp_path):
    broken = SCENARIO.replace("cancel_order: {order_id: O-1}", "cancel_order: {order_id: O-2}")
    store, finished = rehearsed(tmp_path, hello, scenarios=broken, trials=2)
    assert {change.after for change in rescore(store, finished.run.id)} == {"not_judged X3"}


# Runs that don't come to their end


def test_cancelled_it_keeps_what_was_played(tmp_path):
    async def agent(message):
        if "two" in message:
            await asyncio.sleep(30)
        return "Hello."

    text = scenario("Hi, I am one.", id="one") + scenario("Hi, I am two.", id="two")
    bundle = load_bundle(write(tmp_path / "bundle", scenarios=text))
    store = Store.open(tmp_path / "store.db")

    class Cancels(Progress):
        def played(self, episode):
            asyncio.get_running_loop().call_soon(running.cancel)

    async def run():
        nonlocal running
        running = asyncio.create_task(rehearse(bundle, Inline(resolve(agent, tmp_path)), store, Settings(), Cancels()))
        await running

    running = None
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(run())
    (record,) = store.runs()
    assert record.status == "interrupted"
    results = list(store.results(record.id))
    assert {result.key.item for result in results if result.state == "played"} == {"one"}
    assert {result.state for result in results if result.key.item == "two"} == {"missing"}
    assert len(results) == 4


def test_an_agent_that_must_not_be_rehearsed_ends_the_run(tmp_path):
    made = []

    def build(session):
        made.append(session)
        return hello if len(made) < 2 else 7

    with pytest.raises(AgentProblem):
        rehearsed(tmp_path, build, concurrency=1)
    store = Store.open(tmp_path / "store.db")
    (record,) = store.runs()
    assert record.status == "interrupted"
    assert sum(result.state == "played" for result in store.results(record.id)) == 1


def test_a_time_limit_holds_for_every_episode(tmp_path):
    async def agent(message):
        await asyncio.sleep(30)

    _, finished = rehearsed(tmp_path, agent, trials=2, limits=Limits(turn_seconds=0.05))
    assert {result.code for result in finished.results} == {"FL4"}
    assert finished.verdict.decision is Decision.FAILED
