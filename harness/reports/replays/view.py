"""What a report on a replay shows: the counts, the gate, and those recordings that somebody should look at."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from harness.model.replay import Divergence, ReplayedTurn, ReplayResult, ReplaySummary, Verdict
from harness.model.result import GateVerdict
from harness.store.replays import ReplayRecord

TOLD = (Verdict.WORSE, Verdict.NOT_COMPARABLE, Verdict.BETTER, Verdict.BENIGN)
"""The verdicts whose recordings are told one by one, first things first; of what is the same there is nothing to
tell.
"""
_OF_EACH = 5
_REASONS = 8


@dataclass(frozen=True, slots=True)
class ReplayView:
    """A replay that came to its end, or as far as it got. `old`: what the other version's own replays came to. `told`:
    some recordings of each verdict, `more` how many there are besides.
    """

    record: ReplayRecord
    summary: ReplaySummary
    verdict: GateVerdict
    told: tuple[ReplayResult, ...]
    more: dict[Verdict, int]
    old: ReplaySummary | None = None
    notes: tuple[str, ...] = ()


def worth_telling(results: Iterable[ReplayResult]) -> tuple[tuple[ReplayResult, ...], dict[Verdict, int]]:
    """Some results of each verdict, the first things first, and how many of each are left out."""
    found: dict[Verdict, list[ReplayResult]] = defaultdict(list)
    more: dict[Verdict, int] = {}
    for result in results:
        verdict = result.decisive.verdict
        if verdict not in TOLD:
            continue
        if len(found[verdict]) < _OF_EACH:
            found[verdict].append(result)
        else:
            more[verdict] = more.get(verdict, 0) + 1
    return tuple(result for verdict in TOLD for result in found[verdict]), more


def opening(result: ReplayResult) -> str:
    """What the user said first: by it people know a conversation, not by its id. Empty where nobody said anything."""
    return next((turn.user for turn in result.turns if turn.user.strip()), "")


def first_unfit(result: ReplayResult) -> ReplayedTurn | None:
    """The recorded turn that no longer fits, if there is one."""
    return next((turn for turn in result.turns if not turn.fit.fits), None)


def reasons(summary: ReplaySummary) -> list[tuple[str, int]]:
    """What most often makes a recording worse, and of how many."""
    return list(summary.worse_by.items())[:_REASONS]


def words(verdict: Verdict) -> str:
    """`not comparable`."""
    return verdict.value.replace("_", " ")


def divergence_text(divergence: Divergence) -> str:
    """`turn 2: changed argument: …`."""
    return f"turn {divergence.turn}: {divergence.kind.value}: {divergence.why}"
