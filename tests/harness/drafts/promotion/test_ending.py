from __future__ import annotations

import pytest

from harness.drafts.promotion.ending import ended_badly
from harness.model.episode import Feedback
from harness.model.recording import Recording, RecordingSource


def recording(labels=(), *feedback):
    return Recording(
        "rec-1", RecordingSource("messages", "talks.jsonl", "1"), [], labels=dict(labels), feedback=[*feedback]
    )


@pytest.mark.parametrize(
    ("labels", "feedback", "told"),
    [
        ({"reward": 0.0}, None, "reward 0"),
        ({"reward": 0.5}, None, "reward 0.5"),
        ({"verdict": "failed"}, None, "verdict failed"),
        ({"reward": 1}, Feedback("thumb", 0.0, "down", "too slow"), "thumb down (too slow)"),
        ({}, Feedback("rating", 2.0), "rating 2"),
        ({}, Feedback("ana", label="failed"), "ana failed"),
    ],
    ids=str,
)
def test_what_says_that_it_ended_badly(labels, feedback, told):
    assert ended_badly(recording(labels, *filter(None, [feedback]))) == told


@pytest.mark.parametrize(
    ("labels", "feedback"),
    [
        ({}, None),
        ({"reward": 1.0}, None),
        ({"verdict": "passed"}, None),
        ({}, Feedback("thumb", 1.0, "up")),
        ({}, Feedback("rating", 4.0)),
        ({}, Feedback("comment", explanation="bad weather today")),
        ({"reward": "none"}, None),
    ],
    ids=str,
)
def test_nothing_says_that_it_ended_badly(labels, feedback):
    assert ended_badly(recording(labels, *filter(None, [feedback]))) is None
