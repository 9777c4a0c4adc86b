"""What can be said of turns that ended at a call which no recorded result answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness.model.replay import DivergenceKind, Finding, ReplayResult, Side, Verdict
from harness.replay.divergence.comparison import compare
from harness.replay.divergence.verdict import judge
from harness.replay.setting import Setting
from tools_sandbox.call import Call

_DONE = (DivergenceKind.CHANGED_ARGUMENT, DivergenceKind.EXTRA_READ, DivergenceKind.EXTRA_WRITE)
"""What shows in what was called so far; what is missing might still have come."""


def at_the_miss(recorded: Side, made: Sequence[Call], stopped: Call, setting: Setting) -> tuple[Side, Finding]:
    """The turn as far as it went, and what it means: a write that differs counts, whatever its result would have been;
    else nothing is known.
    """
    new = Side((*made, stopped), ())
    found = compare(recorded, new, setting.schema, setting.policy.canon).divergences
    divergences = [each for each in found if each.kind in _DONE]
    told = judge(recorded, new, divergences, setting.schema, setting.free)
    if told.verdict is Verdict.WORSE:
        return new, told
    why = f"no recorded result answers `{stopped.tool}`, so the rest of the turn is not known"
    return new, Finding(Verdict.NOT_COMPARABLE, (why,), tuple(divergences))


def writes_at_misses(old: ReplayResult, new: ReplayResult, setting: Setting) -> Iterator[tuple[int, Finding]]:
    """The turns of the new version that ended so, and had called a write by then that the other version, which was
    asked the same, had not called: nobody knows the rest of such a turn, but what was tried in it counts.
    """
    there = {turn.turn: turn.new for turn in old.turns if turn.new is not None and not turn.simulated}
    for turn in new.turns:
        if turn.compared or turn.finding is None or turn.new is None or (then := there.get(turn.turn)) is None:
            continue
        *made, stopped = turn.new.calls
        _, finding = at_the_miss(then, made, stopped, setting)
        if finding.verdict is Verdict.WORSE:
            yield turn.turn, finding
