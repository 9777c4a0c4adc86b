from __future__ import annotations

import math
from dataclasses import replace

import pytest

from harness.model.episode import AgentVersion, Feedback
from harness.model.recording import RecordedCall, RecordedMessage, Recording, RecordingSource
from harness.store.problem import StoreProblem
from harness.store.secret_places import secret_places

KEY = "sk-abcdefghijklmnop"
SOURCE = RecordingSource("messages", "talks.jsonl", "3:1")


def recording(name: str = "rec-1", *messages: RecordedMessage, **fields) -> Recording:
    talk = list(messages) or [RecordedMessage("user", "Hello", 1, at=5.0), RecordedMessage("agent", "Hi", 1)]
    return Recording(name, SOURCE, talk, **fields)


def test_what_is_stored_comes_back_as_it_was(store):
    call = RecordedCall("c-1", "get", '{"n": 9223372036854775808}', {"n": 2**63, "x": [math.inf]}, answered=True)
    kept = recording(
        "rec-1",
        RecordedMessage("user", "lone \ud800, NUL \0", 1),
        RecordedMessage("agent", None, 1, (call,), at=1.5),
        agent=AgentVersion("bot", "1", ""),
        snapshot={"orders": {"O-1": {"total": "1.00"}, "O-2": None}},
        feedback=[Feedback("thumb", 0.0, "down")],
        labels={"reward": 1},
        flaws=["message 2: something"],
    )
    store.recordings.save([kept])
    assert list(store.recordings.read(["rec-1"])) == [kept]


def test_the_figures_tell_of_it_without_its_messages(store):
    calls = (RecordedCall("c-1", "get", answered=True), RecordedCall("c-2", "get"), RecordedCall("c-3", "put"))
    talk = (RecordedMessage("user", "Hello", 1, at=5.0), RecordedMessage("agent", None, 1, calls))
    store.recordings.save([recording("rec-1", *talk, workflow="shop", labels={"reward": 0}, outcome="resolved")])
    (found,) = store.recordings.all()
    assert (found.turns, found.calls, found.tools, found.begun) == (1, 3, ("get", "put"), 5.0)
    assert (found.workflow, found.outcome, found.labels, found.source) == ("shop", "resolved", {"reward": 0}, SOURCE)
    assert found.imported


def test_the_last_to_come_is_first_over_any_number_of_pages(store):
    store.recordings.save(recording(f"rec-{number}") for number in range(450))
    assert [found.id for found in store.recordings.all()] == [f"rec-{number}" for number in reversed(range(450))]
    names = [f"rec-{number}" for number in range(0, 450, 7)]
    assert [found.id for found in store.recordings.read(names)] == names


def test_what_comes_twice_is_there_once_and_what_is_there_is_never_rewritten(store):
    other = recording("rec-1", RecordedMessage("user", "Bye", 1))
    assert store.recordings.save([recording(), recording("rec-2"), recording()]) == ["new", "new", "known"]
    assert store.recordings.save([recording(), other, recording("rec-3")]) == ["known", "differs", "new"]
    assert list(store.recordings.read(["rec-1"])) == [recording()]


def test_what_is_said_of_a_conversation_is_said_anew(store):
    store.recordings.save([recording(labels={"verdict": "passed"})])
    later = recording(workflow="shop", labels={"verdict": "failed"}, feedback=[Feedback("thumb", 0.0, "down")])
    assert store.recordings.save([later, later]) == ["updated", "known"]
    assert store.recordings.save([replace(later, workflow=None)]) == ["known"]
    assert store.recordings.save([replace(later, source=replace(SOURCE, where="renamed.jsonl"))]) == ["known"]
    assert list(store.recordings.read(["rec-1"])) == [later]
    (told,) = store.recordings.all()
    assert (told.workflow, told.labels, told.feedback) == ("shop", later.labels, tuple(later.feedback))


def test_they_are_named_by_the_beginning_of_their_ids(store):
    store.recordings.save([recording("rec-1"), recording("rec-12"), recording("rec-2")])
    assert [found.id for found in store.recordings.matching("rec-1")] == ["rec-1"]
    assert {found.id for found in store.recordings.matching("rec-")} == {"rec-1", "rec-12", "rec-2"}
    assert store.recordings.matching("rec-9") == []
    with pytest.raises(StoreProblem, match="no recording rec-9"):
        list(store.recordings.read(["rec-9"]))


SECRETS = {
    "messages.0.text": RecordedMessage("user", f"my key is {KEY}", 1),
    "messages.0.calls.0.raw": RecordedMessage("agent", None, 0, (RecordedCall("c", "t", f'{{"k": "{KEY}"}}'),)),
    "messages.0.calls.0.arguments.password": RecordedMessage(
        "agent", None, 0, (RecordedCall("c", "t", None, {"password": "open sesame"}),)
    ),
    "messages.0.calls.0.result.0.a": RecordedMessage(
        "agent", None, 0, (RecordedCall("c", "t", None, {}, answered=True, result=[{"a": KEY}]),)
    ),
}


@pytest.mark.parametrize("path", SECRETS)
def test_nothing_is_stored_while_a_secret_remains(store, path):
    guilty = recording("rec-1", SECRETS[path])
    assert secret_places(guilty) == [path]
    with pytest.raises(StoreProblem, match=f"rec-1 is not stored: a secret remains at {path}$") as problem:
        store.recordings.save([recording("rec-2"), guilty])
    assert KEY not in str(problem.value)
    assert list(store.recordings.all()) == []


def test_masked_secrets_are_none():
    masked = replace(recording(), labels={"password": "[masked:3f2a]", "note": "[masked:3f2a]", "n": math.nan})
    assert secret_places(masked) == []


def test_a_secret_in_the_name_of_a_field_is_found_and_not_told():
    (place,) = secret_places(recording(labels={KEY: 1}))
    assert place.startswith("labels.[masked:")
