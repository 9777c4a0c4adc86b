"""`turngate rescore`: a stored run scored again from the store alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from harness.cli.counting import counted
from harness.cli.exits import Exit
from harness.cli.names import find_run
from harness.cli.out import console
from harness.model.result import Decision, GateVerdict
from harness.reports.printable import printable, short
from harness.reports.traces.words import many
from harness.reports.wording import verdict_words
from harness.runs.decided import NothingToDecide, decided
from harness.runs.rescore import Flip, Rescored
from harness.runs.rescore import rescore as rescore_run
from harness.store.places import open_store
from harness.store.records import RunRecord
from harness.store.store import Store


def rescore(name: str | None, place: str | None) -> int:
    """Score again, and say which verdicts and metrics changed, by which versions of the scorers, and what the gate
    makes of it.
    """
    out = console()
    with open_store(place, must_exist=True) as store:
        run = find_run(store, name)
        before = _verdict(store, run)
        scored = changed = 0
        versions: Counter[tuple[str, str | None, str | None]] = Counter()
        for change in counted(rescore_run(store, run.id), "scoring again, episodes"):
            scored += 1
            changed += change.before != change.after
            versions.update((flip.metric, flip.version_before, flip.version_after) for flip in change.flips)
            for line in _lines(change):
                out.print(line, soft_wrap=True)
        after = _verdict(store, run)
        purged = store.retention.purged()[run.id]
    out.print(f"run {run.id}: {scored} episodes scored again, {changed} verdict(s) changed")
    for (metric, then, now), number in sorted(versions.items(), key=str):
        out.print(f"  {printable(metric)}, {_versions(then, now)}: {many(number, 'episode')} otherwise")
    if purged:
        out.print(f"  {many(purged, 'episode')} not scored again: their words were purged")
    for line in [] if before is None or after is None else _gates(before, after):
        out.print(printable(line), soft_wrap=True)
    return Exit.PASSED


def _verdict(store: Store, run: RunRecord) -> GateVerdict | None:
    try:
        return decided(store, run).verdict
    except NothingToDecide:
        return None


def _lines(change: Rescored) -> Iterator[str]:
    if change.before != change.after:
        yield f"{short(change.key.id)}: {change.before or 'not scored'} -> {change.after}"
    elif change.flips:
        yield f"{short(change.key.id)}: {change.after} as before"
    for flip in change.flips:
        yield f"  {printable(flip.metric)}: {_outcomes(flip)}"


def _outcomes(flip: Flip) -> str:
    outcomes = f"{flip.before or 'not scored'} -> {flip.after or 'not scored'}"
    return f"{outcomes} ({_versions(flip.version_before, flip.version_after)})"


def _versions(before: str | None, after: str | None) -> str:
    return f"version {before}" if before == after else f"version {before or '-'} -> {after or '-'}"


def _gates(before: GateVerdict, after: GateVerdict) -> Iterator[str]:
    """What became of the gate, and of the rules that say otherwise."""
    words = [verdict_words(verdict).words for verdict in (before, after)]
    yield words[1] + (", as before" if words[0] == words[1] else f", and was: {words[0]}")
    decisions = [_decisions(verdict) for verdict in (before, after)]
    for rule in dict.fromkeys((*decisions[0], *decisions[1])):
        then, now = (found.get(rule) for found in decisions)
        if then is not now:
            yield f"  {rule}: {then.value if then else 'not there'} -> {now.value if now else 'not there'}"


def _decisions(verdict: GateVerdict) -> dict[str, Decision]:
    """By rule and cell."""
    cells = ((rule, " ".join(f"{name}={value}" for name, value in rule.cell.items())) for rule in verdict.rules)
    return {f"{rule.rule}{f' ({cell})' if cell else ''}": rule.decision for rule, cell in cells}
