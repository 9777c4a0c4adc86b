"""What a difference means: whether the new side is the same, benign, better or worse, and by what evidence.

A divergence is no failure. What was judged of both sides comes first (rules, safety, the task, whatever else); where no
judgement covers a write that differs, the end states must be equal, or it counts as worse.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass

from harness.model.replay import Divergence, DivergenceKind, Finding, Side, Verdict
from harness.model.status import Judgement, Status
from harness.replay.canonical import canonical, frozen
from tools_sandbox.call import Call, net_changes
from tools_sandbox.schema import SandboxSchema

TASK = "task_success"
"""The judgement that says whether the right things were done."""

_UNCOVERED = "no judgement and no end state shows that it is right"
_GONE = "removed"


def judge(
    recorded: Side, new: Side, divergences: Sequence[Divergence], schema: SandboxSchema, free: Collection[str] = ()
) -> Finding:
    """What the differences of two sides mean. `divergences`: as `compare` tells them; `free`: state that may always
    change, as paths `table.key.field`.

    Worse: a judgement that passed fails now; one of the critical ones fails that did not fail before; or a write
    differs, and neither a passed task nor an equal end state covers it. Not comparable, if nothing is worse: what
    passed can't be judged any more. Better, if nothing is either: a judgement that failed passes now, or a critical one
    finds nothing left to fail. What was left out or done otherwise is covered by that too; what was added is not.
    """
    weighed = _Weighed.of(recorded, new)
    open_, told = _open_writes(recorded, new, divergences, schema, free)
    if any(name in new.critical | recorded.critical for name in weighed.mended):
        open_ = [each for each in open_ if each.kind is DivergenceKind.EXTRA_WRITE]
    uncovered = [
        f"turn {each.turn}: {each.why}; no judgement and no end state shows that it is right" for each in open_
    ]
    evidence = (*weighed.broken.values(), *uncovered, *weighed.lost, *weighed.mended.values(), *told)
    if weighed.broken or uncovered:
        worse_by = dict.fromkeys([*weighed.broken, *(f"{each.kind.value} {each.tool}" for each in open_)])
        return Finding(Verdict.WORSE, evidence, tuple(divergences), tuple(worse_by))
    if weighed.lost:
        return Finding(Verdict.NOT_COMPARABLE, evidence, tuple(divergences))
    if weighed.mended:
        return Finding(Verdict.BETTER, evidence, tuple(divergences))
    if divergences:
        return Finding(Verdict.BENIGN, (*evidence, "nothing that is judged is worse"), tuple(divergences))
    return Finding(Verdict.SAME, ())


@dataclass(frozen=True, slots=True)
class _Weighed:
    """The judgements of both sides held against each other, in words by name: `broken` fail now, `mended` failed
    before; `lost` passed and can't be judged now.
    """

    broken: dict[str, str]
    mended: dict[str, str]
    lost: tuple[str, ...]

    @classmethod
    def of(cls, recorded: Side, new: Side) -> _Weighed:
        broken, mended, lost = {}, {}, []
        for name in dict.fromkeys([*new.judgements, *recorded.judgements]):
            was, now = recorded.judgements.get(name), new.judgements.get(name)
            critical = name in recorded.critical or name in new.critical
            before, after = (None if one is None else one.status for one in (was, now))
            if after is Status.FAILED and (before is Status.PASSED or (critical and before is not Status.FAILED)):
                broken[name] = f"{name} fails now{_because(now)}"
            elif before is Status.FAILED and (after is Status.PASSED or (critical and after is Status.NOT_APPLICABLE)):
                mended[name] = f"{name} failed before{_because(was)}"
            elif before is Status.PASSED and after in (None, Status.NOT_JUDGED):
                lost.append(f"{name} passed before, and is not judged now{_because(now)}")
        return cls(broken, mended, tuple(lost))


def _because(judgement: Judgement | None) -> str:
    return f": {judgement.reason}" if judgement is not None and judgement.reason else ""


def _open_writes(
    recorded: Side, new: Side, divergences: Sequence[Divergence], schema: SandboxSchema, free: Collection[str]
) -> tuple[list[Divergence], list[str]]:
    """The differences in what was done that nothing covers; and in words what covers the others."""
    done = [each for each in divergences if each.write and _did(each, recorded, new, free)]
    if not done:
        return [], []
    task = new.judgements.get(TASK)
    if task is not None and task.status is Status.PASSED:
        return [], [f"what was written differs, and {TASK} passed"]
    before, after = _end_state(recorded, schema, free), _end_state(new, schema, free)
    if before is not None and before == after:
        return [], ["what was written differs, and the end state is the same"]
    return done, []


def _did(divergence: Divergence, recorded: Side, new: Side, free: Collection[str]) -> bool:
    """Whether a call behind the difference changed anything that counts, or may have. That the same call is answered
    otherwise is none of the agent's doing, as long as it succeeds.
    """
    sides = ((recorded, divergence.recorded), (new, divergence.new))
    calls = [side.calls[place] for side, place in sides if place is not None]
    if divergence.kind is DivergenceKind.OTHER_OUTCOME and len({call.ok for call in calls}) == 1:
        return False
    return any(_unseen(call) or call.alters(free) for call in calls)


def _unseen(call: Call) -> bool:
    """Whether nobody saw what a write that may have been done has changed: a recording often tells no more than that it
    was made.
    """
    return call.may_be_done and (call.origin != "sandbox" or not call.changes)


def _end_state(side: Side, schema: SandboxSchema, free: Collection[str]) -> dict[tuple[str, str, str], Hashable] | None:
    """What the calls of a side left behind, by table, key and field; None where that was not seen of all writes."""
    for call in side.calls:
        spec = schema.tools.get(call.tool)
        if (spec.kind if spec else call.kind) != "reads" and _unseen(call):
            return None
    return {
        (change.table, change.key, name): _GONE
        if change.after is None
        else (frozen(canonical(change.after.get(name))),)
        for change in net_changes(side.calls)
        for name in change.beyond(free)
    }
