"""Finding traces: by filters, by name, the latest."""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from harness.reports.traces.trace import Trace, imported, played
from harness.store.store import Store
from traces.conversation import Conversation, Retrieval, ToolCall

STATUSES = ("ok", "error", "incomplete", "passed", "failed", "not_judged")
"""What a trace can be: the first three of any, the others verdicts of played ones."""


@dataclass(frozen=True, slots=True)
class Filters:
    """What traces to look at; None is any. Only played ones have a `workflow` and a `scenario`. `run`: an id, its
    beginning, or `latest`; observed ones are looked at only where their run is named. `tool`: a pattern (`get_*`) that
    the name of a tool called fits. `text`: stands in what was said, or in what a tool was given or gave, whatever the
    case. `since`, `until`: when it began, in seconds since the epoch.
    """

    workflow: str | None = None
    scenario: str | None = None
    run: str | None = None
    status: str | None = None
    tool: str | None = None
    text: str | None = None
    since: float | None = None
    until: float | None = None

    def fits(self, trace: Trace) -> bool:
        """Whether the filters that the store knows nothing of let a trace through."""
        if self.status is not None and self.status not in (trace.status, trace.verdict):
            return False
        if self.tool is not None and not any(fnmatchcase(tool, self.tool) for tool in trace.tools):
            return False
        return self.text is None or holds(trace.load(), self.text)


def find(store: Store, filters: Filters) -> Iterator[Trace]:
    """The traces that the filters let through, the latest first, a few at a time in memory. Raises StoreProblem where
    there is no such run.
    """
    within = {"since": filters.since, "until": filters.until}
    latest = store.latest() if filters.run == "latest" else None
    run = store.run(filters.run) if latest is None and filters.run is not None else latest
    episodes = store.played.all(None if run is None else run.id, filters.workflow, filters.scenario, **within)
    kinds: list[Iterator[Trace]] = [(played(each, store) for each in episodes)]
    if filters.run is filters.workflow is filters.scenario is None:
        kinds.append(imported(store, found) for found in store.conversations.all(**within))
    return filter(filters.fits, heapq.merge(*kinds, key=lambda trace: trace.started, reverse=True))


def holds(conversation: Conversation, text: str) -> bool:
    """Whether a text stands in what was said, or in what a tool was given or gave."""
    wanted = text.casefold()
    return any(wanted in each.casefold() for each in _texts(conversation))


def _texts(conversation: Conversation) -> Iterator[str]:
    for turn in conversation.turns:
        yield turn.user or ""
        yield turn.assistant or ""
        for step in turn.steps:
            if isinstance(step, ToolCall):
                yield from map(_text, (step.arguments, step.raw, step.result, step.told))
                yield (step.error and step.error.message) or ""
            elif isinstance(step, Retrieval):
                yield step.query or ""
                yield from (document.text or "" for document in step.documents)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
