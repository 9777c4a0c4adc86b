"""Whether a recorded conversation is known to have ended badly, so that nothing in it is an example."""

from __future__ import annotations

from harness.model.episode import Feedback
from harness.model.recording import Recording
from harness.model.status import Status
from harness.replay.recordings.feedback import thumb_of

_FULL_REWARD = 1
_POOR_RATING = 2
"""Of five stars or of ten points, what nobody gives who is content."""


def ended_badly(recording: Recording) -> str | None:
    """What says so, in words: a reward below 1, a verdict, a thumb down, a poor rating; None if nothing does."""
    reward, verdict = recording.labels.get("reward"), recording.labels.get("verdict")
    if isinstance(reward, int | float) and reward < _FULL_REWARD:
        return f"reward {reward:g}"
    if verdict == Status.FAILED:
        return f"verdict {verdict}"
    return next((_told(each) for each in recording.feedback if _poor(each)), None)


def _poor(feedback: Feedback) -> bool:
    rated = feedback.name == "rating" and feedback.value is not None and feedback.value <= _POOR_RATING
    return rated or thumb_of(feedback) == "down" or feedback.label == Status.FAILED


def _told(feedback: Feedback) -> str:
    said = feedback.label if feedback.label is not None else f"{feedback.value:g}"
    why = f" ({feedback.explanation})" if feedback.explanation else ""
    return f"{feedback.name} {said}{why}"
