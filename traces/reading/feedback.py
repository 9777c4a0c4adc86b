"""Feedback and scores that came with the telemetry, and the turn that each is about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from traces.conversation import Feedback
from traces.dialects.evaluations import evaluation
from traces.log_record import LogRecord
from traces.reading.drafts import Draft
from traces.reading.tree.forest import Node

RESPONSE = "gen_ai.response.id"


def judgements(drafts: Sequence[Draft], nodes: Sequence[Node], loose: Sequence[LogRecord]) -> tuple[Feedback, ...]:
    """Each judgement with the turn of the span it stands on, links to, or whose response it names; in that order."""
    return tuple(_found(drafts, nodes, loose))


def _found(drafts: Sequence[Draft], nodes: Sequence[Node], loose: Sequence[LogRecord]) -> Iterator[Feedback]:
    if not loose and not any(node.facts.feedback for node in nodes):
        return
    turns, runs = _turns(drafts), _runs(drafts)
    spans = {(node.span.trace_id, node.span.span_id): node for node in nodes}
    responses: dict[str | None, int | None] = {
        call.first("response_id"): at for at, draft in enumerate(drafts) for call in draft.calls
    }
    responses[None] = None
    for node in nodes:
        for judgement in node.facts.feedback:
            linked = [spans[key] for key in node.span.links if key in spans]
            turn = responses.get(_response(judgement))
            if turn is None:
                turn = next(
                    (found for seen in (*linked, node) if (found := _turn(seen, turns, runs)) is not None), None
                )
            yield replace(judgement, turn=turn)
    for record in loose:
        loner = evaluation(record)
        if loner is not None:
            yield replace(loner, turn=responses.get(_response(loner)))


def _response(judgement: Feedback) -> str | None:
    first = judgement.origin[0]
    named = first.attributes.get(RESPONSE) if isinstance(first, LogRecord) else None
    return named if isinstance(named, str) else None


def _turns(drafts: Sequence[Draft]) -> dict[Node, int]:
    """The turn of every span that a turn is made of."""
    found: dict[Node, int] = {}
    for at, draft in enumerate(drafts):
        for item in draft.items:
            if isinstance(item, Node):
                found[item] = at
            else:
                found.update(dict.fromkeys(item.nodes if hasattr(item, "nodes") else item.spans, at))
    return found


def _runs(drafts: Sequence[Draft]) -> dict[Node, int]:
    """The turn of every run that has but one."""
    turns = Counter([run for draft in drafts for run in draft.runs])
    return {run: at for at, draft in enumerate(drafts) for run in draft.runs if turns[run] == 1}


def _turn(node: Node, turns: Mapping[Node, int], runs: Mapping[Node, int]) -> int | None:
    """The turn of a span: its own, that of a span above it, or that of its run where the run has but one."""
    return next((turns[seen] for seen in chain((node,), node.above()) if seen in turns), runs.get(node.run))
