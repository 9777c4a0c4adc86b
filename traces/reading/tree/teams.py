"""Teams of agents of which each step may be in a trace of its own."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from traces.reading.tree.forest import Node


def follow(leads: Iterable[Node], order: Iterable[Node]) -> None:
    """Makes the runs of a conversation parts of the last that leads before them: of what agents do in a team, each step
    may be in a trace of its own. What is said at last is the leading run's reply.
    """
    of: dict[str, list[Node]] = {}
    for node in leads:
        if node.facts.conversation is not None:
            of.setdefault(node.facts.conversation[0], []).append(node)
    told: dict[Node, list[Node]] = {}
    led: dict[Node, Node | None] = {}
    for node in order:
        run = node.run
        if run not in led:
            led[run] = _lead(of, run) if run.facts.kind == "agent" else None
        if (lead := led[run]) is not None and lead is not node:
            node.run = lead
        if node.facts.transcript is not None and not node.facts.leads and (lead := _lead(of, node)) is not None:
            told.setdefault(lead, []).append(node)
    for lead, answers in told.items():
        lead.facts.replied = partial(_last_words, answers)


def _lead(of: Mapping[str, Sequence[Node]], node: Node) -> Node | None:
    """The last of those that lead a conversation which began before this node of it."""
    before = of.get(node.facts.conversation[0], ()) if node.facts.conversation is not None else ()
    at = bisect_right(before, node.span.start, key=lambda lead: lead.span.start)
    return before[at - 1] if at else None


def _last_words(answers: Iterable[Node]) -> str | None:
    texts = (message.text for node in answers if node.facts.transcript for message in node.facts.transcript())
    return next(filter(None, reversed(list(texts))), None)
