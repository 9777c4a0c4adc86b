"""Runs that go from store to store."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from harness.model.late import Late
from harness.store.portable_records import Attempt, Text
from harness.store.problem import StoreProblem
from harness.store.records import Label, Planned
from harness.store.store import Store
from tests.harness.store.build import begun, episode, key, planned, run, scored


@pytest.fixture
def other(tmp_path):
    with Store.open(tmp_path / "other.db") as store:
        yield store


def full(store: Store) -> Store:
    """A run with all that a run can have."""
    plan = [
        planned(given={"orders": {"O-1": {"status": "paid"}, "O-2": None}}),
        planned(trial=2, spared=True),
        planned("other", faulty="its gold path fails"),
    ]
    begun(store, *plan, options={"partial": None, "process": [1, 2.0]})
    store.put_texts({name: f"text of {name} é" for name in ("scenario", "workflow", "knowledge", "schema", "start")})
    first = episode(events=("\ud800 NUL \x00",), stdout="x" * 5000)
    store.save(first, scored(), "config")
    store.replace_scores(key(), scored("2"))
    store.save(replace(first, attempt=2), scored("1"))
    store.save(episode("other"), scored())
    store.label(key(), Label("Ana \x1b", datetime(2026, 11, 21, tzinfo=UTC), "passed", "read it \ud800"))
    store.late.add([Late(first.conversation_id, 5.0)])
    store.finish("r-1", "done", deterministic=True)
    return store


def test_a_run_arrives_as_it_was(store, other):
    records = list(full(store).portable.records("r-1"))
    came = other.portable.put(records)
    assert (came.run, came.fate, came.episodes) == ("r-1", "new", 2)
    assert list(other.portable.records("r-1")) == records
    assert other.run("r-1") == replace(store.run("r-1"), options={"partial": None})
    assert list(other.results("r-1")) == list(store.results("r-1"))
    assert list(other.episodes("r-1")) == list(store.episodes("r-1"))
    assert list(other.scored("r-1")) == list(store.scored("r-1"))
    assert other.labels(key()) == store.labels(key())
    assert other.text("scenario") == store.text("scenario")
    assert other.late.of(episode().conversation_id) == [Late(episode().conversation_id, 5.0)]


def test_twice_is_once(store, other):
    records = list(full(store).portable.records("r-1"))
    other.portable.put(records)
    assert other.portable.put(records).fate == "unchanged"
    assert store.portable.put(records).fate == "unchanged"
    assert list(other.portable.records("r-1")) == records


def test_scorings_and_labels_are_added_and_the_latest_scoring_counts(store, other):
    records = list(full(store).portable.records("r-1"))
    other.portable.put(records)
    other.replace_scores(key("other"), scored("9"))
    store.label(key("other"), Label("Ben", datetime(2026, 11, 22, tzinfo=UTC), "failed"))
    came = other.portable.put(store.portable.records("r-1"))
    assert came.fate == "added to"
    assert [label.who for label in other.labels(key("other"))] == ["Ben"]
    assert other.scored_episode(key("other")) == scored("9"), "what was scored last stays"
    assert store.portable.put(other.portable.records("r-1")).fate == "added to"
    assert store.scored_episode(key("other")) == scored("9")
    assert list(store.portable.records("r-1")) == list(other.portable.records("r-1"))


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda one: replace(one, agents=()) if not hasattr(one, "key") and hasattr(one, "agents") else one, "further"),
        (lambda one: replace(one, tier="critical") if isinstance(one, Planned) else one, "at r-1/agent@1/refund/1"),
        (
            lambda one: replace(one, episode=replace(one.episode, stdout="else")) if isinstance(one, Attempt) else one,
            "refund/1/clean is another one",
        ),
    ],
)
def test_another_run_of_the_same_id_is_refused_and_nothing_changes(store, other, change, text):
    records = list(full(store).portable.records("r-1"))
    other.portable.put(records)
    with pytest.raises(StoreProblem, match=text):
        other.portable.put(map(change, records))
    assert list(other.portable.records("r-1")) == records


def test_what_breaks_off_leaves_nothing(store, other):
    records = list(full(store).portable.records("r-1"))

    def broken():
        yield from records[:-1]
        raise StoreProblem("the file was cut short")

    with pytest.raises(StoreProblem, match="cut short"):
        other.portable.put(broken())
    assert other.runs() == []
    assert other.portable.put(records).fate == "new"


@pytest.mark.parametrize(
    ("spoilt", "text"),
    [
        (lambda records: records[1:], "begin with the run"),
        (lambda records: [*records, records[0]], "a second run"),
        (lambda records: [*records, records[-1]], "is there twice"),
        (lambda records: [*records, replace(records[-1], key=key("other", run="r-2"))], "none of run r-1"),
        (lambda records: [one for one in records if not isinstance(one, Planned)], "does not belong together"),
        (lambda records: [*records[:-1], replace(records[-1], key=key("stranger"), episode=None)], "belong together"),
    ],
)
def test_records_that_are_no_run_are_refused(store, other, spoilt, text):
    records = list(full(store).portable.records("r-1"))
    with pytest.raises(StoreProblem, match=text):
        other.portable.put(spoilt(records))
    assert other.runs() == []


def test_a_text_that_is_there_stays(store, other):
    other.put_texts({"scenario": "mine"})
    other.portable.put(full(store).portable.records("r-1"))
    assert other.text("scenario") == "mine"
    assert Text("scenario", "mine") in list(other.portable.records("r-1"))


def test_a_credential_in_a_file_is_masked_like_any_other(store, other):
    secret = "sk-" + "a1b2c3d4" * 4
    records = list(full(store).portable.records("r-1"))
    last = records[-1]
    assert isinstance(last, Attempt)
    assert last.episode is not None
    other.portable.put([*records[:-1], replace(last, episode=replace(last.episode, stdout=f"key {secret}"))])
    assert secret not in other.episode(last.key.id).stdout
    assert run("r-1").id == "r-1"
