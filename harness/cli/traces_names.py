"""The short ways in which people name traces, and the filters that they type."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from harness.cli.exits import UserError
from harness.cli.names import find_episode
from harness.cli.traces_filters import Asked
from harness.reports.traces.search import STATUSES, Filters, find
from harness.reports.traces.trace import Trace, imported, played
from harness.store.ambiguous import ambiguous
from harness.store.played import Played
from harness.store.problem import StoreProblem
from harness.store.store import Store
from tools_sandbox.nearest import hint

_AGO = re.compile(r"(\d{1,6})\s*([smhdw])")
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
"""Seconds of each."""


def find_trace(store: Store, name: str) -> Trace:
    """The trace of that name: `latest`; an imported conversation's id, the application's, or one of its trace ids; or
    whatever `turngate show` takes for an episode. The beginning is enough where it is of one only. Of the latest run,
    if it scored conversations, the application's id will do too; where nothing else is stored, `latest` is of it.
    """
    run = store.latest()
    if name == "latest":
        for filters in (Filters(), *(() if run is None else (Filters(run=run.id),))):
            if (found := next(find(store, filters), None)) is not None:
                return found
        raise UserError("no trace is stored yet: `turngate traces import FILE`, or `turngate run`")
    conversations = store.conversations.matching(name)
    if len(conversations) == 1:
        return imported(store, conversations[0])
    if conversations:
        raise UserError(ambiguous(name, [each.id for each in conversations]))
    if run is not None and run.observed:
        for each in store.played.all(run.id):
            if each.episode.observed is not None and each.episode.observed.conversation == name:
                return played(each, store)
    try:
        episode = find_episode(store, name)
    except StoreProblem as problem:
        if run is None:
            raise UserError(f"there is no trace {name}; see: turngate traces list") from None
        raise UserError(
            f"there is no conversation {name}, and no episode: {problem}; see: turngate traces list"
        ) from None
    scored = store.scored_episode(episode.key)
    verdict = None if scored is None else scored.verdict.status.value
    return played(Played(episode, store.run(episode.key.run).workflow, verdict), store)


def none_fits(store: Store, filters: Filters) -> str:
    """What is said where the filters let nothing through."""
    scored = None if filters.run is not None else next((run for run in store.runs() if run.observed), None)
    if scored is not None:
        why = "conversations that were scored are seen where their run is named"
        return f"no trace fits: {why}, as by --run {scored.id}"
    return "no trace fits" if filters != Filters() else "no traces yet: turngate traces import FILE"


def filters_of(asked: Asked) -> Filters:
    """The filters of a command. Raises UserError for what can't be meant."""
    status = asked.status and asked.status.replace("-", "_").replace(" ", "_")
    if status is not None and status not in STATUSES:
        raise UserError(f"--status {status}: {hint(status, STATUSES)}")
    now = datetime.now(UTC).timestamp()
    return Filters(
        workflow=asked.workflow,
        scenario=asked.scenario,
        run=asked.run,
        status=status,
        tool=asked.tool,
        text=asked.text,
        since=_time("--since", asked.since, now),
        until=_time("--until", asked.until, now),
    )


def _time(option: str, text: str | None, now: float) -> float | None:
    """Seconds since the epoch: of a time in ISO 8601, UTC unless it says otherwise, or of so long ago."""
    if text is None:
        return None
    if ago := _AGO.fullmatch(text):
        return now - int(ago[1]) * _UNITS[ago[2]]
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise UserError(
            f"{option} {text}: write a time (2026-11-20, 2026-11-20T10:00+01:00), or how long ago: 30m, 24h, 7d"
        ) from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
