"""What an agent prints, kept with its episode and out of ours: routed by context, so that episodes can run at once."""

from __future__ import annotations

import io
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TextIO

LIMIT = 1_000_000
"""Characters kept of each stream of one episode."""


class Output:
    """What was written to one episode's stdout and stderr, up to a limit each."""

    def __init__(self, limit: int = LIMIT) -> None:
        self.out = _Kept(limit)
        self.err = _Kept(limit)

    @property
    def stdout(self) -> str:
        """What was printed; where it was too much, the last line says how much is left out."""
        return self.out.text

    @property
    def stderr(self) -> str:
        """What was written to stderr, in the same way."""
        return self.err.text


class _Kept:
    """The beginning of a stream, and how much came after it."""

    def __init__(self, limit: int) -> None:
        self._pieces: list[str] = []
        self._room = limit
        self._left_out = 0
        self._lock = threading.Lock()

    def add(self, text: str) -> None:
        with self._lock:
            kept = text[: self._room]
            self._room -= len(kept)
            self._left_out += len(text) - len(kept)
            if kept:
                self._pieces.append(kept)

    @property
    def text(self) -> str:
        with self._lock:
            end = f"\n[{self._left_out} more characters left out]\n" if self._left_out else ""
            return "".join(self._pieces) + end


_OUTPUT: ContextVar[Output | None] = ContextVar("turngate_output", default=None)


class _Routed(io.TextIOBase):
    """Stands in for a standard stream: what is written within an episode goes to its Output, the rest through."""

    def __init__(self, stream: TextIO, name: str) -> None:
        self._stream = stream
        self._name = name

    def write(self, text: str) -> int:
        output = _OUTPUT.get()
        if output is None:
            return self._stream.write(text)
        (output.out if self._name == "stdout" else output.err).add(text)
        return len(text)

    def flush(self) -> None:
        # Python flushes a stream that it throws away, when the one behind it may be closed already.
        if _OUTPUT.get() is None and not self._stream.closed:
            self._stream.flush()

    def isatty(self) -> bool:
        return _OUTPUT.get() is None and self._stream.isatty()

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._stream.fileno()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    @property
    def errors(self) -> str | None:  # type: ignore[override]
        return self._stream.errors

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._stream.encoding

    @property
    def buffer(self) -> Any:
        """Bytes are written to the real stream's buffer outside an episode; within one they are decoded and kept."""
        return self._stream.buffer if _OUTPUT.get() is None else _Bytes(self)


class _Bytes(io.RawIOBase):
    """The binary side of a routed stream."""

    def __init__(self, text: _Routed) -> None:
        self._text = text

    def write(self, data: Any) -> int:
        raw = bytes(data)
        self._text.write(raw.decode("utf-8", "replace"))
        return len(raw)

    def writable(self) -> bool:
        return True


class _Switch:
    """Puts the routed streams in place while at least one episode captures, and the real ones back after the last."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self._real: dict[str, TextIO] = {}

    def on(self) -> None:
        with self._lock:
            self._users += 1
            if self._users == 1:
                self._real = {"stdout": sys.stdout, "stderr": sys.stderr}
                for name, stream in self._real.items():
                    setattr(sys, name, _Routed(stream, name))

    def off(self) -> None:
        with self._lock:
            self._users -= 1
            if not self._users:
                for name, stream in self._real.items():
                    if isinstance(getattr(sys, name), _Routed):
                        setattr(sys, name, stream)


_SWITCH = _Switch()


@contextmanager
def captured_output(limit: int = LIMIT) -> Iterator[Output]:
    """Keep what is printed within the `with`: by this task, the tasks it starts, and threads that get its context.

    `limit`: characters kept of each stream. A thread that the agent starts by itself, and a child process, print as
    ever.
    """
    output = Output(limit)
    _SWITCH.on()
    token = _OUTPUT.set(output)
    try:
        yield output
    finally:
        _OUTPUT.reset(token)
        _SWITCH.off()
