"""`turngate traces receive`: take telemetry over OTLP/HTTP into a file until Ctrl-C."""

from __future__ import annotations

import errno
import os
import secrets
import shlex
import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

from harness.cli.exits import UserError
from harness.cli.out import console
from harness.interrupts import handling, raising
from traces.otlp.encode import lines
from traces.receiver import Receiver
from traces.receiver.server import is_loopback
from traces.receiver.taking import Records
from traces.span import Span


def receive(host: str, port: int, output: Path, token: str | None) -> int:
    """Take what comes until Ctrl-C, and say how to read it. What is acknowledged is in the file. Without a `token` one
    is made up where others can reach the endpoint.
    """
    token = token or (None if is_loopback(host) else secrets.token_urlsafe(24))
    out = console()
    with _File(output) as file:
        try:
            receiver = Receiver(file.take, host, port, token)
        except ValueError as error:
            raise UserError(f"--token: {error}") from None
        with _until_told() as told, ExitStack() as stack:
            try:
                stack.enter_context(receiver)
            except OSError as error:
                raise UserError(f"--host {host} --port {port}: {_why(error)}") from None
            out.print(f"receiving OTLP over HTTP into {output}; Ctrl-C ends it. Tell the senders:")
            out.print(f"  OTEL_EXPORTER_OTLP_ENDPOINT={receiver.url}")
            if token is not None:
                out.print(f"  OTEL_EXPORTER_OTLP_HEADERS=Authorization={quote(f'Bearer {token}')}", soft_wrap=True)
            told.wait()
    out.print(file.summary)
    if file.holds:
        out.print(f"  {shlex.join(['turngate', 'traces', 'import', str(output)])}    store the conversations in it")
    return 0


def _why(error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return "something else listens there already: end it, or take another port (--port 0: any that is free)"
    return error.strerror or str(error)


@dataclass(slots=True)
class _Count:
    """How much came."""

    spans: int = 0
    logs: int = 0

    def __bool__(self) -> bool:
        return bool(self.spans or self.logs)

    def __str__(self) -> str:
        spans, logs = "s" * (self.spans != 1), "s" * (self.logs != 1)
        return f"{self.spans:,} span{spans} and {self.logs:,} log record{logs}"

    def add(self, spans: int, logs: int) -> None:
        """So many more."""
        self.spans += spans
        self.logs += logs


class _File:
    """OTLP JSON lines, added to whatever is there. A request that can't be written whole leaves nothing behind.

    A file that is moved or deleted, as those do that rotate logs, is made anew: what is acknowledged is where it was
    asked for. Nothing in it is masked, so a file that is made here is for its owner alone.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._here, self._gone = _Count(), _Count()

    def __enter__(self) -> Self:
        try:
            self._stream = self._opened()
        except OSError as error:
            raise UserError(f"-o {self._path}: can't be written: {error.strerror}") from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._look()
        self._stream.close()

    @property
    def holds(self) -> bool:
        """Whether anything came into it, once it is closed."""
        return bool(self._here)

    @property
    def summary(self) -> str:
        """What was taken, once it is closed."""
        gone = f"\n  {self._gone} came before, into a file that was moved or deleted meanwhile" if self._gone else ""
        return f"{self._here} came into {self._path}{gone}"

    def take(self, records: Records) -> None:
        """Write the records of one request. Raises OSError."""
        if not self._look():
            stream = self._opened()
            self._stream.close()
            self._stream = stream
        size = self._stream.seek(0, os.SEEK_END)
        try:
            left = memoryview(b"".join(lines(records)))
            while left:
                left = left[self._stream.write(left) :]
        except OSError:
            self._stream.truncate(size)
            raise
        spans = sum(isinstance(record, Span) for record in records)
        self._here.add(spans, len(records) - spans)

    def _opened(self) -> FileIO:
        stream = open(self._path, "a+b", buffering=0, opener=_for_its_owner)  # noqa: SIM115  # closed on leaving
        if size := stream.seek(0, os.SEEK_END):
            stream.seek(size - 1)
            if stream.read(1) != b"\n":  # whoever wrote it was cut off
                stream.write(b"\n")
        return stream

    def _look(self) -> bool:
        """Whether the open file is still the one at the path; what came into another is counted as gone with it."""
        try:
            there = os.path.samestat(os.stat(self._path), os.fstat(self._stream.fileno()))
        except OSError:
            there = False
        if not there:
            self._gone.add(self._here.spans, self._here.logs)
            self._here = _Count()
        return there


def _for_its_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


@contextmanager
def _until_told() -> Iterator[threading.Event]:
    """An event that Ctrl-C sets, and whatever else asks a process to end."""
    told = threading.Event()
    with handling({signal.SIGINT, signal.SIGTERM, *raising()}, lambda *_: told.set()):
        yield told
