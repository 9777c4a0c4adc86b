"""Two trajectories compared: step by step, with a name for every difference."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from harness.model.replay import Divergence, DivergenceKind, Side
from harness.replay.canonical import Canon, typed
from harness.replay.divergence.acts import acts
from harness.replay.divergence.alignment import align
from harness.replay.divergence.naming import Step, steps
from tools_sandbox.schema import SandboxSchema


@dataclass(frozen=True, slots=True)
class Comparison:
    """`steps`: every call of both sides, in the order in which they were made. `divergences`: every difference, the
    first one first; those of calls are in `steps` too.
    """

    steps: tuple[Step, ...]
    divergences: tuple[Divergence, ...]


def compare(recorded: Side, new: Side, schema: SandboxSchema, canon: Canon | None = None) -> Comparison:
    """Align two sides and name their differences. `schema`: which tools write, and the types of arguments; `canon`:
    which arguments count, by default all, read through those types.
    """
    canon = canon or typed(schema)
    mine, theirs = (tuple(acts(side.calls, schema, canon)) for side in (recorded, new))
    found = tuple(steps(align(mine, theirs)))
    told = [step.divergence for step in found if step.divergence is not None]
    told += _wording(recorded, new, {divergence.turn for divergence in told})
    told.sort(key=lambda divergence: divergence.turn)  # stable: within a turn calls stay in order, before the words
    return Comparison(found, (*told, *_outcome(recorded, new)))


def _wording(recorded: Side, new: Side, told: Collection[int]) -> Iterator[Divergence]:
    """The turns in which only the words differ, white space apart."""
    mine, theirs = _words(recorded), _words(new)
    for turn in sorted(mine.keys() | theirs.keys()):
        if turn in told or mine.get(turn) == theirs.get(turn):
            continue
        both = turn in mine and turn in theirs
        why = "the same calls, other words" if both else "something is said on one side alone"
        yield Divergence(DivergenceKind.WORDING_ONLY, turn, why)


def _outcome(recorded: Side, new: Side) -> Iterator[Divergence]:
    """How the conversation came out, where both sides tell."""
    if recorded.outcome is None or new.outcome is None or recorded.outcome == new.outcome:
        return
    last = max((turn for turn, _ in (*recorded.replies, *new.replies)), default=0)
    why = f"the conversation comes out {new.outcome} instead of {recorded.outcome}"
    yield Divergence(DivergenceKind.OTHER_OUTCOME, last, why)


def _words(side: Side) -> dict[int, list[str]]:
    found: dict[int, list[str]] = defaultdict(list)
    for turn, text in side.replies:
        found[turn] += text.split()
    return found
