"""Words that are purged are in no table and no file of the store any more; what came of them is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from harness.model.episode import AgentVersion
from harness.model.late import Late
from harness.model.recording import RecordedMessage
from harness.model.replay import Level
from harness.model.status import Judgement
from harness.store import engine, tables
from harness.store.codec import encode_text
from harness.store.kept_texts import keep_texts
from harness.store.problem import StoreProblem
from harness.store.records import Label
from harness.store.replay_tables import replayed
from harness.store.replays import ReplayRecord
from harness.store.rows import planned_row
from harness.store.statements import insert
from harness.store.store import Store
from harness.store.subject import Subject
from tests.harness.desk import ROOT
from tests.harness.scoring import build
from tests.harness.store.build import begun, episode, key, planned, run, scored
from tests.harness.store.test_conversations import arrival, tool_span
from tests.harness.store.test_recordings import recording

SECRET = "Ana Ruiz of Calle Mayor 5"
TEXTS = {"scenario": "s", "workflow": "{}", "knowledge": "k", "schema": "c", "start": "t", "prices": "p"}


def told(store: Store) -> Store:
    """A run of two scenarios, in one of which a person tells who she is."""
    begun(store, planned(), planned("other", digests=replace(planned().digests, scenario="other")))
    store.put_texts({**TEXTS, "other": f"scenario of {SECRET}"})
    store.save(
        episode(
            events=(f"I am {SECRET}.", build.said("Hello."), build.call("find", {"who": SECRET}, result={"a": SECRET})),
            stdout=SECRET,
        ),
        scored(),
    )
    store.save(episode("other", conversation_id="another"), scored())
    store.label(key(), Label("Ben", datetime(2026, 11, 20, tzinfo=UTC), "failed", f"{SECRET} again"))
    store.late.add([Late(episode().conversation_id, 1.0)])
    store.finish("r-1", "done")
    return store


def chosen(store: Store, text: str = SECRET):
    subject = Subject(text)
    return [held for held in store.retention.held() if subject.within(held.content)]


def test_the_map_stays_and_the_words_go(store):
    told(store)
    before = list(store.results("r-1"))
    found = chosen(store, "ana  RUIZ")
    assert [held.name for held in found] == [key().id]
    store.retention.purge(found)
    after = list(store.results("r-1"))
    assert [one.verdict and one.verdict.status for one in after] == [
        one.verdict and one.verdict.status for one in before
    ]
    assert [one.code for one in after] == [one.code for one in before]
    assert [one.scores["cost_usd"] for one in after] == [one.scores["cost_usd"] for one in before]
    assert after[0].scores["task_success"] == Judgement(before[0].scores["task_success"].status, "purged")
    assert [one.key.item for one in store.episodes("r-1")] == ["other"]
    assert store.find(key()) is None
    with pytest.raises(StoreProblem, match=r"the words of r-1/agent@1/refund/1/clean were purged"):
        store.episode(key().id)
    assert [each.episode.key.item for each in store.played.all()] == ["other"]
    kept = store.scored_episode(key())
    assert kept is not None
    assert kept.primary is not None
    assert (kept.primary.code, kept.primary.text, kept.primary.expected) == ("TO1", "purged", None)
    assert [(label.who, label.label, label.note) for label in store.labels(key())] == [("Ben", "failed", "")]
    assert store.late.of(episode().conversation_id) == []
    assert chosen(store) == []
    assert store.retention.purged() == {"r-1": 1}


def test_texts_go_with_the_last_episode_that_needs_them(store):
    told(store)
    assert store.retention.purge(chosen(store)) == 1
    with pytest.raises(StoreProblem, match="not there"):
        store.text("scenario")
    assert store.text("knowledge") == "k"
    assert store.retention.purge(list(store.retention.held())) == 5
    assert store.text("workflow") == "{}", "what a gate is decided by stays"
    with pytest.raises(StoreProblem, match="not there"):
        store.text("knowledge")


@pytest.mark.parametrize("status", ["running", "interrupted", "done"])
def test_texts_of_what_is_still_to_be_played_stay(store, status):
    begun(store, planned(), planned(trial=2))
    store.put_texts(TEXTS)
    store.save(episode(), scored())
    if status == "running":
        store.spare([key(trial=2)])
    store.finish("r-1", status)
    assert store.retention.purge(list(store.retention.held())) == 0
    assert {name: store.text(name) for name in TEXTS} == TEXTS


def test_no_text_of_a_run_that_is_just_beginning_goes(store, place):
    told(store)
    store.create_run(run("r-2"))
    with Store.open(place) as other:
        ready, going = threading.Event(), threading.Event()

        def purge():
            ready.wait(60)
            going.set()
            other.retention.purge(list(other.retention.held()))

        beside = threading.Thread(target=purge)
        beside.start()
        with store._transaction(writes=True) as connection:
            keep_texts(connection, TEXTS)
            ready.set()
            going.wait(60)
            time.sleep(0.1)  # whoever does not wait has dropped them by now
            insert(connection, tables.planned, [planned_row(planned(run="r-2"), 1, None)])
        beside.join(60)
    assert {name: store.text(name) for name in TEXTS} == TEXTS
    assert store.retention.purged()["r-1"] == 2


def test_what_was_purged_before_a_run_has_its_plan_is_there_again(store):
    told(store)
    store.put_texts(TEXTS)
    store.create_run(run("r-2"))
    store.retention.purge(list(store.retention.held()))
    store.plan([planned(run="r-2")], TEXTS)
    assert {name: store.text(name) for name in TEXTS} == TEXTS


def test_purging_twice_is_purging_once(store):
    told(store)
    found = chosen(store)
    store.retention.purge(found)
    before = list(store.portable.records("r-1"))
    store.retention.purge(found)
    assert list(store.portable.records("r-1")) == before


def test_a_purged_run_travels_without_its_words(store, tmp_path):
    told(store)
    with_words = list(store.portable.records("r-1"))
    store.retention.purge(chosen(store))
    records = list(store.portable.records("r-1"))
    with Store.open(tmp_path / "other.db") as other:
        other.portable.put(records)
        assert list(other.portable.records("r-1")) == records
        assert list(other.results("r-1")) == list(store.results("r-1"))
    with pytest.raises(StoreProblem, match="its words were purged from one of the two"):
        store.portable.put(with_words)


def words_in(folder) -> list[str]:
    return [file.name for file in sorted(folder.iterdir()) if file.is_file() and b"Calle Mayor" in file.read_bytes()]


def test_no_file_of_the_store_holds_them_afterwards(tmp_path):
    with Store.open(tmp_path / "a.db") as store:
        told(store)
        store.put_texts({"other": "nothing"})
        store.retention.purge(list(store.retention.held()))
        store.retention.reclaim("a.db")
        assert words_in(tmp_path) == []
    assert words_in(tmp_path) == []


def test_a_reader_that_keeps_the_log_is_told_of(tmp_path, monkeypatch):
    monkeypatch.setattr(engine, "_BUSY_SECONDS", 0.1)
    with Store.open(tmp_path / "a.db") as store, Store.open(tmp_path / "a.db") as reader:
        told(store)
        with reader._transaction() as connection:
            connection.exec_driver_sql("select count(*) from episodes").scalar()
            store.retention.purge(list(store.retention.held()))
            with pytest.raises(StoreProblem, match=r"another process|locked|has been writing"):
                store.retention.reclaim("a.db")
        store.retention.reclaim("a.db")
    assert words_in(tmp_path) == []


KILLED = """
import sys
from harness.store import husks
from harness.store.replay_tables import replayed
from harness.store.replays import ReplayRecord
from harness.store.store import Store
def slow(behind):
    print("purging", flush=True)
    import time; time.sleep(60)
husks._without_words = slow
with Store.open(sys.argv[1]) as store:
    store.retention.purge(list(store.retention.held()))
"""


def test_killed_in_the_middle_it_has_purged_nothing(tmp_path):
    with Store.open(tmp_path / "a.db") as store:
        told(store)
        before = list(store.portable.records("r-1"))
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, tmp_path / "a.db"],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"purging\n"
    process.send_signal(signal.SIGKILL)
    process.wait(60)
    with Store.open(tmp_path / "a.db") as store:
        assert list(store.portable.records("r-1")) == before


def test_imported_conversations_and_recordings_go_whole(store):
    begun(store)
    store.conversations.save(
        [arrival(tool_span(1, **{"gen_ai.tool.call.result": SECRET})), arrival(tool_span(2, trace="b" * 32))]
    )
    said = RecordedMessage("user", f"I am {SECRET}", 1, at=5.0)
    store.recordings.save([recording("rec-1", said), recording("rec-2")])
    found = chosen(store)
    assert [held.kind for held in found] == ["conversation", "recording"]
    assert [held.began for held in found] == [1.0, 5.0]
    store.retention.purge(found)
    assert chosen(store) == []
    assert [each.id for each in store.recordings.all()] == ["rec-2"]
    assert len(list(store.conversations.all())) == 1
    store.retention.reclaim("the store")


def test_a_replay_is_as_old_as_what_was_replayed(store):
    store.recordings.save([recording("rec-1", RecordedMessage("user", "Hello", 1, at=5.0))])
    created = datetime(2026, 11, 20, tzinfo=UTC)
    store.replays.create(ReplayRecord("p-1", "shop", Level.TURNS, created, (AgentVersion("bot", "1", ""),)))
    with store._transaction(writes=True) as connection:
        for name in ("rec-1", "gone"):
            values = {
                "replay": "p-1",
                "agent": "bot@1",
                "recording": name,
                "verdict": "same",
                "turns": 1,
                "compared": 1,
            }
            connection.execute(replayed.insert().values(**values, document=encode_text(f'{{"said": "{SECRET}"}}')))
    found = [held for held in chosen(store) if held.kind == "replay"]
    assert [(held.name, held.began) for held in found] == [("p-1/rec-1", 5.0), ("p-1/gone", created.timestamp())]
    store.retention.purge(found)
    assert chosen(store) == []
    assert [each.id for each in store.replays.all()] == ["p-1"]
