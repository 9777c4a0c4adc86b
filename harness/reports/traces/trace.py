"""A trace, played, imported or observed, as lists and pages show it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from harness.model.episode import Episode
from harness.reports.traces.played import broke_off, conversation_of, with_late
from harness.store.conversation_records import Imported
from harness.store.played import Played
from harness.store.store import Store
from traces.conversation import Conversation
from traces.outline import Status, outline


@dataclass(frozen=True, slots=True)
class Trace:
    """A trace in figures. `id` is what commands take; `load` gives the conversation itself. Times in seconds since the
    epoch. `origin`: `observed` is one that was imported to be scored. `kinds`: which tools read and which write, as far
    as is known. `name`: of a played one its scenario, else the application's id. `verdict`: of an episode that was
    scored; `episode`: its record.
    """

    id: str
    origin: Literal["played", "imported", "observed"]
    name: str | None
    status: Status
    started: float
    ended: float
    turns: int
    model_calls: int
    tool_calls: int
    errors: int
    tools: tuple[str, ...]
    agents: tuple[str, ...]
    load: Callable[[], Conversation]
    workflow: str | None = None
    run: str | None = None
    verdict: str | None = None
    dialects: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    kinds: Mapping[str, Literal["reads", "writes"]] | None = None
    episode: Episode | None = None

    @property
    def figures(self) -> dict[str, Any]:
        """The figures as JSON."""
        return {name: getattr(self, name) for name in self.__slots__ if name not in ("load", "kinds", "episode")}


def played(found: Played, store: Store) -> Trace:
    """The trace of an episode, played or observed, with what came late of it when it is shown."""
    episode, observed = found.episode, found.episode.observed
    conversation = conversation_of(episode)
    told = outline(conversation)
    return Trace(
        id=episode.key.id,
        origin="played" if observed is None else "observed",
        name=episode.key.item if observed is None else observed.conversation,
        status="incomplete" if told.status == "ok" and broke_off(episode) else told.status,
        started=episode.started,
        ended=episode.ended,
        turns=told.turns,
        model_calls=told.model_calls,
        tool_calls=told.tool_calls,
        errors=told.errors,
        tools=told.tools,
        agents=(episode.agent.label,),
        load=lambda: with_late(conversation, store.late.of(episode.conversation_id)),
        workflow=found.workflow,
        run=episode.key.run,
        verdict=found.verdict,
        dialects=conversation.dialects,
        episode=episode,
        kinds={call.tool: call.kind for call in episode.calls if call.kind is not None},
    )


def imported(store: Store, found: Imported) -> Trace:
    """The trace of an imported conversation, which is read when it is asked for."""

    def load() -> Conversation:
        from traces.reading import conversation  # every dialect, for which a list has no use

        held = store.conversations.telemetry(found.id)
        return conversation(held.spans, held.logs)

    return Trace(
        id=found.id,
        origin="imported",
        name=found.conversation,
        status=found.status,
        started=found.started,
        ended=found.ended,
        turns=found.turns,
        model_calls=found.model_calls,
        tool_calls=found.tool_calls,
        errors=found.errors,
        tools=found.tools,
        agents=found.agents,
        load=load,
        dialects=found.dialects,
        files=tuple(source.name for source in found.sources),
    )
