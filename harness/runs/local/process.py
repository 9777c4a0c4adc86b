"""One worker process, seen from its supervisor."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import time
from asyncio.subprocess import PIPE
from pathlib import Path
from typing import Any, Self

import harness
from harness.runs.local.wire import Message, packed, received

_CODE = "import sys; sys.path.append({root!r}); from harness.runs.local.worker import main; main()"
_PATIENCE = 2.0
"""Seconds that a worker gets to exit by itself."""
_LOOK = 0.05
"""Seconds between two looks whether it lives."""
NONSENSE = "said what turngate itself would not say"
"""The fate of one in which an agent has written on the line."""
_AWAY = 1.0
"""Seconds after which a look was late by our own doing."""
LOADING = 600.0
"""Seconds that loading an agent may take."""
_KEPT = 20_000
"""Bytes kept of the end of what a worker prints that belongs to no episode."""


class Process:
    """A worker. It is in a session of its own: a Ctrl-C in the terminal does not reach it, and whatever processes the
    agent starts can be ended with it.
    """

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.pid = process.pid
        self.fate: str | None = None
        """Why it was killed, in words that go on after "the agent's process"; None: it ended by itself, or lives."""
        self.expect(LOADING)
        self._process = process
        self._messages: asyncio.Queue[Message | None] = asyncio.Queue()
        self._printed = bytearray()
        self._tasks = [asyncio.create_task(work()) for work in (self._hear, self._keep_output)]
        self._watch = asyncio.create_task(self._until_dead())

    @classmethod
    async def start(cls) -> Self:
        """Start one. Raises OSError if the system gives no process."""
        root = str(Path(harness.__file__).parents[1])
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-c", _CODE.format(root=root),
            stdin=PIPE, stdout=PIPE, stderr=PIPE, start_new_session=True,
        )  # fmt: skip
        return cls(process)

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self._process.returncode is None

    @property
    def printed(self) -> str:
        """The end of what was printed outside any episode."""
        return self._printed.decode("utf-8", "replace").strip()

    @property
    def killed_by_others(self) -> bool:
        """Whether SIGKILL has ended it and turngate has not sent it: the system for lack of memory, an operator, or the
        agent itself. They can't be told apart.
        """
        return self.fate is None and self._process.returncode == -signal.SIGKILL

    @property
    def how_it_ended(self) -> str:
        """What goes on after "the agent's process"."""
        if self.fate is not None:
            return self.fate
        code = self._process.returncode or 0
        if code >= 0:
            return f"ended itself with exit code {code}"
        with contextlib.suppress(ValueError):
            name = signal.Signals(-code).name
            return f"was killed by {name}" + (" (out of memory?)" if name == "SIGKILL" else "")
        return f"was killed by signal {-code}"

    def expect(self, silence: float | None) -> None:
        """From now on it may say nothing for so many seconds at a time; None: for ever."""
        self._silence = silence
        self._said = time.monotonic()

    def say(self, **message: Any) -> None:
        """Send it a message. To one that is dead nothing happens: its death is heard of in `hear`."""
        if self._process.stdin is not None and not self._process.stdin.is_closing():
            self._process.stdin.write(packed(message))

    async def hear(self) -> Message | None:
        """The next message; None when it is dead and all that it said was heard."""
        return await self._messages.get()

    async def end(self) -> None:
        """Let it store what it has and exit; kill it if it doesn't, or if this is cancelled."""
        self.say(end=True)
        try:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_PATIENCE):
                    await asyncio.shield(self._watch)
        finally:
            await self.kill()

    async def kill(self, fate: str | None = None) -> None:
        """End it now, with the processes that the agent has started."""
        if self.alive:
            self.fate = self.fate or fate
            self._kill_group()
        await self._watch

    def _kill_group(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)

    async def _death(self) -> None:
        """The `wait` of asyncio waits for the pipes too, which a fork of the agent's may hold open."""
        while self.alive:
            looked = time.monotonic()
            await asyncio.sleep(_LOOK)
            if time.monotonic() - looked > _AWAY:  # it was us who stood still, and heard nothing
                self._said = time.monotonic()
            if self._silence is not None and time.monotonic() - self._said > self._silence:
                self.fate = self.fate or f"stood still for more than {self._silence:g} s"
                self._kill_group()

    async def _hear(self) -> None:
        while self._process.stdout is not None and (message := await received(self._process.stdout)) is not None:
            # Once it is loaded it has nothing to say until it is given something to do; later on a `hello` is a lie.
            loaded = self._silence == LOADING and "hello" in message
            self.expect(None if loaded else self._silence)
            if "alive" not in message:
                self._messages.put_nowait(message)

    async def _keep_output(self) -> None:
        while self._process.stderr is not None and (data := await self._process.stderr.read(65536)):
            self._printed += data
            del self._printed[:-_KEPT]

    async def _until_dead(self) -> None:
        """What the agent has forked may hold the pipes open for ever: the worker's own death is what counts. Cancelled,
        it brings that about: asyncio complains of whatever it has not seen the end of once the loop is closed.
        """
        try:
            await self._dying()
        finally:
            self._kill_group()  # what the agent has started and left
            while self.alive:
                await asyncio.sleep(_LOOK)
            await asyncio.wait(self._tasks, timeout=1)
            for task in self._tasks:
                task.cancel()
            # What outlives the worker may hold the pipes open, of which asyncio complains too.
            self._process._transport.close()  # type: ignore[attr-defined]
            self._messages.put_nowait(None)

    async def _dying(self) -> None:
        hearing, _ = self._tasks
        dead = asyncio.create_task(self._death())
        await asyncio.wait({hearing, dead}, return_when="FIRST_COMPLETED")
        if not dead.done():  # it has closed its end of the wire: nothing can be heard of it any more
            await asyncio.wait({dead}, timeout=_PATIENCE)
        if not dead.done():
            self.fate = self.fate or "closed the connection to turngate"
            self._kill_group()
            await dead
