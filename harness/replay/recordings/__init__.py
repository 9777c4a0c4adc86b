"""Recordings out of whatever conversations were kept in."""

from typing import TYPE_CHECKING

from tools_sandbox.lazy import lazily

if TYPE_CHECKING:
    from harness.replay.recordings.conversations import of_conversation
    from harness.replay.recordings.episodes import of_episode
    from harness.replay.recordings.reading import FORMATS, read
    from harness.replay.recordings.threads import of_saver
    from harness.replay.recordings.unread import Unread

__all__ = ["FORMATS", "Unread", "of_conversation", "of_episode", "of_saver", "read"]

__getattr__ = lazily(
    __name__,
    {
        "FORMATS": "reading",
        "Unread": "unread",
        "of_conversation": "conversations",
        "of_episode": "episodes",
        "of_saver": "threads",
        "read": "reading",
    },
)
