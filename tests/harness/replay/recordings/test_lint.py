from __future__ import annotations

from dataclasses import replace

from harness.model.recording import RecordedCall, RecordedMessage, Recording, RecordingSource
from harness.replay.recordings.lint import Limit, limits

SOUND = Recording(
    "rec-1",
    RecordingSource("messages", "talk.json", "1:1"),
    [RecordedMessage("user", "Hi", 1), RecordedMessage("agent", None, 1, (RecordedCall("c", "get", "{}", {}),))],
    workflow="shop",
    clock="2026-11-20T10:00:00+01:00",
    snapshot={},
)


def test_nothing_limits_a_sound_one():
    assert list(limits(SOUND, {"get"})) == []


def test_what_is_not_known_of_it():
    told = [str(each) for each in limits(replace(SOUND, workflow=None, clock=None, snapshot=None))]
    assert told == [
        "it is of no workflow: name one as it is replayed, or import it with --workflow",
        "its start state is not known: simulated tools begin with the workflow's start state",
        "its clock is not known: simulated tools are told the workflow's",
    ]


def test_what_is_broken_and_where():
    talk = [
        RecordedMessage("user", "Hi", 1, parts=({"type": "image_url"},)),
        RecordedMessage("user", None, 1, (RecordedCall("u", "toggle", None, {}, by="user"),)),
        RecordedMessage("agent", None, 1, (RecordedCall("c", "get_odrer", "{}", {}),)),
    ]
    told = [
        str(each) for each in limits(replace(SOUND, messages=talk, flaws=["message 3: get has no result"]), {"get"})
    ]
    assert told == [
        "message 3: get has no result",
        "message 1: the agent will not be shown what is no text in it",
        "message 2: the user called tools, which no scripted user does: their results are not made again",
        "message 3: the workflow has no tool get_odrer",
    ]


def test_what_can_not_be_replayed_at_all():
    silent = replace(SOUND, messages=[RecordedMessage("user", "Hi", 1)])
    alone = replace(SOUND, messages=[RecordedMessage("agent", "Hello?", 0)])
    assert list(limits(silent)) == [
        Limit("the agent says and does nothing: there is nothing to compare with", fatal=True)
    ]
    assert list(limits(alone)) == [Limit("no message of a user: there is nothing to replay", fatal=True)]
