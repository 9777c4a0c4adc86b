"""`turngate record import`: conversations put into the store as recordings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path

from rich.console import Console

from harness.cli.counting import counted
from harness.cli.exits import Exit, UserError, complain
from harness.cli.out import console
from harness.cli.record_scrub import safe, scrubber_of
from harness.cli.record_sources import of_trace, recordings_of
from harness.model.recording import Recording, SourceKind
from harness.replay.recordings import FORMATS, Unread
from harness.reports.printable import one_line, printable
from harness.reports.traces.words import many
from harness.store.places import open_store
from harness.store.recordings import RecordingFate
from harness.store.secret_places import secret_places
from harness.workflow.bundle import Bundle
from tools_sandbox.nearest import hint

_AT_A_TIME = 50
"""Recordings that are stored in one transaction."""
_SHOWN = 20
"""Parts that can't be read, and secrets, that are written out."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The options as they are typed."""

    names: tuple[str, ...]
    workflow: str | None
    form: str | None
    traces: bool
    no_scrub: bool
    scrub_ids: tuple[str, ...]


@dataclass(slots=True)
class _Told:
    """What the recordings come to."""

    errors: Console
    fates: Counter[RecordingFate] = field(default_factory=Counter)
    sums: Counter[str] = field(default_factory=Counter)
    replaced: Counter[str] = field(default_factory=Counter)
    unread: int = 0
    refused: int = 0

    def bad(self, unread: Unread) -> None:
        self.unread += 1
        if self.unread <= _SHOWN:
            self.errors.print(printable(str(unread)), style="yellow", soft_wrap=True)

    def secret(self, recording: Recording, places: list[str]) -> None:
        self.refused += 1
        if self.refused <= _SHOWN:
            source = recording.source
            where = f"{printable(source.where)} ({one_line(source.id, 60)})"
            at = f"{', '.join(map(printable, places[:5]))}{' …' if len(places) > 5 else ''}"
            self.errors.print(f"{where}: not stored, a secret is in it: {at}", style="red", soft_wrap=True)

    def stored(self, batch: list[Recording], fates: list[RecordingFate]) -> None:
        self.fates.update(fates)
        for recording in batch:
            calls = list(recording.calls())
            self.replaced.update(recording.replaced or {})
            self.sums.update(
                turns=recording.turns,
                calls=len(calls),
                broken=sum(call.arguments is None for call in calls),
                unanswered=sum(not call.answered for call in calls),
                stray=len(recording.stray),
                flawed=bool(recording.flaws),
            )


def import_recordings(asked: Asked, place: str | None) -> int:
    """Import them and say what came of it; gives the exit code: 3 if nothing came, 2 if a secret kept one out."""
    if not asked.names and not asked.traces:
        raise UserError("what is to be imported? Name files, runs, episodes or traces, or give --traces")
    form = _form(asked.form)
    bundle = _bundle(asked.workflow)
    workflow = asked.workflow if bundle is None else bundle.workflow.workflow
    errors = console(stderr=True)
    told = _Told(errors)
    with open_store(place) as store:
        named = recordings_of(store, asked.names, form, told.bad)
        traces = map(partial(of_trace, store), list(store.conversations.all()) if asked.traces else ())
        arriving: Iterator[Recording] = chain(named, traces)
        if not asked.no_scrub:
            arriving = map(partial(safe, scrubber_of(store, bundle, asked.scrub_ids)), arriving)
        try:
            for batch in _batches(counted(arriving, "reading recordings", errors)):
                clean = list(_without_secrets(batch, told))
                if workflow is not None:
                    clean = [replace(recording, workflow=workflow) for recording in clean]
                told.stored(clean, store.recordings.save(clean))
        except KeyboardInterrupt:
            done = f"{told.fates.total()} recordings were read and are stored"
            complain(f"interrupted: {done}; the same command again goes on, and stores none twice", Exit.INTERRUPTED)
    if told.unread > _SHOWN:
        errors.print(f"and {told.unread - _SHOWN} more parts that can't be read", style="yellow")
    if told.refused > _SHOWN:
        errors.print(f"and {told.refused - _SHOWN} more that were not stored", style="red")
    if not told.fates and not told.refused:
        complain("no recording came", Exit.UNDECIDED)
    _summary(console(), told)
    return Exit.WRONG if told.refused else Exit.PASSED


def _batches(arriving: Iterable[Recording]) -> Iterator[list[Recording]]:
    """So many at a time; where reading is interrupted, first those that have come."""
    batch: list[Recording] = []
    try:
        for recording in arriving:
            batch.append(recording)
            if len(batch) == _AT_A_TIME:
                yield batch
                batch = []
    except (KeyboardInterrupt, UserError):
        yield batch
        raise
    yield batch


def _without_secrets(batch: list[Recording], told: _Told) -> Iterator[Recording]:
    for recording in batch:
        if places := secret_places(recording):
            told.secret(recording, places)
        else:
            yield recording


def _form(form: str | None) -> SourceKind | None:
    if form is not None and form not in FORMATS:
        raise UserError(f"--format {form}: {hint(form, FORMATS)}")
    return next((known for known in FORMATS if known == form), None)


def _bundle(name: str | None) -> Bundle | None:
    """The workflow of a file or folder; None of what is only a name."""
    if name is None or not Path(name).exists():
        return None
    from harness.runs.prepare import load_bundle

    return load_bundle(Path(name), played=False)


def _summary(out: Console, told: _Told) -> None:
    fates: dict[RecordingFate, str] = {
        "new": "new",
        "known": "there already",
        "updated": "there already, now with other feedback, labels or workflow",
        "differs": "there already with other content, and left as they were",
    }
    parts = [f"{told.fates[fate]} {words}" for fate, words in fates.items() if told.fates[fate]]
    if parts:
        out.print(f"{many(told.fates.total(), 'recording')}: {', '.join(parts)}")
        sums = told.sums
        details = [
            f"{sums[name]} {words}"
            for name, words in (("broken", "with broken arguments"), ("unanswered", "without a result"))
            if sums[name]
        ]
        calls = many(sums["calls"], "tool call") + (f" ({', '.join(details)})" if details else "")
        stray = [f"{many(sums['stray'], 'result')} without a call"] if sums["stray"] else []
        out.print(", ".join([many(sums["turns"], "turn"), calls, *stray]))
    if told.replaced:
        kinds = ", ".join(f"{count} {kind}" for kind, count in told.replaced.most_common())
        out.print(f"scrubbed: {kinds}", soft_wrap=True)
    if told.sums["flawed"]:
        out.print(f"{many(told.sums['flawed'], 'recording')} with flaws: turngate record lint", style="yellow")
    if told.refused:
        out.print(f"{many(told.refused, 'recording')} not stored, for secrets are in them: see above", style="red")
    if told.unread:
        out.print(f"{many(told.unread, 'part')} could not be read: see above", style="yellow")
    if parts:
        out.print("next: turngate record list")
