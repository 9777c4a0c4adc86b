"""Conversations out of what spans and log records say, whatever dialects they are in."""

from traces.reading.read import NO_SPANS, conversation, conversations

__all__ = ["NO_SPANS", "conversation", "conversations"]
