"""Rows of recordings, and what is told of each without its messages."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, field, replace
from typing import Any, cast

from sqlalchemy import Row

from harness.model.episode import Feedback
from harness.model.expect import Outcome
from harness.model.recording import Recording, RecordingSource, SourceKind
from harness.store.codec import stored, written
from harness.store.rows import Values
from tools_sandbox.call import Json


@dataclass(frozen=True, slots=True)
class RecordingSummary:
    """A recording in figures. `agent`: its label, None if the source names none. `begun`: the time of its first message
    in seconds since the epoch, None if that is not known. `tools`: those called, each once. `flaws`: how many.
    `imported`: when it came, in ISO 8601; empty while it is not stored.
    """

    id: str
    source: RecordingSource
    workflow: str | None
    agent: str | None
    begun: float | None
    turns: int
    calls: int
    tools: tuple[str, ...]
    outcome: Outcome | None
    feedback: tuple[Feedback, ...] = ()
    labels: dict[str, Json] = field(default_factory=dict)
    flaws: int = 0
    imported: str = ""


def summary_of(recording: Recording) -> RecordingSummary:
    """The figures of a recording."""
    tools = [call.tool for call in recording.calls()]
    return RecordingSummary(
        id=recording.id,
        source=recording.source,
        workflow=recording.workflow,
        agent=None if recording.agent is None else recording.agent.label,
        begun=next((message.at for message in recording.messages if message.at is not None), None),
        turns=recording.turns,
        calls=len(tools),
        tools=tuple(dict.fromkeys(tools)),
        outcome=recording.outcome,
        feedback=tuple(recording.feedback),
        labels=recording.labels,
        flaws=len(recording.flaws),
    )


def recording_row(recording: Recording, imported: str) -> Values:
    """The row of a recording."""
    told = summary_of(recording)
    document = written(recording)
    return {
        "id": told.id,
        "workflow": told.workflow,
        "kind": told.source.kind,
        "place": told.source.where,
        "source": told.source.id,
        "agent": told.agent,
        "begun": told.begun,
        "turns": told.turns,
        "calls": told.calls,
        "tools": list(told.tools),
        "outcome": told.outcome,
        "feedback": [asdict(one) for one in told.feedback],
        "labels": told.labels,
        "flaws": told.flaws,
        "imported": imported,
        "digest": hashlib.sha256(_content(recording)).hexdigest(),
        "document": stored(document),
    }


def _content(recording: Recording) -> bytes:
    """The conversation, without what is only said of it, and where its file lay."""
    source = replace(recording.source, where="")
    return written(replace(recording, source=source, workflow=None, feedback=[], labels={}, flaws=[]))


def summary_of_row(row: Row[Any]) -> RecordingSummary:
    """The figures in a row."""
    return RecordingSummary(
        id=row.id,
        source=RecordingSource(cast("SourceKind", row.kind), row.place, row.source),
        workflow=row.workflow,
        agent=row.agent,
        begun=row.begun,
        turns=row.turns,
        calls=row.calls,
        tools=tuple(row.tools),
        outcome=row.outcome,
        feedback=tuple(Feedback(**one) for one in row.feedback),
        labels=row.labels,
        flaws=row.flaws,
        imported=row.imported,
    )
