"""Conversations out of what spans and log records say, whatever dialects they are in."""

from traces.reading.keys import keys
from traces.reading.read import NO_SPANS, conversation, conversations, read

__all__ = ["NO_SPANS", "conversation", "conversations", "keys", "read"]
