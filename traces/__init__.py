"""Telemetry of agents: captured while an episode is played, or read from anywhere; kept as plain data.

`traces.read(*paths)` gives the conversations in files, `traces.conversations(spans, logs)` those that spans tell of.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from traces.conversation import Conversation
    from traces.reading import conversations, read

__all__ = ["Conversation", "conversations", "read"]

_HOMES = {"Conversation": "traces.conversation", "conversations": "traces.reading", "read": "traces.reading"}


def __getattr__(name: str) -> Any:
    """The public names, imported when they are first asked for: capturing needs nothing of reading."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
