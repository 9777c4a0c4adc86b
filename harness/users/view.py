"""What a user side sees of the conversation, and what it does next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from harness.model.episode import Because, Message, Unsaid
from harness.users.recognise import Recognition
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


@dataclass(slots=True)
class Say:
    """The user's next message, and why it is said, None where its words can't tell what it says yes to. Not frozen, for
    that takes five times as long to make.
    """

    text: str
    because: Because | None


@dataclass(frozen=True, slots=True)
class Done:
    """The user has nothing more to say; lines that never fitted."""

    unsaid: tuple[Unsaid, ...]


class UserSide(Protocol):
    """Whoever talks to the agent: the scripted user, or a person at the keyboard."""

    @property
    def knows(self) -> Mapping[str, str | None]:
        """The facts that the user has now."""
        ...

    def recognise(self, text: str) -> Recognition:
        """What a message of the agent asks."""
        ...

    def next(self, view: View) -> Say | Done:
        """The next message; called after every reply, and once before the first."""
        ...

    def approve(self, payload: Json) -> tuple[bool, Json]:
        """Whether there is an answer to the payload of an agent's pause, and which."""
        ...
