"""Runs that came to nothing: each is a turn, though often only the next history tells what the user said in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from traces.reading.drafts import Draft
from traces.reading.tree.forest import Node


def fruitless(runs: Iterable[Node], drafts: Sequence[Draft]) -> list[Node]:
    """Those of the runs that died, or were stopped, before any model call of theirs was told of: they have no turn.

    Unless their user's words stand in one all the same: of their own trace, where spans between did not come; or
    without a model call, for then an application answered in the agent's place.
    """
    handled = {run for draft in drafts for run in draft.runs}
    left = [run for run in runs if run not in handled and run.facts.said and not run.facts.replied]
    if not left:
        return []
    told = {text for draft in drafts if not draft.calls for text in draft.said}
    own = {(run.span.trace_id, "\n".join(draft.said)) for draft in drafts for run in draft.runs}
    return [run for run in left if run.facts.said not in told and (run.span.trace_id, run.facts.said) not in own]


def give_back(drafts: Iterable[Draft]) -> None:
    """Gives those that came to nothing what the user said in them, where the next turn has it before its own."""
    silent: list[Draft] = []
    before: Draft | None = None
    for draft in drafts:
        if before is not None and len(draft.said) > 1 and _is_guarded(before, draft):
            before.said, before.reply = [draft.said.pop(0)], None
        for one in silent[1 - len(draft.said) :] if len(draft.said) > 1 else ():
            heard = next((run.facts.said for run in one.runs if run.facts.said), None)
            if heard is None or heard == draft.said[0]:
                one.said.append(draft.said.pop(0))
        if draft.said:
            silent.clear()
        elif draft.reply is None and all(call.failed or not (call.given or call.usage) for call in draft.calls):
            silent.append(draft)
        before = draft


def _is_guarded(before: Draft, draft: Draft) -> bool:
    """Whether in the turn before only a guard was asked, which stopped it: its prompt has the user's words in it, and
    is not in the history that tells them.
    """
    asked = "\n".join(before.said)
    told = {atom.text for call in draft.calls for atom in call.atoms or ()}
    return draft.said[0] in asked and told.isdisjoint(before.said)
