"""The main program of a worker process: plays what its supervisor says, on one event loop."""

from __future__ import annotations

import asyncio
import os
import threading
import traceback
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from harness.agents.loop import run
from harness.agents.problem import AgentProblem
from harness.agents.source import AgentSource
from harness.episodes.task import Stage
from harness.llm.access import ModelAccess
from harness.model.episode import Episode
from harness.runs.daemon import DaemonThreads
from harness.runs.local.orders import Begin, Load
from harness.runs.local.watchdog import Watchdog
from harness.runs.local.wire import Line, Message
from harness.runs.player import Player
from harness.runs.prepare import agent_of, files_digest, stage_maker
from harness.store.codec import written
from harness.workflow.bundle import Bundle, load
from harness.workflow.problems import Problems

T = TypeVar("T")


def main() -> None:
    """Serve the supervisor at the other end of standard input and output until it says `end` or is gone."""
    line = Line()
    try:
        run(_serve(line))
    except AgentProblem as error:
        line.say(wrong=str(error))
    except Problems as error:  # the supervisor has read the same files a moment ago, and they were right
        line.say(wrong=f"the workflow's files have changed since the run began: {error}")
    except Exception:  # noqa: BLE001  whatever it is, it is told where it can be seen
        line.say(bug=traceback.format_exc())


async def _serve(line: Line) -> None:
    loop = asyncio.get_running_loop()
    loop.set_default_executor(DaemonThreads())
    inbox: asyncio.Queue[Message] = asyncio.Queue()
    threading.Thread(target=_listen, args=(line, loop, inbox), name="supervisor", daemon=True).start()
    order = Load(**(await inbox.get())["load"])
    bundle = load(Path(order.workflow))
    source = agent_of(bundle, order.agent, ModelAccess(**order.access), order.instrument)
    line.say(hello=asdict(source.version), notes=source.notes)
    if "begin" in (message := await inbox.get()):
        await _Run(line, inbox, bundle, source, Begin.read(message["begin"]), order).serve()


def _listen(line: Line, loop: asyncio.AbstractEventLoop, inbox: asyncio.Queue[Message]) -> None:
    while (message := line.hear()) is not None:
        loop.call_soon_threadsafe(inbox.put_nowait, message)
    os._exit(0)  # the supervisor is gone, and with it everybody who wants to know how this ends


class _Run:
    """The episodes of one run."""

    def __init__(
        self,
        line: Line,
        inbox: asyncio.Queue[Message],
        bundle: Bundle,
        source: AgentSource,
        begin: Begin,
        load: Load,
    ) -> None:
        self._line = line
        self._inbox = inbox
        self._source = source
        self._begin = begin
        self._notes = source.notes
        self._orders: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        stage = stage_maker(bundle, begin.time)
        self._stages: dict[str, Stage] = _Lazily(lambda item: stage(bundle.scenarios[item]))
        sketched = self._sketched if begin.sketches else None
        self._player = Player(source, sketched, otlp_port=load.otlp_port, instrumented=bool(load.instrument))
        self._watchdog = Watchdog(self._player.stalls, begin.limits.turn_seconds, line)
        if files_digest(bundle, begin.items) != begin.files or source.version.label != begin.agent:
            raise AgentProblem("the files of the workflow or the agent have changed since the run began: run it again")

    async def serve(self) -> None:
        """Play what is ordered until the end is; what is under way then is dropped."""
        with self._player.ready(), self._watchdog:
            players = [asyncio.create_task(self._play_orders()) for _ in range(self._begin.concurrency)]
            try:
                while "end" not in (message := await self._inbox.get()):
                    if "failure" in message:
                        raise message["failure"]
                    for order in message["play"]:
                        self._orders.put_nowait(order)
            finally:
                for player in players:
                    player.cancel()

    async def _play_orders(self) -> None:
        try:
            while True:
                task = self._begin.task(self._stages, await self._orders.get())
                self._tell(await self._player.play(task))
        except Exception as error:  # noqa: BLE001  it is raised where the inbox is read
            self._inbox.put_nowait({"failure": error})

    def _tell(self, episode: Episode) -> None:
        if (notes := self._player.notes) != self._notes:
            self._notes = notes
            self._line.say(notes=notes)
        for late in self._player.late():  # first: behind its last episode nobody listens to a worker
            self._line.say(late=True, record=written(late))
        self._line.say(episode=True, record=written(episode))

    def _sketched(self, episode: Episode) -> None:
        self._line.say(sketch=True, record=written(episode))


class _Lazily(dict[str, T]):
    """Values that are made when they are first asked for."""

    def __init__(self, make: Callable[[str], T]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: str) -> T:
        value = self[key] = self._make(key)
        return value
