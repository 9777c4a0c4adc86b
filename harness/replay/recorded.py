"""A recorded conversation as it is replayed: turn by turn, with the state as its calls left it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import takewhile
from typing import Literal

from opentelemetry.trace import Tracer

from harness.model.episode import Message, Turn
from harness.model.material import Material
from harness.model.recording import Recording
from harness.users.recognise import SlotBook
from tools_sandbox.call import Call, Json
from tools_sandbox.opened import OpenSandbox
from tools_sandbox.start import StartState


@dataclass(slots=True)
class RecordedTurn:
    """One message of the user, and what the agent said and called until the next. `why_not`: why what an agent does
    here can't be held against the record; empty if it can.
    """

    said: Message
    replies: list[Message] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    why_not: str = ""

    @property
    def number(self) -> int:
        """Its number, from 1."""
        return self.said.turn

    @property
    def answered(self) -> bool:
        """Whether the agent did anything before the next message; a user may take several to say one thing."""
        return bool(self.replies or self.calls)


@dataclass(frozen=True, slots=True)
class Write:
    """A call that changed the state, to be made again where a later state is needed."""

    turn: int
    tool: str
    arguments: Json | str


@dataclass(frozen=True, slots=True)
class Opening:
    """The state that a conversation began from. `given`: what was laid over the workflow's start state."""

    start: StartState
    given: dict[str, Json]
    clock: datetime
    kind: Literal["snapshot", "workflow"]

    def open(self) -> OpenSandbox:
        """A new sandbox in that state."""
        return self.start.open(self.given, self.clock)


@dataclass(frozen=True, slots=True)
class RecordedTalk:
    """A recording, made ready. `greeting`: what the agent said before the user did. `expected`: whether the material's
    scenario was written for it. `knows`: the facts that the user gave. `writes`: what changed the state, in order.
    `notes`: what limits the replay, in words. `unlike`: the ids of the calls that the sandbox answers otherwise than
    they were answered then.
    """

    recording: Recording
    material: Material
    expected: bool
    opening: Opening
    greeting: list[Message]
    turns: list[RecordedTurn]
    writes: list[Write]
    knows: dict[str, str | None]
    book: SlotBook
    speaker: str
    notes: list[str]
    unlike: set[str]

    def messages(self, upto: int) -> list[Message]:
        """All that was said up to the end of a turn; 0 is before the first."""
        return [*self.greeting, *(each for turn in self.turns[:upto] for each in (turn.said, *turn.replies))]

    def calls(self, upto: int) -> list[Call]:
        """All that the agent called up to the end of a turn."""
        return [call for turn in self.turns[:upto] for call in turn.calls]

    def times(self, upto: int) -> list[Turn]:
        """The turns up to one."""
        return [
            Turn(
                turn.number,
                turn.said.at,
                max((reply.at for reply in turn.replies), default=turn.said.at),
                self.knows,
                turn.said.because.line if turn.said.because else None,
            )
            for turn in self.turns[:upto]
        ]

    def sandbox(self, upto: int, tracer: Tracer) -> OpenSandbox:
        """A sandbox in the state at the end of a turn, whose calls from now on have spans of this tracer."""
        opened = self.opening.open()
        for write in self.writes:
            if write.turn > upto:
                break
            opened.call(write.tool, write.arguments, turn=write.turn)
        opened.traced_by(tracer)
        return opened

    def comparable(self) -> Sequence[RecordedTurn]:
        """The turns up to the first that can't be held against the record, to the last of them that was answered."""
        found = takewhile(lambda turn: not (turn.answered and turn.why_not), self.turns)
        return self.turns[: last_answered(list(found))]


def last_answered(turns: Sequence[RecordedTurn]) -> int:
    """The number of the last of these turns that the agent answered; 0 if there is none."""
    return max((turn.number for turn in turns if turn.answered), default=0)
