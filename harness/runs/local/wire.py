"""What a supervisor and its workers say to each other: JSON objects, each behind its length in four bytes."""

from __future__ import annotations

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
  play    item, trial, condition, seed, attempt      any number
  end     true                                       finish what is stored and exit

from a worker
  hello   the agent's version, with the `notes`      after `load`
  notes   all that is to be said about the agent     when there is more of it
  played  the fields of a `Played`                   an episode is stored; none that is begun yet is, if `breached`
  sketch  an episode as it stands, encoded, base64   where it was asked for, before each turn
  blamed  true                                       the episode just played made it stand still; then the worker exits
  stuck   the fields of an `End`                     it stands still, by which episode can't be told; then it exits
  wrong   a user's mistake, with the `kind` of it    then the worker exits
  bug     a traceback of our own code                then the worker exits
"""

_LENGTH = struct.Struct(">I")


class Reader(Protocol):
    """Gives exactly so many bytes, or raises EOFError."""

    async def readexactly(self, n: int, /) -> bytes:
        """As an asyncio.StreamReader does."""
        ...


def packed(message: Message) -> bytes:
    """A message as it goes over the wire."""
    body = json.dumps(message).encode()
    return _LENGTH.pack(len(body)) + body


async def received(reader: Reader) -> Message | None:
    """The next message; None when the other end is gone, be it in the middle of one."""
    try:
        (length,) = _LENGTH.unpack(await reader.readexactly(_LENGTH.size))
        message: Message = json.loads(await reader.readexactly(length))
    except (EOFError, OSError):
        return None
    return message


class Line:
    """A worker's end of the wire: standard input and output, which from then on are nobody else's.

    The agent's code finds an empty standard input, and what it writes to standard output goes to standard error.
    """

    def __init__(self) -> None:
        self._in = os.fdopen(os.dup(0), "rb")
        self._out = os.dup(1)
        self._pid = os.getpid()
        self._lock = threading.Lock()
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)

    def say(self, **message: Any) -> None:
        """Send a message, from any thread. A fork of the process, which has nothing to say here, ends."""
        if os.getpid() != self._pid:
            os._exit(0)
        data = memoryview(packed(message))
        with self._lock:
            while data:
                data = data[os.write(self._out, data) :]

    def hear(self) -> Message | None:
        """The next message, waiting for it; None when the supervisor is gone."""
        head = self._in.read(_LENGTH.size)
        if len(head) < _LENGTH.size:
            return None
        body = self._in.read(*_LENGTH.unpack(head))
        return json.loads(body) if len(body) == _LENGTH.unpack(head)[0] else None
