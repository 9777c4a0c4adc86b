"""What happened in an episode, in order: the steps that findings are dated by."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import inf

from harness.model.episode import Episode, Message
from tools_sandbox.call import Call

Step = tuple[int, int]
"""Turn and position within the turn. The user message that opens a turn has position 0."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """The events of an episode with their steps, earliest first. `ends` holds each turn's step after its last event."""

    user: tuple[tuple[Step, Message], ...]
    agent: tuple[tuple[Step, Message], ...]
    calls: tuple[tuple[Step, Call], ...]
    ends: dict[int, Step]

    @classmethod
    def of(cls, episode: Episode) -> Timeline:
        """Order messages and calls as they were recorded, turn by turn: the user's message, then the calls in the order
        in which they were answered, with the agent's words where they were said among them. No clock orders anything:
        it may be set back, or stand still.
        """
        said: list[tuple[int, float, int, Message | Call]] = []
        for message in episode.messages:
            place = -1 if message.role == "user" else inf if message.after is None else message.after
            said.append((message.turn, place, 0 if message.role == "user" else 2, message))
        made: list[tuple[int, float, int, Message | Call]] = []
        answered: Counter[int] = Counter()
        for call in episode.calls:
            answered[call.turn] += call.origin != "span"
            made.append((call.turn, answered[call.turn], 1, call))
        lanes: tuple[list[tuple[Step, Message]], list[tuple[Step, Call]], list[tuple[Step, Message]]] = ([], [], [])
        ends = {turn.number: (turn.number, 0) for turn in episode.turns}
        for turn, _, lane, event in sorted([*said, *made], key=lambda one: one[:3]):
            step = ends.get(turn, (turn, 0))
            lanes[lane].append((step, event))  # type: ignore[arg-type]
            ends[turn] = (turn, step[1] + 1)
        return cls(tuple(lanes[0]), tuple(lanes[2]), tuple(lanes[1]), ends)

    @property
    def last(self) -> int:
        """Number of the last turn; 0 if nothing was said."""
        return max(self.ends, default=0)

    @property
    def stop(self) -> Step:
        """The step of how the conversation ended: after everything that happened."""
        return self.ends.get(self.last, (0, 0))

    def missed(self, turn: int) -> Step:
        """The step of what never happened up to the end of a turn: after everything, how it ended included."""
        number, position = self.ends.get(turn, (turn, 0))
        return number, position + 1
