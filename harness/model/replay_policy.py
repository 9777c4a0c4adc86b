"""How recordings of a workflow are replayed, as it is written in the workflow file."""

from __future__ import annotations

from typing import Annotated, Literal

from harness.model.scenario import Phrases
from harness.model.source import Item, Raw

ALL_TOOLS = "*"
"""Under `tools`: every tool that is not named there."""

Normaliser = Annotated[Literal["case", "spaces", "digits", "order"], Raw]


class ReplayPolicy(Item):
    """What answers the tools of a replayed conversation. `tools`: by name; the others run in the sandbox if it has
    them, else the recorded results answer. `ignore`: paths `tool.argument` or `tool.argument.field`, with `*` for any
    one step, which play no part in whether two calls are the same; `normalise`: paths whose texts are compared without
    `case`, with `spaces` folded, or by their `digits` alone, and whose lists without their `order`. `miss`: what comes
    of a call that no recorded result answers.
    """

    tools: dict[str, Annotated[Literal["sandbox", "recorded"], Raw]] = {}
    ignore: Phrases = []
    normalise: dict[str, list[Normaliser]] = {}
    miss: Annotated[Literal["stop", "sandbox", "error"], Raw] = "stop"
