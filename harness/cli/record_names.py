"""The short ways in which people name recordings, and the conditions that they type."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness.cli.exits import Exit, UserError
from harness.replay.recordings.where import Condition
from harness.store.ambiguous import ambiguous
from harness.store.recording_rows import RecordingSummary
from harness.store.store import Store


def conditions_of(where: Sequence[str]) -> list[Condition]:
    """The conditions of a command. Raises UserError for what can't be meant."""
    try:
        return [Condition.parse(text) for text in where]
    except ValueError as problem:
        raise UserError(f"--where {problem}") from None


def find_recording(store: Store, name: str) -> RecordingSummary:
    """The recording of that id, or the only one whose id begins so."""
    found = store.recordings.matching(name)
    if len(found) == 1:
        return found[0]
    if found:
        raise UserError(ambiguous(name, [each.id for each in found]))
    raise UserError(f"there is no recording {name}; see: turngate record list")


def chosen(store: Store, names: Sequence[str], where: Sequence[str]) -> Iterator[RecordingSummary]:
    """Those named, or all, as far as the conditions fit. Raises UserError where that leaves none."""
    conditions = conditions_of(where)
    every = (find_recording(store, name) for name in names) if names else store.recordings.all()
    some = False
    for told in every:
        if all(condition.fits(told) for condition in conditions):
            some = True
            yield told
    if not some:
        raise UserError(
            "no recording fits" if names or where else "no recording is stored yet: turngate record import FILE",
            Exit.UNDECIDED,
        )
