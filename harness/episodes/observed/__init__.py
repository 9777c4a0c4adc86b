"""Episodes that nobody played: a conversation, as telemetry shows it, made into the record that is scored."""

from harness.episodes.observed.episode import Frame, observe

__all__ = ["Frame", "observe"]
