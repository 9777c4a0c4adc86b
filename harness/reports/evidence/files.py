"""Evidence in a folder or a ZIP archive."""

from __future__ import annotations

import os
import secrets
import shutil
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path

from harness.reports.evidence.chain import MANIFEST, PARTS, BrokenEvidence

_LARGEST = 4 << 30
"""Bytes of a bundle that are read: more was made to fill memory."""
_MANY = 1000
_MADE = (1980, 1, 1, 0, 0, 0)
"""The time that every file of an archive bears, so that the same evidence is the same bytes."""


def write_bundle(place: Path, files: Mapping[str, bytes]) -> None:
    """Write the files into a new folder, or into an archive if the name ends in `.zip`; whole or not at all.

    Raises OSError.
    """
    part = place.with_name(f".turngate-{os.getpid()}-{secrets.token_hex(4)}")
    try:
        if place.suffix == ".zip":
            _write_zip(part, files)
        else:
            part.mkdir()
            for name, content in files.items():
                (part / name).write_bytes(content)
        part.replace(place)
    finally:
        part.unlink(missing_ok=True) if part.is_file() else shutil.rmtree(part, ignore_errors=True)


def read_bundle(place: Path) -> dict[str, bytes]:
    """The files of a folder or an archive, by name. Raises BrokenEvidence for what is no bundle, or for files that no
    bundle has; OSError.
    """
    return _read_folder(place) if place.is_dir() else _read_zip(place)


def _write_zip(file: Path, files: Mapping[str, bytes]) -> None:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, _MADE), content, zipfile.ZIP_DEFLATED)


def _read_folder(folder: Path) -> dict[str, bytes]:
    found = sorted(folder.iterdir())
    for each in found:
        if each.is_symlink() or not each.is_file():
            raise BrokenEvidence(f"{each.name} was added: it is no file of its own")
    _bounded(len(found), sum(each.stat().st_size for each in found))
    return {each.name: each.read_bytes() for each in found}


def _read_zip(file: Path) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(file) as archive:
            members = archive.infolist()
            _bounded(len(members), sum(each.file_size for each in members))
            names = [each.filename for each in members]
            if doubled := next((name for number, name in enumerate(names) if name in names[:number]), None):
                raise BrokenEvidence(f"{doubled} was added: it is in the archive twice")
            _in_order([name for name in names if name in (MANIFEST, *PARTS)])
            return {each.filename: archive.read(each) for each in members}
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError) as error:
        raise BrokenEvidence(f"the archive is damaged, or is none: {error}") from None


def _in_order(names: list[str]) -> None:
    """Refuse an archive whose files stand otherwise than they were written."""
    expected = [name for name in (MANIFEST, *PARTS) if name in names]
    for name, right in zip(names, expected, strict=True):
        if name != right:
            raise BrokenEvidence(f"{name} was moved: it stands where {right} belongs in the archive")


def _bounded(files: int, size: int) -> None:
    if files > _MANY or size > _LARGEST:
        raise BrokenEvidence(f"{files} files of {size} bytes: no bundle is as large")
