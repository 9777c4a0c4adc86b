"""The worker processes of one agent: started, greeted, watched, ended."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from types import TracebackType
from typing import Self

import orjson

from harness.agents.problem import AgentProblem
from harness.model.episode import AgentVersion
from harness.runs.local.memory import MemoryGuard
from harness.runs.local.orders import Begin, Load
from harness.runs.local.process import NONSENSE, Process
from harness.runs.local.wire import Message
from harness.store.codec import decode
from tools_sandbox.values import show

_PATIENCE = 10.0
"""Seconds, after those of a turn, in which a process need give no sign of life: its own watchdog comes first."""


class WorkerBugError(Exception):
    """A worker came upon a fault of turngate's own; the text is its traceback."""


class Pool:
    """Within the `async with` there is at least one process, which has been told what to load. `memory`: bytes that one
    may take.
    """

    def __init__(self, load: Load, memory: int) -> None:
        self._notes: list[str] = []
        self._printed: list[str] = []
        self._load = load
        self._processes: set[Process] = set()
        self._guard = MemoryGuard(self._processes, memory)
        self._version: AgentVersion | None = None
        self._idle: dict[Process, Begin | None] = {}

    async def __aenter__(self) -> Self:
        self._printed.clear()  # of an earlier `async with`
        self._idle.clear()
        self._guarding = asyncio.create_task(self._guard.watch())
        self._first: Process | None = await self._start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._guarding.cancel()
        await asyncio.gather(*(self.end(process) for process in list(self._processes)))

    @property
    def notes(self) -> list[str]:
        """What is to be said about the agent, and what was printed that belongs to no episode."""
        printed = [*self._printed, *(process.printed for process in self._processes)]
        stray = "\n".join(each for each in printed if each)
        return [*self._notes, *([f"printed outside any episode: {show(stray, 500)}"] if stray else [])]

    async def version(self) -> AgentVersion:
        """Which agent the processes have loaded. Raises AgentProblem if there is none."""
        if self._version is None:
            self._idle[await self._loaded()] = None
        assert self._version is not None
        return self._version

    async def take(self, begin: Begin) -> Process:
        """A process that is ready for the run: one that is idle, or a new one."""
        for process, begun in list(self._idle.items()):
            if process.alive and begun in (None, begin):
                del self._idle[process]
                if begun is None:
                    self._begin(process, begin)
                return process
        return await self.fresh(begin)

    async def fresh(self, begin: Begin) -> Process:
        """A process in which no episode has been played yet."""
        process = await self._loaded()
        self._begin(process, begin)
        return process

    @staticmethod
    def _begin(process: Process, begin: Begin) -> None:
        process.expect(begin.limits.turn_seconds + _PATIENCE)
        process.say(begin=asdict(begin))

    def put_back(self, process: Process, begin: Begin) -> None:
        """It has nothing to do for now."""
        self._idle[process] = begin

    async def end(self, process: Process) -> None:
        """It is not needed any more."""
        self._idle.pop(process, None)
        await process.end()
        self._processes.discard(process)
        self._printed.append(process.printed)

    async def hear(self, process: Process) -> Message | None:
        """What it says next that the pool does not see to itself; None when it is dead.

        Raises AgentProblem for a mistake of the user that it has come upon, and WorkerBugError.
        """
        while (message := await process.hear()) is not None:
            if not _says_text(message):
                await process.kill(NONSENSE)
                return None
            if "notes" in message:
                self._notes = message["notes"]
            if "wrong" in message:
                raise AgentProblem(message["wrong"])
            if "bug" in message:
                raise WorkerBugError(message["bug"])
            if message.keys() != {"notes"}:
                return message
        return None

    async def _start(self) -> Process:
        process = await Process.start()
        self._processes.add(process)
        process.say(load=asdict(self._load))
        return process

    async def _loaded(self) -> Process:
        process, self._first = self._first or await self._start(), None
        version = await self._greeted(process)
        if version is None:  # if that was the agent's doing, it will do it again
            await self.end(process)
            process = await self._start()
            version = await self._greeted(process)
        if version is None:
            said = f"; it printed: {process.printed[-500:]}" if process.printed else ""
            raise AgentProblem(f"the agent's process {process.how_it_ended} while it was loaded{said}")
        if self._version not in (None, version):
            raise AgentProblem("the agent's files have changed since the run began: run it again")
        self._version = version
        return process

    async def _greeted(self, process: Process) -> AgentVersion | None:
        """Which agent it has loaded; None if it died of it."""
        message = await self.hear(process)
        if message is None:
            return None
        try:
            return decode(AgentVersion, orjson.dumps(message["hello"]))
        except (KeyError, TypeError, ValueError):
            await process.kill(NONSENSE)
            return None


def _says_text(message: Message) -> bool:
    """Whether what is text in it is text: an agent may have written on its process's line."""
    notes = message.get("notes", [])
    texts = [message.get("wrong", ""), message.get("bug", ""), *(notes if isinstance(notes, list) else [None])]
    return all(isinstance(text, str) for text in texts)
