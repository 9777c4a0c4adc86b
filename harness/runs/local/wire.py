"""What a supervisor and its workers say to each other: JSON objects, some with a record behind them, each behind its
length in four bytes.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import struct
import threading
from typing import Any, Protocol

Message = dict[str, Any]
"""One key says what it is:

to a worker
  load    the fields of a `Load`                     once, first
  begin   the fields of a `Begin`                    once, or not at all
  play    a list: item, trial, condition, seed,      any number
          attempt of each
  end     true                                       drop what is under way and exit

from a worker
  hello   the agent's version, with the `notes`      after `load`
  notes   all that is to be said about the agent     when there is more of it
  episode true, with the record                      it was played
  sketch  true, with the record of an episode        where it was asked for, as it stands before each turn
  late    true, with the record of a `Late`          it came for an episode that is over
  alive   true                                       every second, whatever it does
  blamed  true                                       the episode just told made it stand still; then the worker exits
  stuck   the fields of an `End`                     it stands still, by which episode can't be told; then it exits
  wrong   a user's mistake                           then the worker exits
  bug     a traceback of our own code                then the worker exits
"""

_LENGTHS = struct.Struct(">II")
"""Of the JSON, and of the record behind it, which is the message's `record`."""
_LONGEST = 64 << 20, 512 << 20
"""Bytes that they may have: whoever says more says no message."""
_BURST = 1 << 20
"""Bytes that may wait in the pipe: the records of some fifty episodes."""


class Reader(Protocol):
    """Gives exactly so many bytes, or raises EOFError."""

    async def readexactly(self, n: int, /) -> bytes:
        """As an asyncio.StreamReader does."""
        ...


def packed(message: Message, record: bytes = b"") -> bytes:
    """A message as it goes over the wire."""
    text = json.dumps(message).encode()
    return _LENGTHS.pack(len(text), len(record)) + text + record


async def received(reader: Reader) -> Message | None:
    """The next message; None when the other end is gone, be it in the middle of one, or says what is none."""
    try:
        length, more = _LENGTHS.unpack(await reader.readexactly(_LENGTHS.size))
        if length > _LONGEST[0] or more > _LONGEST[1]:
            return None
        message = json.loads(await reader.readexactly(length))
        record = await reader.readexactly(more)
    except (EOFError, OSError, ValueError):
        return None
    if not isinstance(message, dict):
        return None
    return {**message, "record": record} if record else message


class Line:
    """A worker's end of the wire: standard input and output, which from then on are nobody else's.

    The agent's code finds an empty standard input, and what it writes to standard output goes to standard error.
    """

    def __init__(self) -> None:
        self._in = os.fdopen(os.dup(0), "rb")
        self._out = os.dup(1)
        with contextlib.suppress(AttributeError, OSError):  # where the system can: a burst of records waits in the pipe
            fcntl.fcntl(self._out, fcntl.F_SETPIPE_SZ, _BURST)
        self._pid = os.getpid()
        self._lock = threading.Lock()
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)

    def say(self, *, record: bytes = b"", **message: Any) -> None:
        """Send a message, from any thread. A fork of the process, which has nothing to say here, ends."""
        if os.getpid() != self._pid:
            os._exit(0)
        data = memoryview(packed(message, record))
        with self._lock:
            while data:
                data = data[os.write(self._out, data) :]

    def hear(self) -> Message | None:
        """The next message, waiting for it; None when the supervisor is gone."""
        head = self._in.read(_LENGTHS.size)
        if len(head) < _LENGTHS.size:
            return None
        length, _ = _LENGTHS.unpack(head)
        text = self._in.read(length)
        return json.loads(text) if len(text) == length else None
