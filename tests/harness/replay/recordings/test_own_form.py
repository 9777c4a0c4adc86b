from __future__ import annotations

import json
from dataclasses import replace

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.model.episode import AgentVersion, Digests, Feedback
from harness.model.recording import (
    SCHEMA,
    RecordedCall,
    RecordedMessage,
    Recording,
    RecordingSource,
    StrayResult,
)
from harness.replay.recordings import Unread, read
from harness.replay.recordings.episodes import of_episode
from harness.replay.recordings.own_form import of_document, recording_schema, to_document, to_text
from tests.harness.scoring import build
from tools_sandbox.call import Change

WHOLE = Recording(
    id="rec-1",
    source=RecordingSource("tau2", "runs.json", "sim-1"),
    messages=[
        RecordedMessage("system", "Be kind.", 0),
        RecordedMessage("user", "Where is O-1?", 1, at=5.5),
        RecordedMessage(
            "agent",
            None,
            1,
            (
                RecordedCall("c1", "get", '{"a": 1', None, "no JSON", True, "no", error="no", error_type="refused"),
                RecordedCall(None, "put", None, {"n": 2**70}, answered=True, result=[1, None], by="user", at=6.0),
            ),
        ),
        RecordedMessage("agent", "No.", 1, refusal=True, parts=({"type": "image_url"},)),
    ],
    stray=[StrayResult(1, "c9", None, "lost")],
    workflow="shop",
    agent=AgentVersion("bot", "1", "", model="gpt-9", parameters={"temperature": 0.5}),
    clock="2026-11-20T10:00:00+01:00",
    seed=7,
    speaker="C-7",
    snapshot={"orders": {"O-1": {"total": "1.00"}, "O-2": None}},
    digests=Digests("a", "b", "c", "d", "e", "f"),
    changes=[Change("orders", "O-1", {"status": "new"}, {"status": "gone"})],
    outcome="refused",
    feedback=[Feedback("thumb", 0.0, "down", "slow", 1)],
    labels={"reward": 0.5},
    flaws=["message 3: broken"],
    replaced={"email": 2},
)  # fmt: skip


def written(tmp_path, *documents):
    file = tmp_path / "recordings.jsonl"
    file.write_text("\n".join(each if isinstance(each, str) else json.dumps(each) for each in documents), "utf-8")
    return file


def found(path):
    bad: list[Unread] = []
    return list(read(path, bad=bad.append)), [str(each).removeprefix(str(path)) for each in bad]


def test_what_is_written_is_read_as_it_was(tmp_path):
    other = of_episode(build.episode("Hello", build.verify(), build.said("Hi.")), build.material())
    odd = replace(WHOLE, id="rec-2", messages=[RecordedMessage("user", "\ud800 \0 \u2028", 1)])
    assert found(written(tmp_path, *map(to_text, (WHOLE, other, odd)))) == ([WHOLE, other, odd], [])


@given(st.text(), st.recursive(st.none() | st.integers() | st.text(), st.lists, max_leaves=5), st.integers())
def test_any_content_comes_back(text, result, number):
    call = RecordedCall("c", "t", text, {"n": number}, None, answered=True, told=text, result=result)
    recording = replace(WHOLE, messages=[RecordedMessage("user", text, 1), RecordedMessage("agent", None, 1, (call,))])
    assert of_document(json.loads(to_text(recording)), "x", "1:1") == recording


def test_the_schema_describes_what_is_written():
    schema = recording_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(to_document(WHOLE), schema)
    jsonschema.validate({"schema": SCHEMA, "messages": [{"role": "agent", "calls": [{"tool": "get"}]}]}, schema)
    for wrong in ({"schema": SCHEMA}, {"schema": "turngate.recording/2", "messages": []}, {"messages": []}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema)


GET = {"tool": "get", "raw": '{"id": "O-1"}', "told": '{"status": "gone"}'}


def test_what_a_person_may_leave_out(tmp_path):
    messages = [
        {"role": "agent", "text": "Hello!"},
        {"role": "user", "text": "Where is O-1?"},
        {"role": "agent", "calls": [GET, {"tool": "get", "raw": "{"}]},
        {"role": "user", "text": "And now?"},
    ]  # fmt: skip
    (recording,), bad = found(written(tmp_path, {"schema": SCHEMA, "messages": messages}, ""))
    assert bad == []
    assert recording.id.startswith("rec-")
    assert recording.source == RecordingSource("recording", "recordings.jsonl", "1:1")
    assert [each.turn for each in recording.messages] == [0, 1, 1, 2]
    first, second = recording.calls()
    assert (first.id, first.arguments, first.answered, first.result) == (None, {"id": "O-1"}, True, {"status": "gone"})
    assert (second.arguments, second.answered) == (None, False)
    assert second.flaw is not None


WRONG = {
    "it is in the form turngate.recording/2, and this turngate reads turngate.recording/1: upgrade turngate": {
        "schema": "turngate.recording/2"
    },
    "messages: field required": {"schema": SCHEMA},
    "messages: input should be a valid list": {"schema": SCHEMA, "messages": {}},
    "messages.0.role: input should be 'system', 'user' or 'agent'": {"schema": SCHEMA, "messages": [{"role": "bot"}]},
    "id: it is typed in commands: letters, digits, `-`, `_` and `.` only, at most 64": {
        "schema": SCHEMA,
        "id": "\x1b[2J",
        "messages": [],
    },
    "messages.0.texts: unexpected keyword argument": {"schema": SCHEMA, "messages": [{"role": "user", "texts": "hi"}]},
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_told_with_its_place(tmp_path, what):
    recordings, bad = found(written(tmp_path, to_text(WHOLE), WRONG[what]))
    assert (recordings, bad) == ([WHOLE], [f":2:1: {what}"])


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"clock": "yesterday"}, "clock: this is no time in ISO 8601"),
        ({"messages": [{"role": "user", "text": "a", "turn": -1}]}, "messages.0.turn: turns are counted from 1"),
        (
            {"messages": [{"role": "user", "text": "a", "turn": 2}, {"role": "agent", "text": "b", "turn": 1}]},
            "messages.1.turn: it goes back, from 2 to 1",
        ),
        (
            {"messages": [{"role": "user", "text": "a", "at": "NaN"}]},
            "messages.0.at: this is no time in seconds since the epoch",
        ),
        (
            {"messages": [{"role": "user", "text": "a", "at": 1.8e12}]},
            "messages.0.at: this is no time in seconds since the epoch",
        ),
    ],
)
def test_what_would_break_a_replay_is_refused(tmp_path, changed, why):
    bad: list[Unread] = []
    document = {"schema": SCHEMA, "messages": [{"role": "user", "text": "a"}], **changed}
    assert list(read(written(tmp_path, document), bad=bad.append)) == []
    assert [each.what for each in bad] == [why]


def test_a_clock_without_an_offset_is_utc(tmp_path):
    document = {"schema": SCHEMA, "clock": "2026-11-20T10:00:00", "messages": [{"role": "user", "text": "a"}]}
    (recording,) = read(written(tmp_path, document))
    assert recording.clock == "2026-11-20T10:00:00+00:00"
