"""Recordings of telemetry: the same conversation whatever dialect tells of it."""

from __future__ import annotations

import json

import pytest

from harness.model.episode import Feedback
from harness.replay.recordings import Unread, of_conversation, read
from tests.reference import data, reference
from traces import conversation as model

SAMPLES = sorted(path.stem for path in (data() / "otel_samples").glob("*.jsonl") if ".logs" not in path.name)


@pytest.mark.parametrize("name", SAMPLES)
def test_calls_and_turns_are_those_of_the_sample(name):
    expected = json.loads(reference(f"otel_samples/{name}.expected.json").read_text("utf-8"))
    bad: list[Unread] = []
    files = [reference(f"otel_samples/{file}") for file in expected["files"]]
    recordings = list(read(*files, bad=bad.append))
    conversations = expected.get("conversations", [expected])
    assert bad == []
    assert len(recordings) == len(conversations)
    assert sum(each.turns for each in recordings) <= sum(len(each["turns"]) for each in conversations)
    told = [call["name"] for each in conversations for turn in each["turns"] for call in turn["tool_calls"]]
    assert sorted(call.tool for each in recordings for call in each.calls()) == sorted(told)


def one(**fields):
    calls = (
        model.ToolCall("get", "c1", {"id": "O-1"}, result={"ok": True}, told='{"ok": true}', executed=True, group=1),
        model.ToolCall("get", "c2", None, raw='{"id": ', executed=True, group=1,
                       error=model.ToolError("TimeoutError", "too slow", "status")),
        model.ToolCall("put", "c3", {"id": "O-1"}, executed=None, missing=frozenset({"result", "told", "error"})),
    )  # fmt: skip
    turns = (model.Turn("Hello", "Hi", (), started=1_000_000_000), model.Turn(None, None, calls))
    return model.Conversation("talk-1", "history", turns, ("a" * 32,), agents=("bot",), **fields)


def test_what_telemetry_holds_and_lacks():
    recording = of_conversation(one(system_prompt="Be kind.", user_id="C-7"), "spans.jsonl")
    assert [(each.role, each.text, each.turn, len(each.calls)) for each in recording.messages] == [
        ("system", "Be kind.", 0, 0),
        ("user", "Hello", 1, 0),
        ("agent", "Hi", 1, 0),
        ("agent", None, 2, 2),
        ("agent", None, 2, 1),
    ]
    first, second, third = recording.calls()
    assert (first.arguments, first.told, first.result, first.answered) == (
        {"id": "O-1"},
        '{"ok": true}',
        {"ok": True},
        True,
    )
    assert (second.raw, second.arguments, second.error, second.error_type) == (
        '{"id": ',
        None,
        "too slow",
        "TimeoutError",
    )
    assert (third.answered, third.result, third.error) == (False, None, None)
    assert recording.flaws == [
        "turn 2: what the user said is not on record",
        "turn 2: the agent's answer is not on record",
        "turn 2: get: the arguments are broken or cut",
        "turn 2: put has no result",
    ]
    assert (recording.source.id, recording.speaker) == ("talk-1", "C-7")
    assert recording.agent is not None
    assert recording.agent.name == "bot"


def test_feedback_keeps_its_turn():
    told = (model.Feedback("thumb", 0.0, "down", "slow", 0), model.Feedback("rating", 4.0))
    recording = of_conversation(one(feedback=told), "spans.jsonl")
    assert recording.feedback == [Feedback("thumb", 0.0, "down", "slow", 1), Feedback("rating", 4.0)]


def test_telemetry_without_a_conversation_is_told(tmp_path):
    file = tmp_path / "spans.jsonl"
    file.write_text('{"resourceSpans": []}\n')
    bad: list[Unread] = []
    assert list(read(file, bad=bad.append)) == []
    assert [each.what[:16] for each in bad] == ["no spans arrived"]
