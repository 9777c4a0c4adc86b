"""Rows of imported conversations from what was read, and back. Nothing leaves here with a credential in it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from sqlalchemy import Row

from harness.store.codec import encode
from harness.store.conversation_records import Imported, Source, Telemetry
from harness.store.mask import mask, mask_text
from traces.conversation import Conversation
from traces.identity import distinct_logs, distinct_spans, service_of
from traces.log_record import LogRecord
from traces.outline import outline
from traces.span import Span

Values = dict[str, Any]


def conversation_row(
    name: str, conversation: Conversation, identity: str | None, sources: Iterable[Source], imported: str
) -> Values:
    """The row of a conversation; `name` is the store's own id, `identity` what `identity_of` gives before masking."""
    told = outline(conversation)
    document = encode(telemetry_of(conversation))
    return {
        "id": name,
        "conversation": name_of(conversation),
        "identity": identity,
        "services": sorted(services_of(conversation)),
        "joined": conversation.joined,
        "started": told.started / 1e9,
        "ended": told.ended / 1e9,
        "status": told.status,
        "turns": told.turns,
        "model_calls": told.model_calls,
        "tool_calls": told.tool_calls,
        "errors": told.errors,
        "tools": mask(list(told.tools)),
        "dialects": list(conversation.dialects),
        "agents": mask(list(conversation.agents)),
        "sources": mask([asdict(source) for source in sources]),
        "imported": imported,
        "digest": digest_of(document),
        "document": document,
    }


def imported_of(row: Row[Any]) -> Imported:
    """The conversation of a row."""
    return Imported(
        id=row.id,
        conversation=row.conversation,
        joined=row.joined,
        started=row.started,
        ended=row.ended,
        status=row.status,
        turns=row.turns,
        model_calls=row.model_calls,
        tool_calls=row.tool_calls,
        errors=row.errors,
        tools=tuple(row.tools),
        dialects=tuple(row.dialects),
        agents=tuple(row.agents),
        sources=sources_of(row),
        imported=row.imported,
    )


def sources_of(row: Row[Any]) -> tuple[Source, ...]:
    """What the conversation of a row came from."""
    return tuple(Source(**source) for source in row.sources)


def telemetry_of(conversation: Conversation) -> Telemetry:
    """What it was read from, in an order that does not depend on how it came."""
    return Telemetry(tuple(distinct_spans(conversation.spans)), tuple(distinct_logs(conversation.logs)))


def digest_of(document: bytes) -> str:
    """What tells telemetry as it is stored from any other: its SHA-256 (hex)."""
    return hashlib.sha256(document).hexdigest()


def name_of(conversation: Conversation) -> str | None:
    """The application's id as it is stored and shown."""
    return None if conversation.id is None else mask_text(conversation.id)


def identity_of(name: str | None) -> str | None:
    """What tells an application's id from all others, even where it looks like a secret and is masked: its SHA-256
    (hex); None of none.
    """
    return None if name is None else _digest(name)


def services_of(conversation: Conversation) -> set[str]:
    """The applications that tell of it: the `service.name` of each, empty of one that gives none."""
    return {_service(record) for record in conversation.spans or conversation.logs}


def id_of(conversation: Conversation, identity: str | None = None) -> str:
    """An id that is the same wherever the conversation is imported: of the application's and of the application itself,
    the first to tell of it; else of its first trace. `identity`: where it is read from what was masked.
    """
    identity = identity or identity_of(conversation.id)
    if identity is None:
        said = f"trace {min(conversation.trace_ids, default='')}"
    else:
        first = min(conversation.spans, key=lambda span: (span.start, span.trace_id, span.span_id), default=None)
        said = f"conversation {identity} {'' if first is None else _service(first)}"
    return f"c-{_digest(said)[:12]}"


def _service(record: Span | LogRecord) -> str:
    return mask_text(service_of(record))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
