"""Which recordings a replay is of: those named, in the store or out of it, or all of the workflow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from harness.cli.exits import UserError
from harness.cli.record_names import conditions_of
from harness.cli.record_sources import recordings_of
from harness.model.recording import Recording
from harness.replay.recordings.where import Condition
from harness.store.ambiguous import ambiguous
from harness.store.recording_rows import summary_of
from harness.store.store import Store


@dataclass(slots=True)
class Chosen:
    """Recordings as they are read, one after another. `total`: how many at most, None where nobody knows; `strangers`:
    how many were left out so far since they are another workflow's.
    """

    recordings: Iterator[Recording]
    total: int | None
    strangers: list[str] = field(default_factory=list)


def chosen(store: Store, names: Sequence[str], where: Sequence[str], workflow: str) -> Chosen:
    """The recordings of a replay. Raises UserError for a name of nothing, and for conditions that can't be meant."""
    conditions = conditions_of(where)
    found = Chosen(iter(()), None)
    if not names:
        every = store.recordings.all()
        ids = [told.id for told in every if all(each.fits(told) for each in conditions)]
        found.total = len(ids)
        sources = [store.recordings.read(reversed(ids))]
    else:
        ids = []
        sources = [_named(store, name) for name in names]
    found.recordings = _of(workflow, conditions, chain.from_iterable(sources), found.strangers)
    return found


def _named(store: Store, name: str) -> Iterator[Recording]:
    """What a name stands for: a recording of the store before anything else."""
    if not Path(name).exists():
        stored = store.recordings.matching(name)
        if len(stored) == 1:
            return store.recordings.read([stored[0].id])
        if stored:
            raise UserError(ambiguous(name, [each.id for each in stored], "recordings"))
    return _scrubbed(name, recordings_of(store, [name], None, _refuse))


def _scrubbed(name: str, arriving: Iterator[Recording]) -> Iterator[Recording]:
    """Those of a file must have been scrubbed, for what comes of them is stored."""
    for recording in arriving:
        if Path(name).exists() and recording.replaced is None:
            raise UserError(f"{name}: it is not scrubbed: import it first, with `turngate record import {name}`")
        yield recording


def _refuse(unread: object) -> None:
    raise UserError(str(unread))


def _of(
    workflow: str, conditions: Sequence[Condition], arriving: Iterator[Recording], strangers: list[str]
) -> Iterator[Recording]:
    seen: set[str] = set()
    for recording in arriving:
        if recording.id in seen or (conditions and not all(each.fits(summary_of(recording)) for each in conditions)):
            continue
        seen.add(recording.id)
        if recording.workflow not in (None, workflow):
            strangers.append(recording.id)
            continue
        yield recording
