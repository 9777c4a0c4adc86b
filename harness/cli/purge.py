"""`turngate purge`: conversations taken out of the store. The map stays, the words go."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from harness.cli.asking import agreed
from harness.cli.counting import counted
from harness.cli.exits import Exit, UserError
from harness.cli.names import find_run
from harness.cli.out import console
from harness.model.baseline import baseline_file
from harness.reports.evidence.chain import BrokenEvidence
from harness.reports.evidence.files import read_bundle
from harness.reports.printable import printable
from harness.reports.traces.words import many
from harness.runs.resume import still_played
from harness.store.engine import shown
from harness.store.places import DEFAULT_STORE, open_store
from harness.store.portable_file import is_run_file, read_values
from harness.store.problem import StoreProblem
from harness.store.retention import Held
from harness.store.store import Store
from harness.store.subject import Subject

_AGE = re.compile(r"([1-9][0-9]{0,4})([hdw])")
_UNITS = {"h": "hours", "d": "days", "w": "weeks"}
_SHOWN = 20
"""Places that are named."""
_TEXTS = "a text that is scored against goes with the last conversation that was scored against it"


def purge(
    older: str | None, subject: str | None, run: str | None, *, dry_run: bool, yes: bool, place: str | None
) -> int:
    """Say what would go, ask, take it out, and say what is left and where else it may be."""
    if sum(value is not None for value in (older, subject, run)) != 1:
        raise UserError("what is to be purged? One of --older 30d, --subject TEXT, --run RUN")
    out = console()
    about = None if subject is None else _subject(subject)
    with open_store(place, must_exist=True) as store:
        fits = _fitting(store, older, about, run)
        every = counted(store.retention.held(), "looking through what is stored")
        chosen = [replace(held, content=None) for held in every if fits(held)]
        places = list(_held_on(store, about))
        none = "no conversation that is stored holds it" if places else "nothing of that is stored"
        out.print("\n".join(_listed(chosen)) or none, soft_wrap=True)
        if dry_run:
            for line in _named([*places, *_files(store, {each.run for each in chosen}, about)], "also in"):
                out.print(printable(line), soft_wrap=True)
            out.print(f"a dry run: nothing was purged{'; ' + _TEXTS if places else ''}", soft_wrap=True)
            return Exit.PASSED
        if chosen and not yes and not agreed("Purge these for good? [y/N] "):
            out.print("nothing was purged")
            return Exit.PASSED
        texts = store.retention.purge(chosen)
        # Also where nothing is left to purge: a purge that was ended before may not have come so far.
        store.retention.reclaim(shown(place or DEFAULT_STORE))
        left = [*_left(store, chosen, texts), *_elsewhere(store, chosen, about)]
    for line in left:
        out.print(printable(line), soft_wrap=True)
    return Exit.PASSED


def _subject(text: str) -> Subject:
    try:
        return Subject(text)
    except ValueError as error:
        raise UserError(f"--subject {text!r}: {error}") from None


def _fitting(store: Store, older: str | None, subject: Subject | None, run: str | None) -> Callable[[Held], bool]:
    if subject is not None:
        return lambda held: subject.within(held.content)
    if older is not None:
        if not (age := _AGE.fullmatch(older)):
            raise UserError(f"--older {older}: write how old: 48h, 30d, 8w")
        until = (datetime.now(UTC) - timedelta(**{_UNITS[age[2]]: int(age[1])})).timestamp()
        return lambda held: held.began is not None and held.began < until
    record = find_run(store, run)
    if still_played(record):
        raise UserError(f"run {record.id} is still being played")
    return lambda held: held.run == record.id


def _listed(chosen: Iterable[Held]) -> Iterator[str]:
    """`12 episodes of run r-1`, `2 imported conversations`, `1 recording`."""
    count = Counter((held.kind, held.run if held.kind == "episode" else None) for held in chosen)
    names = {
        "episode": "episode",
        "conversation": "imported conversation",
        "judgements": "waiting judgement",
        "recording": "recording",
        "replay": "replayed recording",
    }
    for (kind, run), number in sorted(count.items(), key=str):
        yield many(number, names[kind]) + (f" of run {run}" if run is not None else "")


def _left(store: Store, chosen: Iterable[Held], texts: int) -> Iterator[str]:
    gone = store.retention.purged()
    runs = sorted({held.run for held in chosen if held.kind == "episode" and held.run is not None})
    for run in runs:
        yield (
            f"of run {run} plan, verdicts, scores and codes stay, {many(gone[run], 'episode')} of it without words: "
            "the gate is decided as before, but these can't be opened or scored again"
        )
    if texts:
        yield f"{many(texts, 'text')} that only these were scored against went too"


def _elsewhere(store: Store, chosen: Iterable[Held], subject: Subject | None) -> Iterator[str]:
    """Where the words still are, so far as it can be told from here."""
    yield from _named([*_held_on(store, subject), *_files(store, {held.run for held in chosen}, subject)], "still in")
    yield (
        "what can't be seen from here: copies of exported files, files that -o and `traces export` wrote, other "
        "stores, backups, logs"
    )


def _held_on(store: Store, subject: Subject | None) -> Iterator[str]:
    """What of the store holds the subject and is no conversation."""
    if subject is not None:
        yield from (name for name, value in store.retention.kept() if subject.within(value))


def _named(places: Iterable[str], where: str) -> Iterator[str]:
    some = list(dict.fromkeys(places))
    for name in some[:_SHOWN]:
        yield f"{where} {name}"
    if len(some) > _SHOWN:
        yield f"and in {len(some) - _SHOWN} more"


def _files(store: Store, runs: set[str | None], subject: Subject | None) -> Iterator[str]:
    for export in store.exports.all():
        if export.file.exists() and (export.run in runs or subject is not None) and _may_hold(export.file, subject):
            yield f"{export.file}, an export of run {export.run}"
    if subject is None:
        return
    for run in store.runs():
        try:
            workflow = store.workflow(run.id)
        except StoreProblem:  # nothing was planned
            continue
        for name in workflow.baselines:
            file = baseline_file(workflow, name)
            if file is not None and file.is_file() and _may_hold(file, subject):
                yield f"{file}, the baseline {name} of {workflow.workflow}"


def _may_hold(file: Path, subject: Subject | None) -> bool:
    """Whether the words may be in a file; yes, where it can't be told. Evidence holds no conversation, but names."""
    try:
        if is_run_file(file):
            return subject is None or any(subject.within(value) for value in read_values(file))
        parts = read_bundle(file).values()
        return subject is not None and any(
            subject.within(json.loads(line)) for part in parts for line in part.splitlines()
        )
    except (BrokenEvidence, StoreProblem, OSError, ValueError):
        return True
