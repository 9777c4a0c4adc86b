"""What plays in one process of pytest: a loop in a thread, executors by agent, runs by workflow and agent."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from contextlib import AsyncExitStack
from datetime import date
from pathlib import Path

import pytest

from harness.agents.problem import AgentProblem
from harness.llm.access import shared_access
from harness.llm.problem import ModelProblem
from harness.model.episode import AgentVersion, EpisodeKey
from harness.model.status import Status
from harness.pytest_plugin.came import Came, Trial
from harness.pytest_plugin.options import SESSION, options_of
from harness.runs.background import Background
from harness.runs.executors import executor_for, opened
from harness.runs.inline import Inline
from harness.runs.local.supervisor import Local
from harness.runs.plan import Settings
from harness.runs.resume import CantResume
from harness.runs.selection import TooManyEpisodesError
from harness.runs.shared import SharedRun
from harness.store.places import open_store
from harness.store.problem import StoreProblem
from harness.workflow.bundle import Bundle

MISTAKES = (AgentProblem, CantResume, ModelProblem, StoreProblem, TooManyEpisodesError)
"""What is wrong with the agent that was named, or with where and how it is to be played."""

_PATIENCE = 10.0
"""Seconds in which what plays has to end; an agent that holds its loop is left behind."""


class Stage:
    """Everything that plays in this process. Scenarios are played when they are asked for, one at a time, on a loop
    that is no test's.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._options = options_of(config)
        self._session = config.stash[SESSION]
        self._settings = Settings(trials=self._options.trials, concurrency=self._options.concurrency)
        self._named: dict[tuple[Path, str | None], Inline | Local | Exception] = {}
        self._given: tuple[object, Inline | Local] | None = None
        self._runs: dict[tuple[Path, str], SharedRun] = {}
        self._ready: Future[None] = Future()
        self._background = Background(self._until_closed)

    @property
    def runs(self) -> list[str]:
        """The runs that it has begun or joined."""
        return [run.record.id for run in self._runs.values()]

    def play(
        self, bundle: Bundle, items: Sequence[str], item: str, agent: object, begun: Callable[[str], None]
    ) -> Came:
        """Play the trials of a scenario, one of the `items` of its run, and tell what came of them. `agent`: a name,
        the agent itself, or None for the workflow's own; `begun` hears of the run before it is played. Raises one of
        MISTAKES. Whatever is raised in the one who waits here, be it Ctrl-C or a time limit, ends the playing.
        """
        self._ready.result()
        playing = self._background.submit(self._play(bundle, items, item, agent, begun))
        try:
            return playing.result()
        except BaseException:
            playing.cancel()
            raise

    def close(self) -> None:
        """End the processes of agents; whatever is under way is cancelled."""
        self._background.cancel()
        wait([self._background.ended], _PATIENCE)

    async def _until_closed(self) -> None:
        async with AsyncExitStack() as self._held:
            try:
                self._store = self._held.enter_context(open_store(self._options.store))
                self._access = self._held.enter_context(shared_access())
            except Exception as error:  # noqa: BLE001  it is raised where somebody waits for it
                self._ready.set_exception(error)
                return
            self._ready.set_result(None)
            await asyncio.Event().wait()

    async def _play(
        self, bundle: Bundle, items: Sequence[str], item: str, agent: object, begun: Callable[[str], None]
    ) -> Came:
        executor = await self._executor(bundle, agent)
        run = await self._run(bundle, items, await executor.version())
        begun(run.record.id)
        await run.play(item, executor)
        trials = tuple(map(self._trial, run.keys(item)))
        return Came(run.record.id, trials, self._options.where, _excuse(bundle, item, run.record.day))

    async def _executor(self, bundle: Bundle, agent: object) -> Inline | Local:
        if not isinstance(agent, str | None):
            if self._given is None or self._given[0] is not agent:
                self._given = agent, executor_for(bundle, bundle.root, agent, 0, self._access)
            return self._given[1]
        known = self._named.get((bundle.root, agent))
        if known is None:
            known = self._named[bundle.root, agent] = await self._found(bundle, agent)
        if isinstance(known, Exception):
            raise known
        return known

    async def _found(self, bundle: Bundle, agent: str | None) -> Inline | Local | Exception:
        """The executor of a named agent; if there is no such agent, why: nobody looks for it once more."""
        try:
            executor = executor_for(bundle, bundle.root, agent, self._options.workers, self._access)
            await self._held.enter_async_context(opened(executor))
            await executor.version()
        except AgentProblem as problem:
            return problem
        return executor

    async def _run(self, bundle: Bundle, items: Sequence[str], version: AgentVersion) -> SharedRun:
        key = bundle.root, version.label
        if key not in self._runs:
            # Every process of pytest-xdist comes to the same name.
            digest = hashlib.sha256("\x1f".join((self._session, *map(str, key))).encode()).hexdigest()
            name = f"r-{self._session[:15]}-{digest[:6]}"
            self._runs[key] = await SharedRun.begun(bundle, self._store, self._settings, items, name, version)
        return self._runs[key]

    def _trial(self, key: EpisodeKey) -> Trial:
        scored = self._store.scored_episode(key)
        passed = scored is not None and scored.verdict.status is Status.PASSED
        return Trial(key, scored, None if passed else self._store.find(key))


def _excuse(bundle: Bundle, item: str, day: date) -> str | None:
    """Why it decides nothing if a scenario fails; None where it does."""
    if bundle.scenarios[item].tier == "explore":
        return "an explore scenario: it is shown, and decides nothing"
    entries = (each for each in bundle.workflow.quarantine if each.scenario == item and not each.expired(day))
    return next((f"in quarantine until {each.until}, by {each.owner}: {each.reason}" for each in entries), None)
