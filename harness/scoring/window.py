"""The part of a conversation that an expectation is held against: all of it, or one scripted line's turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from harness.model.episode import Episode, Message
from harness.model.expect import Outcome
from harness.model.material import Material
from harness.scoring.calls import Made
from harness.scoring.timeline import Step, Timeline
from tools_sandbox.call import Call, Change
from tools_sandbox.state import EndState


@dataclass(frozen=True, slots=True)
class Window:
    """Turns `first` to `last`, both included, with the calls and replies in them and the state at their end.

    `final`: the whole conversation. `changes`: rows that differ from the start state at that point.
    """

    episode: Episode
    material: Material
    timeline: Timeline
    first: int
    last: int
    final: bool
    calls: tuple[Made, ...]
    replies: tuple[tuple[Step, Message], ...]
    changes: Sequence[Change]
    state: EndState

    @classmethod
    def whole(cls, episode: Episode, material: Material, timeline: Timeline) -> Window:
        """The whole conversation."""
        state = EndState(material.start, episode.state_changes)
        return cls(
            episode,
            material,
            timeline,
            1,
            timeline.last,
            True,
            timeline.calls,
            timeline.agent,
            episode.state_changes,
            state,
        )

    @classmethod
    def of_line(cls, line: int, episode: Episode, material: Material, timeline: Timeline) -> Window | None:
        """From a scripted line up to the next one; None if the line was never said."""
        turns = [turn.number for turn in episode.turns if turn.scripted == line]
        if not turns:
            return None
        first, last = turns[0], turns[-1]
        changes = (
            episode.state_changes
            if last == timeline.last
            else net([call for call in episode.calls if call.turn <= last])
        )
        return cls(
            episode,
            material,
            timeline,
            first,
            last,
            False,
            tuple(made for made in timeline.calls if first <= made[0][0] <= last),
            tuple(reply for reply in timeline.agent if first <= reply[0][0] <= last),
            changes,
            EndState(material.start, changes),
        )

    @property
    def missed(self) -> Step:
        """The step of what never happened in these turns."""
        return self.timeline.missed(self.last)

    @property
    def outcome(self) -> Outcome:
        """The outcome at the end of these turns: that of the episode if they end it; before, what the last successful
        call that ends something stands for, or `refused` if the last reply is a refusal, or `open`.
        """
        if self.last == self.timeline.last:
            return self.episode.outcome
        if (ended := self.ended_by()) is not None:
            return ended[1].ends  # type: ignore[return-value]
        return "refused" if self.replies and self.replies[-1][1].refusal else "open"

    def ended_by(self) -> Made | None:
        """The last successful call so far that stands for an outcome."""
        calls = reversed(self.timeline.calls)
        return next((made for made in calls if made[0][0] <= self.last and made[1].ok and made[1].ends), None)

    def changed_by(self, table: str, key: str, field: str | None = None) -> Made | None:
        """The last call so far that changed a row, or one field of it."""
        for made in reversed(self.timeline.calls):
            if made[0][0] <= self.last:
                for change in made[1].changes:
                    if (change.table, change.key) == (table, key) and (field is None or field in change.fields):
                        return made
        return None


def net(calls: Sequence[Call]) -> list[Change]:
    """What the changes of calls, in order, add up to, row by row; rows that are as before are left out."""
    rows: dict[tuple[str, str], Change] = {}
    for call in calls:
        for change in call.changes:
            earlier = rows.get((change.table, change.key))
            rows[change.table, change.key] = replace(change, before=earlier.before) if earlier else change
    return [change for change in rows.values() if change.before != change.after]
