"""What a user side sees of the conversation, and what it does next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from harness.model.episode import Because, Message, Unsaid
from tools_sandbox.call import Call, Json


class View(Protocol):
    """The conversation so far. Nothing here is changed by looking at it."""

    @property
    def replies(self) -> Sequence[Message]:
        """The agent's messages of the last turn, with what they ask; empty before the first turn."""
        ...

    @property
    def calls(self) -> Sequence[Call]:
        """Every tool call so far, in order."""
        ...

    @property
    def outcome(self) -> str | None:
        """How the conversation would come out if it ended now."""
        ...

    def value(self, path: str) -> Json:
        """The state at a path now; `tools_sandbox.matching.ABSENT` where there is nothing."""
        ...


@dataclass(frozen=True, slots=True)
class Say:
    """The user's next message, and why it is said."""

    text: str
    because: Because


@dataclass(frozen=True, slots=True)
class Done:
    """The user has nothing more to say; lines that never fitted."""

    unsaid: tuple[Unsaid, ...]
