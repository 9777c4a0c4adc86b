"""`turngate show`: the runs there are, the episodes of a run, or one episode."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict

from rich import box
from rich.table import Table
from rich.text import Text

from harness.cli.exits import Exit, UserError
from harness.cli.names import NO_RUN, find_episode, matching_runs
from harness.cli.out import console
from harness.model.episode import Episode
from harness.model.result import Result
from harness.model.status import Status
from harness.reports.conversation import STATUS_STYLES, episode_page
from harness.reports.printable import printable, short
from harness.reports.whole import Whole
from harness.store.places import open_store
from harness.store.problem import StoreProblem
from harness.store.records import RunRecord
from harness.store.store import Store


def show(name: str | None, turn: int | None, as_json: bool, place: str | None) -> int:
    """Print it; gives the exit code."""
    out = console()
    with open_store(place, must_exist=True) as store:
        if name is None:
            runs = list(store.runs())
            out.print(_runs(runs) if runs else NO_RUN)
            return Exit.PASSED
        runs = matching_runs(store, name)
        if len(runs) == 1:
            out.print(_episodes(store, runs[0].id))
            return Exit.PASSED
        episode = _episode(store, name)
        scored = store.scored_episode(episode.key)
        if scored is None:
            raise UserError(f"{name}: the episode has no scores: turngate rescore {episode.key.run}")
        late = store.late.of(episode.conversation_id)
        if as_json:
            document = {"episode": asdict(episode), "scored": asdict(scored), "late": [asdict(each) for each in late]}
            # ASCII only: what an agent said can't steer the terminal it is shown in.
            out.out(json.dumps(document, ensure_ascii=True, indent=2, default=str))
            return Exit.PASSED
        try:
            out.print(episode_page(episode, scored, turn, late))
        except ValueError as error:
            raise UserError(f"{name}: {error}") from None
    return Exit.PASSED


def _runs(runs: Iterable[RunRecord]) -> Whole:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in ("run", "workflow", "agent", "begun", "status"):
        table.add_column(column, overflow="fold", no_wrap=column in ("run", "begun", "status"))
    for run in runs:
        agents = ", ".join(agent.label for agent in run.agents)
        table.add_row(run.id, run.workflow, printable(agents), f"{run.created:%Y-%m-%d %H:%M}", run.status)
    return Whole(table, bare=("workflow", "agent", "begun", "status"))


def _episodes(store: Store, run: str) -> Whole:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in ("family", "verdict", "code", "episode"):
        table.add_column(column, overflow="fold", no_wrap=column != "family")
    for result in store.results(run):
        table.add_row(result.family, _verdict(result), result.code or "", _opening(result))
    return Whole(table, lead=3, bare=("episode",))


def _episode(store: Store, name: str) -> Episode:
    """Of that name. Raises UserError where it is that of an imported conversation, or of nothing."""
    try:
        return find_episode(store, name)
    except StoreProblem as problem:
        if store.conversations.matching(name):
            raise UserError(f"{name} is no episode but an imported conversation: turngate traces show {name}") from None
        raise UserError(f"{problem}; for conversations of telemetry see: turngate traces list") from None


def _opening(result: Result) -> Text:
    """The command that opens an episode; of one that was not played its name alone."""
    name = short(result.key.id)
    return Text(f"turngate show {name}") if result.state == "played" else Text(name, style="bright_black")


def _verdict(result: Result) -> Text:
    status: Status | None = result.verdict.status if result.verdict else None
    text = result.state if status is None else status.value.replace("_", " ")
    return Text(text, style="bright_black" if status is None else STATUS_STYLES[status])
