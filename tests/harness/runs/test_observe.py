from __future__ import annotations

from dataclasses import replace

import pytest

from harness.model.result import Decision
from harness.model.status import Status
from harness.runs.observe import score_conversations
from harness.runs.observed_place import Aim, CantObserve, agent_of
from harness.runs.rescore import rescore
from harness.runs.unread import Unread
from harness.store.store import Store
from harness.workflow.bundle import load
from tests.harness.desk import WORKFLOW, write
from traces.conversation import Conversation, Feedback, ToolCall, Turn
from traces.span import Span


@pytest.fixture
def bundle(tmp_path):
    return load(write(tmp_path / "desk"))


@pytest.fixture
def store(tmp_path):
    with Store.open(tmp_path / "store.db") as opened:
        yield opened


def talk(name, *steps, resource=None, attributes=None, **more):
    span = Span(
        "a" * 32, "b" * 16, None, "turn", "internal", 10**9, 2 * 10**9, attributes or {}, resource=resource or {}
    )
    turn = Turn("Hello", "Hello.", steps, started=10**9, ended=2 * 10**9)
    values = {"dialects": ("otel-genai",), "spans": (span,), "trace_ids": (span.trace_id,), **more}
    return Conversation(name, "gen_ai.conversation.id", (turn,), **values)


def test_each_conversation_is_one_episode_of_a_run_of_its_own_kind(bundle, store):
    found = score_conversations(bundle, [talk("one"), talk("two"), talk("one")], store, Aim())
    assert [result.key.trial for result in found.results] == [1, 1]
    assert found.seen.conversations == 2
    assert store.run(found.run.id).observed
    assert store.run(found.run.id).status == "done"
    assert {result.scores["task_success"].status for result in found.results} == {Status.NOT_APPLICABLE}


def test_scores_from_the_store_alone_are_the_same(bundle, store):
    steps = [ToolCall("cancel_order", arguments={"order_id": "O-1"}, result={"ok": True}, executed=True)]
    found = score_conversations(bundle, [talk("one", *steps)], store, Aim())
    before = dict(store.scored(found.run.id))
    assert [one.before == one.after for one in rescore(store, found.run.id)] == [True]
    assert dict(store.scored(found.run.id)) == before


def test_the_sandboxes_start_state_is_none_of_production(bundle, store):
    found = score_conversations(bundle, [talk("one")], store, Aim())
    material = store.material(found.run.id, found.results[0].key.item)
    assert material.start == {}
    assert material.schema.tools.keys() == bundle.schema.tools.keys()


def test_the_agent_is_as_named_else_as_traced(bundle, store):
    traced = talk("one", agents=("helper",), resource={"service.name": "shop", "service.version": "3.1"})
    assert score_conversations(bundle, [traced], store, Aim()).run.agents[0].label == "helper@3.1"
    assert score_conversations(bundle, [traced], store, Aim(agent="desk@7")).run.agents[0].label == "desk@7"
    unnamed = talk("one", resource={"service.name": "shop"})
    assert score_conversations(bundle, [unnamed], store, Aim()).run.agents[0].label == "shop@observed"


def test_each_conversation_is_of_its_own_agent(bundle, store):
    talks = [talk("one", agents=("alpha",)), talk("two", agents=("beta",)), talk("three", agents=("alpha",))]
    found = score_conversations(bundle, talks, store, Aim())
    assert [result.key.agent for result in found.results] == ["alpha@observed", "beta@observed", "alpha@observed"]
    assert [store.episode(result.key.id).agent.name for result in found.results] == ["alpha", "beta", "alpha"]
    assert [agent.label for agent in store.run(found.run.id).agents] == ["alpha@observed", "beta@observed"]
    named = score_conversations(bundle, talks, store, Aim(agent="desk@7"))
    assert {result.key.agent for result in named.results} == {agent.label for agent in named.run.agents} == {"desk@7"}


def test_a_conversation_that_is_left_out_is_counted(bundle, store):
    talks = [talk("one"), talk("one"), talk("two"), talk("one")]
    found = score_conversations(bundle, talks, store, Aim())
    assert (found.seen.conversations, found.seen.doubles) == (2, 2)


def test_slices_come_from_attributes_of_spans_or_of_their_process(bundle, store):
    aim = Aim(slices=(("language", "app.language"), ("region", "cloud.region")))
    one = talk("one", attributes={"app.language": "es"}, resource={"cloud.region": "eu"})
    found = score_conversations(bundle, [one, talk("two")], store, aim)
    assert [result.slices for result in found.results] == [{"language": "es", "region": "eu"}, {}]
    assert found.seen.unsliced == {"language": 1, "region": 1}


def test_nothing_and_what_tells_of_no_agent_give_no_gate(bundle, store):
    nothing = score_conversations(bundle, [], store, Aim())
    assert (nothing.verdict.decision, nothing.results) == (Decision.UNDECIDED, ())
    web = replace(talk("web", warnings=("1 spans arrived, but none tells of an agent",)), turns=())
    stranger = score_conversations(bundle, [web], store, Aim())
    assert stranger.results == ()
    assert stranger.seen.strangers == ["1 spans arrived, but none tells of an agent"]


@pytest.mark.parametrize(("started", "ended"), [(10**9, 0), (0, 10**9), (0, 0), (2 * 10**9, 10**9)])
def test_turns_of_no_known_time_decide_no_rule_on_their_times(tmp_path, store, started, ended):
    rule = "gate:\n  - {rule: fast, metric: latency_seconds, per: turn, stat: p95, at_most: 5}\n"
    found = score_conversations(
        load(write(tmp_path / "desk", workflow=WORKFLOW + rule)),
        [replace(talk("one"), turns=(Turn("Hello", "Hello.", started=started, ended=ended),))],
        store,
        Aim(),
    )
    (fast,) = [row for row in found.verdict.rules if row.rule == "fast"]
    assert fast.decision is Decision.UNDECIDED
    assert found.results[0].turn_seconds == (None,)
    assert found.results[0].scores["latency_seconds"].reason == "the trace does not show when each turn began and ended"


@pytest.mark.parametrize(("at_most", "decision"), [(5, Decision.UNDECIDED), (1, Decision.FAILED)])
def test_a_turn_of_no_known_time_leaves_the_others_theirs(tmp_path, store, at_most, decision):
    """Two turns of 2 s, and one that nobody knows of: it may have been as quick as can be, but nothing passes by it."""
    turns = (
        Turn("Hello", "Hello.", started=10**9, ended=3 * 10**9),
        Turn("Are you there?", "Yes.", started=4 * 10**9, ended=0),
        Turn("Bye", "Bye.", started=6 * 10**9, ended=8 * 10**9),
    )
    rule = f"gate:\n  - {{rule: fast, metric: latency_seconds, per: turn, stat: p50, at_most: {at_most}}}\n"
    bundle = load(write(tmp_path / "desk", workflow=WORKFLOW + rule))
    found = score_conversations(bundle, [replace(talk("one"), turns=turns)], store, Aim())
    (fast,) = [row for row in found.verdict.rules if row.rule == "fast"]
    assert (fast.decision, fast.n, fast.figure) == (decision, 2, 2)
    assert fast.reason == f"p50 is 2 over 2, at most {at_most} asked for, 1 not known"
    (result,) = found.results
    assert result.turn_seconds == (2.0, None, 2.0)
    latency = result.scores["latency_seconds"]
    assert (latency.missing, latency.reason) == (
        Status.NOT_JUDGED,
        "the trace does not show when turn 2 began and ended",
    )


def test_judgements_alone_are_no_conversation_to_score(bundle, store):
    alone = replace(talk("one", feedback=(Feedback("thumb", label="up"),)), turns=())
    found = score_conversations(bundle, [alone], store, Aim())
    assert found.results == ()
    assert found.seen.strangers == ["of the conversation one, only judgements arrived"]


def test_what_could_not_be_read_keeps_the_gate_from_passing(bundle, store):
    unread = Unread()
    unread.add("spans.jsonl:7: no JSON")
    found = score_conversations(bundle, [talk("one")], store, Aim(), unread)
    assert found.verdict.decision is Decision.UNDECIDED
    assert found.verdict.rules[0].reason == "1 could not be: spans.jsonl:7: no JSON"


def test_of_much_that_could_not_be_read_the_number_and_the_first_are_kept(bundle, store):
    unread = Unread()
    for line in range(1, 3001):
        unread.add(f"spans.jsonl:{line}: no JSON")
    found = score_conversations(bundle, [talk("one")], store, Aim(), unread)
    kept = store.run(found.run.id).options["unread"]
    assert (kept["count"], len(kept["first"]), kept["first"][-1]) == (3000, 20, "spans.jsonl:20: no JSON")
    assert found.verdict.rules[0].reason.startswith("3,000 could not be: spans.jsonl:1: no JSON; ")


def test_a_family_that_is_not_there_is_refused(bundle, store):
    with pytest.raises(CantObserve, match="did you mean `orders`"):
        score_conversations(bundle, [], store, Aim(family="order"))


def test_an_interrupted_run_says_so(bundle, store):
    def broken():
        yield talk("one")
        raise OSError("no room")

    with pytest.raises(OSError, match="no room"):
        score_conversations(bundle, broken(), store, Aim())
    assert store.latest().status == "interrupted"


def test_an_agents_name_is_one_line():
    """Lines of a job's log that begin with `::` are commands to GitHub's runner."""
    agent = agent_of(talk("c1", agents=("ag\n::error::x\r\n",)), None)
    assert agent.label == "ag ::error::x@observed"
