"""A run as one file: JSON lines in gzip, the same bytes for the same run. Documented in docs/baselines.md."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import secrets
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from harness.store.codec import decode, written
from harness.store.portable_records import Attempt, Record, Text
from harness.store.problem import StoreProblem
from harness.store.records import Planned, RunRecord
from harness.store.rows import run_row
from tools_sandbox.call import Json

SCHEMA = "turngate.run/1"
SUFFIX = ".turngate"

_KINDS: Mapping[str, type[Record]] = {"run": RunRecord, "text": Text, "planned": Planned, "attempt": Attempt}
_NAMES = {kind: name for name, kind in _KINDS.items()}
_LINE = 256 * 1024 * 1024
_WHOLE = 16 * 1024 * 1024 * 1024
"""Bytes that a line, and a file, may have when unpacked: what is larger was made to fill somebody's memory or disk."""


def write_run(path: Path, records: Iterable[Record], verdict: Json) -> None:
    """Write the file, whole or not at all. `verdict`: what its gate says, as JSON. Raises OSError."""
    part = path.with_name(f".turngate-{os.getpid()}-{secrets.token_hex(4)}")
    try:
        with part.open("wb") as raw, gzip.GzipFile("", "wb", 6, raw, mtime=0) as file:
            _write(file, records, verdict)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _write(file: gzip.GzipFile, records: Iterable[Record], verdict: Json) -> None:
    total = hashlib.sha256()
    count = 0

    def line(text: bytes) -> None:
        total.update(text)
        file.write(text)

    line(_line("schema", _json(SCHEMA)))
    for record in records:
        text = _json(run_row(record)) if isinstance(record, RunRecord) else written(record)
        line(_line(_NAMES[type(record)], text))
        count += 1
    line(_line("gate", _json(verdict)))
    file.write(_line("end", _json({"records": count, "sha256": total.hexdigest()})))


def read_run(path: Path) -> Iterator[Record]:
    """The records of a file, a few at a time in memory. Before the first one comes, all of the file was read once, and
    found to be whole and as it was written.

    Raises StoreProblem, and OSError.
    """
    for _ in _lines(path):
        pass
    for number, kind, text in _lines(path):
        if kind in _KINDS:
            try:
                yield decode(_KINDS[kind], text)
            except (ValueError, TypeError, RecursionError) as error:
                why = str(error).splitlines()[0]
                raise StoreProblem(f"{path}: line {number} is no {kind} that this turngate knows: {why}") from None


def read_values(path: Path) -> Iterator[Json]:
    """What is in a file, line by line, as JSON; raises as `read_run` does."""
    for _, _, text in _lines(path):
        value: Json = json.loads(text)
        yield value


def is_run_file(path: str | Path) -> bool:
    """Whether a path names such a file: it is there, and its name ends so."""
    return Path(path).name.endswith(SUFFIX) and Path(path).is_file()


def _lines(path: Path) -> Iterator[tuple[int, str, bytes]]:
    """Number, kind and content of each line between the first and the last, which are checked here."""
    total = hashlib.sha256()
    count = size = 0
    with _opened(path) as file:
        _schema(path, first := _next(path, file, 1))
        total.update(first)
        for number in range(2, 1 << 62):
            line = _next(path, file, number)
            size += len(line)
            if size > _WHOLE:
                raise StoreProblem(f"{path}: it unpacks to more than {_WHOLE >> 30} GiB, which no run does")
            kind, text = _split(path, number, line)
            if kind == "end":
                _ended(path, text, count, total.hexdigest())
                if file.read(1):
                    raise StoreProblem(f"{path}: it was altered: there is more behind its end")
                return
            if kind not in _KINDS and kind != "gate":
                raise StoreProblem(f"{path}: line {number}: this turngate knows no `{kind[:40]}` in a run")
            total.update(line)
            count += kind in _KINDS
            yield number, kind, text


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    try:
        with path.open("rb") as raw:
            magic = raw.read(2)
            raw.seek(0)
            if magic != b"\x1f\x8b":
                raise StoreProblem(f"{path}: it is no file of `turngate export`" if magic else f"{path}: it is empty")
            with gzip.GzipFile(fileobj=raw, mode="rb") as file:
                yield file  # type: ignore[misc]  # it reads like one
    except EOFError:
        raise StoreProblem(f"{path}: it was cut short: it ends before its end; export or copy it again") from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise StoreProblem(f"{path}: it is damaged ({error}); export or copy it again") from None


def _next(path: Path, file: BinaryIO, number: int) -> bytes:
    line = file.readline(_LINE + 1)
    if len(line) > _LINE:
        raise StoreProblem(f"{path}: line {number} has more than {_LINE >> 20} MiB, which no episode has")
    if not line.endswith(b"\n"):
        raise StoreProblem(f"{path}: it was cut short behind line {number - 1}; export or copy it again")
    return line


def _schema(path: Path, line: bytes) -> None:
    if line == _line("schema", _json(SCHEMA)):
        return
    kind, text = _split(path, 1, line)
    if kind == "schema" and text.startswith(b'"turngate.run/'):
        told = text[:40].decode("ascii", "replace")
        raise StoreProblem(f"{path}: it is written in {told}, and this turngate reads {SCHEMA}: upgrade turngate")
    raise StoreProblem(f"{path}: it is no file of `turngate export`")


def _ended(path: Path, text: bytes, count: int, digest: str) -> None:
    if text != _json({"records": count, "sha256": digest}):
        raise StoreProblem(
            f"{path}: it was altered: its {count} records have the SHA-256 {digest[:12]}…, and its last line says "
            "otherwise"
        )


def _line(kind: str, text: bytes) -> bytes:
    return b'{"%b":%b}\n' % (kind.encode(), text)


def _split(path: Path, number: int, line: bytes) -> tuple[str, bytes]:
    """`{"kind":content}`."""
    start, quote, rest = line[:-2].partition(b'":')
    if not (line.endswith(b"}\n") and start.startswith(b'{"') and quote):
        raise StoreProblem(f"{path}: line {number} is no record of a run")
    return start[2:].decode("ascii", "replace"), rest


def _json(value: Json) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()
