"""What a miss was: one ordered table of detectors, each looking for the trace that a kind of failure leaves.

The first detector that finds its trace gives the code, the step and the evidence. What an author coded keeps its code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from harness.model.failure import UNKNOWN, Finding
from harness.scoring import clues
from harness.scoring.astray import reason
from harness.scoring.calls import Made
from harness.scoring.checks import Kind, Miss
from harness.scoring.efficiency import repeated
from harness.scoring.window import Window
from tools_sandbox.values import show


@dataclass(frozen=True, slots=True)
class Detector:
    """Explains misses of some kinds by one failure code, if it finds the trace of it."""

    code: str
    kinds: frozenset[Kind]
    trace: Callable[[Miss, Window], clues.Clue | None]


def _kinds(*kinds: Kind) -> frozenset[Kind]:
    return frozenset(kinds)


_LACKS = _kinds("required", "in_order", "state")
_LEFT_OUT = _LACKS | _kinds("says", "outcome")

DETECTORS: tuple[Detector, ...] = (
    Detector("FL3", _kinds("budget", "by_turn"), clues.itself),
    Detector("UN2", _kinds("retained"), clues.itself),
    Detector("X2", _LACKS, clues.broken_tool),
    Detector("PO3", _kinds("unasked", "never", "at_most"), clues.hand_over),
    Detector("TO5", _kinds("unasked", "never", "at_most"), clues.unwanted_write),
    Detector("TO5", _kinds("asks_before"), clues.itself),
    Detector("FL1", _kinds("at_most"), clues.equal_calls),
    Detector("PO1", _kinds("never", "at_most", "limit", "never_says"), clues.itself),
    Detector("SA2", _kinds("before", "need"), clues.unproved),
    Detector("TO5", _kinds("before", "need"), clues.unconfirmed),
    Detector("TO2", _LACKS, clues.wrong_value),
    Detector("TO2", _LACKS, clues.refused_value),
    Detector("TO3", _LACKS, clues.malformed_call),
    Detector("FL4", _LEFT_OUT, clues.crash),
    Detector("FL1", _LEFT_OUT, clues.limit_hit),
    Detector("PO3", _LEFT_OUT | _kinds("need"), clues.missed_hand_over),
    Detector("PO3", _LEFT_OUT, clues.hand_over),
    Detector("PO2", _LEFT_OUT, clues.refusal),
    Detector("TO4", _LACKS, clues.ignored_error),
    Detector("FL1", _LEFT_OUT, clues.loop),
    Detector("FL2", _LEFT_OUT, clues.promise),
    Detector("KN1", _kinds("says"), clues.nowhere_known),
    Detector("KN2", _kinds("says"), clues.not_retrieved),
    Detector("KN3", _kinds("says"), clues.not_told),
    Detector("UN1", _kinds("state", "says"), clues.dropped_part),
    Detector("TO1", _LACKS, clues.itself),
    Detector("PO1", _kinds("before", "need"), clues.itself),
    Detector("PO1", _kinds("outcome"), clues.granted),
)
"""First come, first served: over-broad explanations stand below the ones with evidence of their own."""


def finding(miss: Miss, window: Window) -> Finding:
    """The miss as a finding, coded by its author or by the first detector that explains it, else `unknown`."""
    code, clue = miss.code, None
    if code is None:
        code, clue = next(_explained(miss, window), (UNKNOWN, None))
    evidence, step, text = miss.evidence, miss.step, miss.text
    if clue is not None:
        step = clue.step
        evidence = replace(evidence, turn=step[0], quote=clue.quote or evidence.quote)
        if clue.call is not None:
            evidence = replace(evidence, call=clue.call.id, span=clue.call.span_id)
            if not clue.call.ok and (why := show(reason(clue.call))) not in text:
                text = f"{text} ({show(clue.call.tool)} failed: {why})"
    return Finding(text, code, step, evidence, miss.expected, miss.actual, clue.layer if clue is not None else 0)


def _explained(miss: Miss, window: Window) -> Iterator[tuple[str, clues.Clue]]:
    for detector in DETECTORS:
        if miss.kind in detector.kinds and (clue := detector.trace(miss, window)) is not None:
            yield detector.code, clue


def slips(window: Window, findings: list[Finding]) -> Iterator[Finding]:
    """What went wrong and broke no requirement in the end: malformed calls, repetition, writes that were undone."""
    blamed = {one.evidence.call for one in findings}
    unused = [made for made in window.calls if made[1].id not in blamed]
    for made in unused:
        if clues.malformed(made[1]):
            yield _slip(f"a call went wrong: {show(made[1].error.text if made[1].error else None)}", "TO3", made)
    for made, again in zip(window.calls, repeated([call for _, call in window.calls]), strict=True):
        if again and made in unused:
            yield _slip(f"{show(made[1].tool)} was called again with the same arguments", "FL1", made)
    still = {(change.table, change.key) for change in window.changes}
    for made in unused:
        undone = [change for change in made[1].changes if (change.table, change.key) not in still]
        if undone:
            yield _slip(
                f"{made[1].tool} changed {undone[0].table}.{undone[0].key}, which was undone later", "TO5", made
            )


def _slip(text: str, code: str, made: Made) -> Finding:
    miss = Miss("never", text, made[0], code, made=made)
    return Finding(text, code, made[0], miss.evidence, recovered=True)
