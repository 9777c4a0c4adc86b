"""What holding an episode against one requirement gives: nothing missed, what was missed, or why nobody can tell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from harness.model.failure import Evidence
from harness.model.source import Item, Where
from harness.scoring.calls import Made
from harness.scoring.timeline import Step
from tools_sandbox.patterns import Matcher

Kind = Literal[
    "state", "unasked", "required", "in_order", "before", "never", "at_most", "says", "never_says",
    "outcome", "by_turn", "asks_before", "retained", "budget",
    "need", "limit",
]  # fmt: skip
"""The clause that was missed. `unasked`: something changed that nobody asked for. `need`, `limit`: those of a rule."""


@dataclass(frozen=True, slots=True)
class Miss:
    """One way in which an episode does not meet a requirement, not yet coded unless the author wrote a code.

    `step`: when it happened; of an omission, the end of the turns that it was looked for in. `made`: the offending
    call; `tool`: the one that was wanted (or not wanted); `need`: what had to come first; `words`: what no reply said.
    """

    kind: Kind
    text: str
    step: Step
    code: str | None = None
    made: Made | None = None
    tool: str | None = None
    need: str | None = None
    words: Matcher | None = None
    path: str | None = None
    quote: str | None = None
    expected: str | None = None
    actual: str | None = None
    where: Where | None = None

    @property
    def evidence(self) -> Evidence:
        """Where to look."""
        call = self.made[1] if self.made else None
        return Evidence(
            turn=self.step[0],
            call=call.id if call else None,
            span=call.span_id if call else None,
            path=self.path,
            quote=self.quote,
            where=str(self.where) if self.where else None,
        )


@dataclass(slots=True)  # not frozen: an episode is held against many
class Check:
    """One requirement and what was missed of it. `unjudged` says why it could not be told, if so."""

    kind: Kind
    misses: tuple[Miss, ...] = ()
    unjudged: str | None = None

    @property
    def met(self) -> bool:
        """Whether the requirement is known to hold."""
        return not self.misses and self.unjudged is None


def place(*items: Item | None) -> Where | None:
    """Where the first of these that knows its place stands in a file."""
    return next((item.at for item in items if item is not None and item.at is not None), None)
