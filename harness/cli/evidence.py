"""`turngate export --evidence` and `turngate verify`: what a gate said, so that it can be checked later."""

from __future__ import annotations

from pathlib import Path

from harness import __version__
from harness.cli.counting import counted
from harness.cli.exits import Exit, UserError
from harness.cli.gate import decided_or_told
from harness.cli.out import console
from harness.reports.evidence.chain import MANIFEST, BrokenEvidence, head, manifest
from harness.reports.evidence.chain import verify as verify_chain
from harness.reports.evidence.files import read_bundle, write_bundle
from harness.reports.evidence.parts import parts_of
from harness.reports.printable import printable
from harness.reports.wording import verdict_words
from harness.store.records import RunRecord
from harness.store.store import Store


def export_evidence(store: Store, run: RunRecord, output: Path | None) -> int:
    """Write the bundle, and say its head."""
    place = output or Path(f"{run.id}-evidence.zip")
    if place.exists():
        raise UserError(f"-o {place}: it is there already, and evidence is never written over: name another place")
    if not place.absolute().parent.is_dir():
        raise UserError(f"-o {place}: there is no folder {place.absolute().parent}: make it first")
    found = decided_or_told(store, run)
    parts = parts_of(found, counted(store.portable.records(run.id), "reading records"), __version__)
    try:
        write_bundle(place, {MANIFEST: manifest(parts), **parts})
    except OSError as error:
        raise UserError(f"-o {place}: can't be written: {error.strerror}") from None
    store.exports.add(run.id, place)
    out = console()
    words = verdict_words(found.verdict).words
    out.print(f"evidence of run {run.id}, {words}, in {printable(str(place))}", soft_wrap=True)
    out.print(f"head {head(parts)}", soft_wrap=True)
    out.print("note the head where nobody can change it: it tells this bundle from one that is made anew")
    return Exit.PASSED


def verify(place: Path) -> int:
    """Say whether the evidence is as it was written; gives 1 if not."""
    if not place.exists():
        raise UserError(f"{place}: there is no such folder or archive")
    out = console()
    try:
        found = verify_chain(read_bundle(place))
    except BrokenEvidence as broken:
        out.print(f"{printable(str(place))}: {printable(str(broken))}", soft_wrap=True)
        return Exit.FAILED
    out.print(f"{printable(str(place))}: every part is as it was written", soft_wrap=True)
    out.print(f"head {found}: compare it with the one that was noted", soft_wrap=True)
    return Exit.PASSED
