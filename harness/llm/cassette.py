"""Model answers recorded to a file, and given again: so that a run on a real model can be repeated without one.

A cassette is JSON lines: first `{"cassette": "turngate model answers", "version": 1}`, then one object an answer:
`key` (SHA-256 of the canonical request), `request` and `answer`, both with secrets masked. Equal requests are answered
in the order of recording, each answer to one asker. Processes that begin it together may each write the first line.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from harness.llm.dialect import Dialect
from harness.llm.ledger import Ledger
from harness.llm.messages import Answer
from harness.llm.problem import CassetteMissError, ModelProblem, ProviderError

_HEADER = {"cassette": "turngate model answers", "version": 1}

Scrub = Callable[[Any], Any]
"""Gives a JSON value without its secrets; what it has scrubbed it leaves as it is."""


class Recorder:
    """Appends answers to a cassette. Any number of processes may append to one file.

    Raises ModelProblem if it is something else, or can't be written.
    """

    def __init__(self, path: Path, scrub: Scrub) -> None:
        self._path = path
        self._scrub = scrub
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
            if not os.fstat(
                self._file
            ).st_size:  # others may find it so too: whoever does begins, and nobody overwrites
                os.write(self._file, json.dumps(_HEADER).encode() + b"\n")
        except OSError as error:
            raise ModelProblem(f"--record-model {path}: can't be written: {error.strerror}") from None
        with path.open("rb") as lines:
            _check_header("--record-model", path, lines.readline())

    def add(self, api: str, request: Mapping[str, Any], answer: Any) -> None:
        """Keep an answer. Raises ProviderError if it can't be written: then the recording would lack it in silence."""
        told = self._scrub(dict(request))
        record = {"key": _key(api, told), "request": told, "answer": self._scrub(answer)}
        # One write, and on a line of its own even after a record that was cut off when its process was killed.
        data = memoryview(b"\n" + json.dumps(record).encode() + b"\n")
        try:
            while data:
                data = data[os.write(self._file, data) :]
        except OSError as error:
            raise ProviderError(f"--record-model {self._path}: can't be written: {error.strerror}") from None


class Player:
    """Gives recorded answers. `ledger`: knows who was given which, by whatever process.

    Raises ModelProblem if the file is no cassette.
    """

    def __init__(self, path: Path, scrub: Scrub, ledger: Ledger) -> None:
        self._path = path
        self._scrub = scrub
        self._ledger = ledger
        self._places: defaultdict[str, list[int]] = defaultdict(list)
        self._broken = 0
        try:
            self._file = path.open("rb")
        except OSError as error:
            raise ModelProblem(f"--replay-model {path}: can't be read: {error.strerror}") from None
        _check_header("--replay-model", path, self._file.readline())
        self._read_places()

    @property
    def note(self) -> str:
        """What is to be said of a run that is answered so."""
        broken = f"; {self._broken} line(s) of it can't be read" if self._broken else ""
        return f"model answers are replayed from {self._path}, so that these are no new trials, nor times{broken}"

    def next(self, dialect: Dialect, request: Mapping[str, Any], asker: str) -> Answer:
        """The next answer to this request; again the same for one who asks again, as an episode does that is played
        again when its process died. Raises CassetteMissError if there is none left.
        """
        key = _key(dialect.path, self._scrub(dict(request)))
        places = self._places.get(key, [])
        place = self._ledger.place(key, asker)
        if place < len(places):
            self._file.seek(places[place])
            try:
                return dialect.read(json.loads(self._file.readline())["answer"])
            except (ValueError, KeyError):
                raise CassetteMissError(f"{self._path}: the answer to this request can't be read") from None
        if not places:
            raise CassetteMissError(
                f"{self._path} has no answer to this request: instructions, tools, parameters or the conversation are "
                "not those that were recorded; record again with --record-model"
            )
        raise CassetteMissError(
            f"{self._path} has {len(places)} answer(s) to this request, and all are used: a recorded answer counts once"
        )

    def _read_places(self) -> None:
        place = self._file.tell()
        for line in self._file:
            if line.strip():
                try:
                    record = json.loads(line)
                    if record != _HEADER:
                        self._places[record["key"]].append(place)
                except (ValueError, KeyError, TypeError):
                    self._broken += 1
            place += len(line)


def _key(api: str, request: Mapping[str, Any]) -> str:
    canonical = json.dumps([api, request], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def _check_header(option: str, path: Path, line: bytes) -> None:
    try:
        header = json.loads(line)
    except ValueError:
        header = None
    if not isinstance(header, dict) or header.get("cassette") != _HEADER["cassette"]:
        raise ModelProblem(f"{option} {path}: this is no recording of model answers")
    if header.get("version") != _HEADER["version"]:
        raise ModelProblem(f"{option} {path}: version {header.get('version')} of the format is not known here")
