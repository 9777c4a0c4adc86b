"""Conversations out of what spans and log records say, whatever dialects they are in."""

from traces.reading.keys import keys
from traces.reading.reader import NO_SPANS, UNREADABLE, conversation, conversations, read, stream

__all__ = ["NO_SPANS", "UNREADABLE", "conversation", "conversations", "keys", "read", "stream"]
