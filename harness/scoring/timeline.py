"""What happened in an episode, in order: the steps that findings are dated by."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from operator import itemgetter

from harness.model.episode import Episode, Message
from tools_sandbox.call import Call

Step = tuple[int, int]
"""Turn and position within the turn. The user message that opens a turn has position 0."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """The events of an episode with their steps, earliest first, all of them and by kind. `ends` holds each turn's step
    after its last event.
    """

    events: tuple[tuple[Step, Message | Call], ...]
    user: tuple[tuple[Step, Message], ...]
    agent: tuple[tuple[Step, Message], ...]
    calls: tuple[tuple[Step, Call], ...]
    ends: dict[int, Step]
    last: int
    """Number of the last turn; 0 if nothing was said."""

    @classmethod
    def of(cls, episode: Episode) -> Timeline:
        """Order messages and calls as they were recorded, turn by turn: the user's message, then the calls in the order
        in which they were answered, with the agent's words where they were said among them. No clock orders anything:
        it may be set back, or stand still.
        """
        ends = {turn.number: (turn.number, 0) for turn in episode.turns}
        events: list[tuple[Step, Message | Call]] = []
        user: list[tuple[Step, Message]] = []
        agent: list[tuple[Step, Message]] = []
        calls: list[tuple[Step, Call]] = []
        for (turn, _, _), event in sorted(_placed(episode), key=itemgetter(0)):
            step = ends.get(turn, (turn, 0))
            ends[turn] = (turn, step[1] + 1)
            events.append((step, event))
            if isinstance(event, Call):
                calls.append((step, event))
            elif event.role == "user":
                user.append((step, event))
            else:
                agent.append((step, event))
        return cls(tuple(events), tuple(user), tuple(agent), tuple(calls), ends, max(ends, default=0))

    @property
    def stop(self) -> Step:
        """The step of how the conversation ended: after everything that happened."""
        return self.ends.get(self.last, (0, 0))

    def missed(self, turn: int) -> Step:
        """The step of what never happened up to the end of a turn: after everything, how it ended included."""
        number, position = self.ends.get(turn, (turn, 0))
        return number, position + 1


def _placed(episode: Episode) -> list[tuple[tuple[int, float, int], Message | Call]]:
    """Messages and calls, each with its turn, the calls of the turn on record by then, and what precedes what there."""
    placed: list[tuple[tuple[int, float, int], Message | Call]] = [
        ((said.turn, -1, 0) if said.role == "user" else (said.turn, inf if said.after is None else said.after, 2), said)
        for said in episode.messages
    ]
    answered: dict[int, int] = {}
    for call in episode.calls:
        answered[call.turn] = answered.get(call.turn, 0) + (call.origin != "span")
        placed.append(((call.turn, answered[call.turn], 1), call))
    return placed
