from __future__ import annotations

import pytest

from harness.model.episode import AgentVersion, Feedback
from harness.model.recording import RecordedCall, RecordedMessage, Recording, RecordingSource
from harness.replay.recordings.where import Condition
from harness.store.recording_rows import summary_of

TOLD = summary_of(
    Recording(
        "rec-1",
        RecordingSource("trace", "spans.jsonl", "talk-1"),
        [
            RecordedMessage("user", "Hi", 1, at=1795165200.0),
            RecordedMessage("agent", None, 1, (RecordedCall("c", "get_order"), RecordedCall("d", "put"))),
        ],
        workflow="shop",
        agent=AgentVersion("bot", "1", ""),
        feedback=[Feedback("user_feedback", 0.0), Feedback("rating", 4.0), Feedback("tone", label="Rude")],
        labels={"reward": 1, "task": "12", "ok": True},
    )
)


@pytest.mark.parametrize(
    "text",
    [
        "feedback=down", "feedback!=up", "feedback=rude", "feedback=tone", "rating=4", "rating<5", "rating >= 4.0",
        "tone=rude", "user_feedback=down", "reward=1", "reward=1.0", "reward>0", "task=12", "task<13", "ok=true",
        "tool=get_*", "tool=put", "turns=1", "calls>=2", "workflow=shop", "source=trace", "agent=bot@*",
        "file=*.jsonl", "id=rec-*", "nothing!=1", "flaws=0", "feedback!=down*s",
        "begun>=2026-11-20", "begun<2026-11-20T11:00+01:00", "begun=2026-11-20T10:00:00+01:00",
    ],
)  # fmt: skip
def test_fits(text):
    assert Condition.parse(text).fits(TOLD)


@pytest.mark.parametrize(
    "text",
    [
        "feedback=up", "feedback!=down", "rating=5", "rating<4", "reward=0", "reward!=1", "tool=get", "tool!=put",
        "agent=bot", "nothing=1", "nothing<1", "outcome=resolved", "begun<2026-11-20", "calls<2", "task=1",
    ],
)  # fmt: skip
def test_does_not_fit(text):
    assert not Condition.parse(text).fits(TOLD)


@pytest.mark.parametrize("text", ["", "feedback", "=down", "turns<many", "a b=c", "==", "begun>yesterday"])
def test_what_can_not_be_meant(text):
    with pytest.raises(ValueError, match=r"write name=value|compares numbers|write a time"):
        Condition.parse(text)
