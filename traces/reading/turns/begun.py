"""The turns of a conversation as time goes by: which of them have begun."""

from __future__ import annotations

from traces.reading.drafts import Draft
from traces.reading.tree.forest import Node


class Begun:
    """Takes the conversation's turns, in their order, and is asked about ever later times, in nanoseconds since the
    epoch. Turns that are new go into that very list.
    """

    def __init__(self, drafts: list[Draft]) -> None:
        self._all, self._known = drafts, list(drafts)
        self._place = {draft: place for place, draft in enumerate(drafts)}
        self._coming = sorted([(draft.start or 0, place) for place, draft in enumerate(drafts)], reverse=True)
        self._first = {run: draft for draft in reversed(drafts) for run in draft.runs}
        self._begun: set[Draft] = set()
        self._of_run: dict[Node, Draft] = {}
        self._latest: Draft | None = None
        self._front = 0

    def of(self, run: Node, time: int) -> Draft | None:
        """The last of the run's turns that have begun, its first if none has; None if it has none."""
        self._go_on(time)
        return self._of_run.get(run) or self._first.get(run)

    def latest(self, time: int) -> Draft | None:
        """The last of all turns that have begun."""
        self._go_on(time)
        return self._latest

    def begin(self, draft: Draft) -> None:
        """Notes that a turn has begun by now, whatever it was known of before."""
        if draft in self._begun:
            return
        self._begun.add(draft)
        self._latest = self._later(self._latest, draft)
        for run in draft.runs:
            self._of_run[run] = self._later(self._of_run.get(run), draft)

    def new(self, run: Node, time: int) -> Draft:
        """A turn of a run that has none, before the first of those that are yet to begin."""
        self._go_on(time)
        while self._front < len(self._known) and self._known[self._front] in self._begun:
            self._front += 1
        draft = Draft(runs={run: None})
        self._place[draft] = self._front - 1
        self._all.insert(self._front + len(self._all) - len(self._known), draft)
        self.begin(draft)
        return draft

    def _go_on(self, time: int) -> None:
        while self._coming and self._coming[-1][0] <= time:
            self.begin(self._known[self._coming.pop()[1]])

    def _later(self, one: Draft | None, other: Draft) -> Draft:
        return other if one is None or self._place[one] <= self._place[other] else one
