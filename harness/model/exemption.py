"""What a team has taken out of its gate for a while, written in the workflow file: by whom, why, and until when."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from pydantic import AfterValidator

from harness.model.source import Day, Item, Text


def _said(text: str) -> str:
    if not text.strip() or text == "null":
        raise ValueError("it needs an owner and a reason, for whoever reads the report")
    return text


Said = Annotated[Text, AfterValidator(_said)]


class Exemption(Item):
    """It holds until the end of that day, and blocks the gate from then on."""

    owner: Said
    reason: Said
    until: Day

    def expired(self, day: date) -> bool:
        """Whether it had ended on a day."""
        return day > self.until


class Quarantine(Exemption):
    """A scenario that is played and shown, and counts in no rate and no rule."""

    scenario: Text


class Waiver(Exemption):
    """A rule that may fail: everywhere, or in the cells that have these values (`{family: refunds}`)."""

    rule: Text
    cell: dict[str, Text] = {}
