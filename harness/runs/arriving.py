"""Runs that arrive in files: what they are scored against must be what its digests say."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import astuple
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from harness.model.limits import MAX_TRIALS
from harness.store.portable import Arrived
from harness.store.portable_file import read_run
from harness.store.portable_records import Attempt, Record, Scoring, Text
from harness.store.problem import StoreProblem
from harness.store.records import Planned, RunRecord
from harness.store.rows import scored_of
from harness.store.store import Store
from harness.workflow.digests import digest_of, digest_of_item
from tools_sandbox.values import digest_of_rows

_RUN = re.compile(r"\w[\w.-]{0,99}", re.ASCII)
_MASKED = "[masked:"
_ATTEMPTS = 10_000


def import_run(store: Store, file: Path) -> Arrived:
    """Put the run of a file into a store, all of it or nothing; twice is once.

    Raises StoreProblem for a file that was cut short, altered or made up, and where another run of its id is there.
    """
    return store.portable.put(arriving(file))


def arriving(file: Path) -> Iterator[Record]:
    """The records of a file, checked. Raises StoreProblem."""
    return _checked(str(file), read_run(file))


def _checked(file: str, records: Iterable[Record]) -> Iterator[Record]:
    """Refuse texts that are not those of their digests: a text that is stored under another's digest would be what
    later runs of this store are scored against. One in which a credential was masked can't be told.
    """
    texts: set[str] = set()
    plan: dict[str, tuple[str, ...]] = {}
    for record in records:
        match record:
            case RunRecord():
                if not _RUN.fullmatch(record.id):
                    raise StoreProblem(f"{file}: {record.id[:100]!r} is no id of a run")
                if not _decidable(record):
                    raise StoreProblem(f"{file}: what is told of run {record.id} is not what a run tells")
            case Text():
                if not _genuine(record):
                    raise StoreProblem(f"{file}: the text with digest {record.digest[:12]}… is another one")
                texts.add(record.digest)
            case Planned():
                digests = plan.setdefault(record.key.item, astuple(record.digests))
                if not 1 <= record.key.trial <= MAX_TRIALS:
                    raise StoreProblem(f"{file}: {record.key.trial} is no number of a trial")
                if record.digests.workflow not in texts or digests != astuple(record.digests):
                    raise StoreProblem(f"{file}: {record.key.id} has no workflow, or not that of its other trials")
            case Attempt():
                if not 1 <= record.attempt <= _ATTEMPTS:
                    raise StoreProblem(f"{file}: {record.attempt} is no number of an attempt")
                if record.episode is not None and not texts.issuperset(plan.get(record.key.item, ())):
                    raise StoreProblem(f"{file}: what {record.key.id} is scored against is not there")
                if not all(map(_readable, record.scorings)):
                    raise StoreProblem(f"{file}: a scoring of {record.key.id} can't be read")
        yield record


def _decidable(run: RunRecord) -> bool:
    """Whether a gate finds in it what it looks for, and evidence its commit."""
    match run.options.get("revision"):
        case None | {"commit": str(), "dirty": bool()}:
            pass
        case _:
            return False
    match run.options:
        case {"kind": str(), "unread": {"count": int(), "first": [*_]}} if run.observed:
            return True
        case {"partial": str() | None} if not run.observed:
            return True
    return False


def _readable(scoring: Scoring) -> bool:
    try:
        scored_of(cast(Any, SimpleNamespace(**scoring.row())))
    except (KeyError, ValueError, TypeError, ArithmeticError):
        return False
    return True


def _genuine(text: Text) -> bool:
    if _MASKED in text.content:
        return True
    try:
        if digest_of(text.content) == text.digest:
            return True
        value = json.loads(text.content)
        return digest_of_item(value) == text.digest or digest_of_rows(value) == text.digest
    except (ValueError, TypeError, AttributeError, LookupError, RecursionError):
        return False
