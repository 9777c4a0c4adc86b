"""A run as a function call: what `turngate run` does, without a terminal. Documented in docs/python.md."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import wraps
from numbers import Integral, Real
from pathlib import Path
from types import MappingProxyType, NoneType
from typing import Any, ParamSpec, TypeVar

from harness.agents.loop import run as run_loop
from harness.episodes.task import Limits
from harness.llm.access import shared_access
from harness.model.episode import Episode
from harness.model.result import GateVerdict, Result
from harness.reports.gather import dimensions, gather
from harness.reports.result_json import decision_of
from harness.reports.run_view import Failure, RunView
from harness.reports.scenario_map import ScenarioMap
from harness.runs.background import Background
from harness.runs.decided import passed
from harness.runs.executors import executor_for, opened
from harness.runs.plan import Settings
from harness.runs.prepare import load_bundle
from harness.runs.rehearse import rehearse
from harness.runs.selection import Selection
from harness.store.places import open_store

P = ParamSpec("P")
T = TypeVar("T")
_WIDTH = 120
_TOLD = ("__doc__", "__annotations__")
"""What both forms have of the function that they run."""


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """What came of a run. `run`: its id, by which `turngate show` opens it; `agent`: the version that was rehearsed;
    `map`: family by metric; `results`: one for each planned episode; `failures`: episodes that failed or were not
    judged, those of one scenario and reason together; `notes`: what has to be said beside the figures; `store`: where
    all of it is kept.
    """

    run: str
    workflow: str
    agent: str
    verdict: GateVerdict = field(repr=False)
    map: ScenarioMap = field(repr=False)
    results: tuple[Result, ...] = field(repr=False)
    failures: tuple[Failure, ...] = field(repr=False)
    notes: tuple[str, ...] = field(repr=False)
    store: str = field(repr=False)
    explanation: str = field(repr=False)
    """The lines that `turngate run` prints: the map, the gate rule by rule, the failures and how to open them."""
    decision: str
    """`passed`, `failed`, `undecided`, or `partial`: a part of a workflow, which can fail its gate and never passes."""

    def __str__(self) -> str:
        return self.explanation

    @property
    def passed(self) -> bool:
        """Whether the gate of the whole workflow passed, and no planned episode is missing."""
        return passed(self.verdict, self.results)

    def episodes(self) -> Iterator[Episode]:
        """The conversations, in the order of the plan, read from the store a few at a time. Raises StoreProblem."""
        with open_store(self.store, must_exist=True) as store:
            yield from store.episodes(self.run)


async def _run(
    workflow: str | Path = ".",
    *,
    agent: str | object | None = None,
    trials: int | None = None,
    only: str | Iterable[str] = (),
    slices: Mapping[str, str] = MappingProxyType({}),
    concurrency: int = 8,
    fail_fast: bool = False,
    turn_limit: float | None = None,
    workers: int | None = None,
    until_decided: int | None = None,
    max_cost: float | None = None,
    store: str | Path | None = None,
) -> RunOutcome:
    """Play a workflow's scenarios against an agent, score them, decide the gate, and store all of it. Prints nothing.

    `workflow`: a workflow file, its folder, or a scenario file in it. `agent`: a name as for `turngate run --agent`, or
    the agent itself: a function, a factory, an object with `reply`, a compiled graph; None: the workflow's own.
    `trials`: of each scenario; None: the workflow's number. `only`: scenarios, families, or patterns of them; `slices`:
    values that must all fit. `concurrency`: episodes at a time. `fail_fast`: begin no episode after the first failed
    one. `turn_limit`: seconds that a turn may take. `workers`: processes that a named agent runs in (None: one), 0 for
    the calling one, in which an agent that is given itself always runs. `until_decided`: go on with more trials where a
    rule is undecided, up to so many of a scenario. `max_cost`: US dollars after which no model is asked and no further
    trial begun. `store`: an SQLite file or a database URL; None: TURNGATE_STORE, else `.turngate/turngate.db`.

    Raises Problems (a workflow file is wrong), AgentProblem (there is no such agent, or it can't be rehearsed),
    NothingSelectedError, TooManyEpisodesError, StoreProblem, ModelProblem, and ValueError or TypeError for an argument
    that can't be meant. What an agent does raises nothing. Interrupted or cancelled, it keeps every episode that was
    played.

    `run` raises RuntimeError where an event loop is running: `await run_async(…)` there. Its agent runs on a loop of
    its own, in another thread, so that neither holds the other up: what belongs to the caller's loop, as an open
    connection, is not for it.
    """
    _of("workflow", workflow, (str, os.PathLike), "a path")
    _of("store", store, (str, os.PathLike, NoneType), "a path, or a database URL")
    _of("fail_fast", fail_fast, (bool,), "True or False")
    _of("turn_limit", turn_limit, (Real, NoneType), "a number of seconds")
    _of("max_cost", max_cost, (Real, Decimal, NoneType), "a number of US dollars")
    counts = {"trials": trials, "concurrency": concurrency, "until_decided": until_decided, "workers": workers}
    for name, value in counts.items():
        least = 0 if name == "workers" else 1
        _of(name, value, (Integral, NoneType), "a whole number")
        if value is not None and value < least:
            raise ValueError(f"{name}={value}: at least {least}")
    if turn_limit is not None and not turn_limit > 0:
        raise ValueError(f"turn_limit={turn_limit}: a number of seconds above 0")
    if workers and not isinstance(agent, str | None):
        raise ValueError(f"workers={workers}: an agent that is given itself runs in this process; others can import it")
    settings = Settings(
        Selection(_names(only), _pairs(slices)),
        trials,
        concurrency,
        fail_fast,
        Limits() if turn_limit is None else Limits(turn_seconds=turn_limit),
        max_trials=until_decided,
        max_cost=None if max_cost is None else Decimal(str(max_cost)),
    )
    bundle = load_bundle(Path(workflow), trials, until_decided)
    planned = trials or bundle.workflow.trials
    if until_decided is not None and until_decided < planned:
        raise ValueError(f"until_decided={until_decided}: {planned} trials of each scenario are planned already")
    place = os.environ.get("TURNGATE_STORE") if store is None else str(store)
    with open_store(place) as kept, shared_access(max_cost=max_cost) as shared:
        access = replace(shared, measured=until_decided is not None)
        executor = executor_for(bundle, Path(workflow), agent, 1 if workers is None else workers, access)
        async with opened(executor):
            finished = await rehearse(bundle, executor, kept, settings)
        view = gather(kept, finished.run.id, bundle.workflow, finished.verdict, finished.results, finished.said)
        return RunOutcome(
            run=view.run,
            workflow=view.workflow,
            agent=view.agent,
            verdict=view.verdict,
            map=view.map,
            results=view.results,
            failures=view.failures,
            notes=view.notes,
            store=str(kept.place),
            explanation=_printed(view),
            decision=decision_of(view.verdict),
        )


def _of(name: str, value: object, kinds: tuple[type, ...], words: str) -> None:
    """Raises TypeError unless the argument is of one of the kinds; a bool is no number."""
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        raise TypeError(f"{name}={value!r}: it must be {words}")


def _names(only: str | Iterable[str]) -> tuple[str, ...]:
    names = (only,) if isinstance(only, str) or not isinstance(only, Iterable) else tuple(only)
    for name in names:
        _of("only", name, (str,), "the id of a scenario, a family, or a pattern of them; or several of these")
    return names


def _pairs(slices: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    _of("slices", slices, (Mapping,), 'values by the names of slices, as {"language": "es"}')
    for name, value in slices.items():
        _of(f"slices[{name!r}]", value, (str,), "a text: the value of the slice")
    return tuple(slices.items())


def _printed(view: RunView) -> str:
    """What the terminal shows of it, without colours."""
    from io import StringIO

    from rich.console import Console

    from harness.reports.terminal import show_run

    text = StringIO()
    show_run(Console(file=text, width=_WIDTH, markup=False, emoji=False, highlight=False), view, dimensions())
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines())


_run.__qualname__ = "run"  # as Python names it where it is called with an argument that there is none of


def _blocking(function: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, T]:
    """Run on an event loop of the calling thread, which must have none."""

    @wraps(function, assigned=_TOLD)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return run_loop(function(*args, **kwargs))
        raise RuntimeError("an event loop is running: `await harness.run_async(…)` instead of `harness.run(…)`")

    return run


def _beside(function: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Run on an event loop in another thread, and wait for it on the caller's."""

    @wraps(function, assigned=_TOLD)
    async def run_async(*args: P.args, **kwargs: P.kwargs) -> T:
        playing = Background(lambda: function(*args, **kwargs))
        ended = asyncio.wrap_future(playing.ended)
        try:
            return await asyncio.shield(ended)
        except asyncio.CancelledError:
            playing.cancel()
            await asyncio.gather(ended, return_exceptions=True)
            raise

    return run_async


run = _blocking(_run)
run_async = _beside(_run)
