"""Replays in the store."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from harness.model.episode import AgentVersion
from harness.model.replay import Finding, Fit, Level, ReplayedTurn, ReplayResult, Side, Verdict
from harness.model.result import Decision, GateVerdict
from harness.store.problem import StoreProblem
from harness.store.replays import ReplayRecord
from harness.store.store import Store
from tools_sandbox.call import Call

NEW, OLD = AgentVersion("agent", "2", "d"), AgentVersion("agent", "1", "d")


@pytest.fixture
def store(tmp_path):
    with Store.open(tmp_path / "s.db") as opened:
        yield opened


def record(name="rp-1", minute=0):
    return ReplayRecord(name, "shop", Level.TURNS, datetime(2026, 11, 20, 10, minute, tzinfo=UTC), (NEW, OLD))


def result(name, agent=NEW, text="Very well."):
    call = Call("c", 1, "look", None, {"id": 1}, "reads", result={"n": 1})
    side = Side((call,), ((1, text),))
    turn = ReplayedTurn(1, "Hi", Fit(1, fits=True), side, side)
    return ReplayResult(name, "shop", Level.TURNS, agent, (turn,), Finding(Verdict.SAME, ()))


def test_what_is_stored_comes_back_in_its_order(store):
    store.replays.create(record())
    store.replays.save("rp-1", [result("rec-b"), result("rec-b", OLD), result("rec-a")])
    assert list(store.replays.results("rp-1", NEW.label)) == [result("rec-b"), result("rec-a")]
    assert store.replays.result("rp-1", OLD.label, "rec-") == result("rec-b", OLD)
    assert store.replays.done("rp-1", NEW.label) == {"rec-a", "rec-b"}


def test_what_is_there_already_stays(store):
    store.replays.create(record())
    store.replays.save("rp-1", [result("rec-a")])
    store.replays.save("rp-1", [result("rec-a", text="Other"), result("rec-c")])
    assert list(store.replays.results("rp-1", NEW.label)) == [result("rec-a"), result("rec-c")]


def test_it_is_found_by_the_beginning_of_its_id_or_as_the_latest(store):
    store.replays.create(record("rp-1"))
    store.replays.create(record("rp-2", minute=1))
    assert store.replays.find("rp-1").id == "rp-1"
    assert store.replays.find("latest").id == store.replays.find(None).id == "rp-2"
    for name in ("rp-", "x"):
        with pytest.raises(StoreProblem):
            store.replays.find(name)


def test_how_it_ended_is_kept(store):
    store.replays.create(record())
    verdict = GateVerdict(Decision.PASSED, ())
    store.replays.finish("rp-1", "done", verdict)
    assert store.replays.find("rp-1") == replace(record(), status="done", verdict=verdict)


def test_credentials_are_masked(store):
    secret = "sk-" + "proj-" + "a1B2" * 12
    store.replays.create(record())
    store.replays.save("rp-1", [result("rec-a", text=f"the key is {secret}")])
    assert secret not in repr(list(store.replays.results("rp-1", NEW.label)))
