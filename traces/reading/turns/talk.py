"""A conversation while its turns are put together."""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from dataclasses import dataclass, field

from traces.reading.drafts import Draft
from traces.reading.tree.forest import Node


@dataclass(slots=True)
class Talk:
    """What the model calls tell of a conversation: its turns in order, and its system prompt.

    That is the one of the first call that begins what others go on from, for routers and guards lead nowhere; else the
    first. `anew`: how many turns behind the first begin as if nothing had been said before, and no mark says that they
    belong to those before.
    """

    drafts: list[Draft] = field(default_factory=list)
    system: str | None = None
    anew: int = 0
    notes: list[str] = field(default_factory=list)
    _runs: dict[Node, list[Draft]] = field(default_factory=dict, init=False)
    _place: dict[Draft, int] = field(default_factory=dict, init=False)

    def open(self, run: Node) -> Draft:
        """A new turn, that this run handles."""
        draft = Draft()
        self._place[draft] = len(self.drafts)
        self.drafts.append(draft)
        self.take_part(run, draft)
        return draft

    def take_part(self, run: Node, draft: Draft) -> None:
        """Notes that this run is a part of the turn's handling."""
        if run not in draft.runs:
            draft.runs[run] = None
            insort(self._runs.setdefault(run, []), draft, key=self._place.__getitem__)

    def behind(self, draft: Draft) -> Sequence[Draft]:
        """The turns behind one."""
        return self.drafts[self._place[draft] + 1 :]

    def of_run(self, run: Node, start: int) -> Draft | None:
        """The turn of a run that was open at this time, the run's first if none was; None if it has none."""
        turns = self._runs.get(run)
        if turns is None:
            return None
        return next((draft for draft in reversed(turns) if draft.has_begun(start)), turns[0])
