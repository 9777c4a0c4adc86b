"""What the dialects have in common: ids of conversation and user, the facts of a model call, and token counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from traces.dialects.content.errors import error_of, is_paused
from traces.dialects.content.memory import LONG
from traces.dialects.content.values import as_text, is_hidden, read, record
from traces.dialects.facts import Facts, Kind
from traces.dialects.handed_on import AS_MEANT
from traces.genai import AGENT_NAME, CONVERSATION_ID, REQUEST_MODEL, RESPONSE_MODEL, first_of, usage_of
from traces.log_record import LogRecord
from traces.span import Span

_TRACELOOP = "traceloop.association.properties."
_VERCEL = "ai.telemetry.metadata."
_VERCEL_7 = "ai.settings.context."
_LANGSMITH = "langsmith.metadata."
_LANGFUSE = "langfuse.observation.metadata."
_MASTRA = "mastra.metadata."

CONVERSATION_IDS = (
    CONVERSATION_ID,
    "session.id",
    "langfuse.session.id",
    *(_LANGSMITH + key for key in ("thread_id", "session_id", "conversation_id")),
    *(_TRACELOOP + key for key in ("session_id", "thread_id", "conversation_id", "chat_id")),
    *(_VERCEL + key for key in ("sessionId", "threadId", "chatId", "conversationId")),
    *(_VERCEL_7 + key for key in ("sessionId", "threadId", "chatId", "conversationId")),
    *(_LANGFUSE + key for key in ("thread_id", "session_id", "conversation_id")),
    *(_MASTRA + key for key in ("sessionId", "threadId", "conversationId")),
    "gcp.vertex.agent.session_id",
    "mlflow.trace.session",
    "genkit:sessionId",
    "conversation.id",
    "lmnr.association.properties.session_id",
)
"""The attributes that give a conversation's id, the surest first."""

_CONVERSATIONS = frozenset(CONVERSATION_IDS)
METADATA_IDS = ("thread_id", "session_id", "conversation_id", "sessionId", "threadId", "conversationId")
"""The names that applications give to a conversation's id in metadata of their own."""

_USER_IDS = (
    "user.id",
    "enduser.id",
    "langfuse.user.id",
    _LANGSMITH + "user_id",
    _TRACELOOP + "user_id",
    _VERCEL + "userId",
    _VERCEL_7 + "userId",
    _MASTRA + "userId",
    "mlflow.trace.user",
    "lmnr.association.properties.user_id",
)


_USERS = frozenset(_USER_IDS)
_FINISH = ("gen_ai.response.finish_reasons", "gen_ai.response.finish_reason")
_STREAMED = ("gen_ai.request.stream", "gen_ai.request.streaming", "gen_ai.is_streaming", "llm.is_streaming")
_FIRST_CHUNK = ("gen_ai.response.time_to_first_chunk", "gen_ai.client.operation.time_to_first_chunk")
_OF_STREAMS = (*_STREAMED, *_FIRST_CHUNK)


_RESPONSE = "resp_"
"""How the Responses API begins the id of a response. Each call names the one before, as if that were a conversation."""


def begin(kind: Kind, dialect: str, span: Span, logs: Sequence[LogRecord] = ()) -> Facts:
    """Facts with what every dialect says alike: conversation, user, agent, and for a tool how it failed."""
    attributes = span.attributes
    agent = attributes.get(AGENT_NAME)
    found = Facts(
        kind,
        dialect,
        span,
        tuple(logs) if logs else (),
        conversation_of(attributes),
        user_of(attributes),
        agent if isinstance(agent, str) and agent else None,
    )
    own = attributes.get(CONVERSATION_ID)
    if type(own) is str and own.startswith(_RESPONSE):
        found.previous = own
    for told in logs:
        found.conversation = found.conversation or conversation_of(told.attributes)
        found.user_id = found.user_id or user_of(told.attributes)
    if span.status == "error":
        found.error = error_of(span)
    if kind == "tool" and is_paused(span):
        found.paused, found.error = True, None
    return found


def begin_model(dialect: str, span: Span, logs: Sequence[LogRecord] = ()) -> Facts:
    """Facts of a model call with what its `gen_ai.*` attributes say, but for the messages."""
    found = begin("model", dialect, span, logs)
    attributes = span.attributes
    found.model = text_or_none(attributes.get(REQUEST_MODEL))
    found.response_model = text_or_none(attributes.get(RESPONSE_MODEL))
    found.response_id = text_or_none(attributes.get("gen_ai.response.id"))
    if (finish := first_of(attributes, _FINISH)) is not None:
        found.finish = finish_of(finish)
    if not attributes.keys().isdisjoint(_OF_STREAMS):
        streamed = first_of(attributes, _STREAMED)
        if not isinstance(streamed, bool):
            streamed = None if attributes.keys().isdisjoint(_FIRST_CHUNK) else True
        found.streamed = streamed
    as_meant = AS_MEANT.get(span.scope)
    count(found, attributes if as_meant is None else as_meant(attributes))
    return found


def count(facts: Facts, attributes: Mapping[str, Any]) -> None:
    """Reads the token counts into the facts; into the notes, why those that are there can't be right."""
    facts.usage, flaw = usage_of(attributes)
    if flaw:
        facts.notes.append(f"the token counts of the span `{facts.span.name}` can't be right: {flaw}")


def conversation_of(attributes: Mapping[str, Any]) -> tuple[str, str] | None:
    """The id of the conversation and the attribute that gives it.

    One that was hidden is none: all would have it. Nor is that of the response before, which a server takes for one.
    """
    own = attributes.get(CONVERSATION_ID)
    if type(own) is str and (found := (_given if len(own) <= LONG else _given.__wrapped__)(own)) is not None:
        return found
    if not attributes.keys().isdisjoint(_CONVERSATIONS):
        for name in CONVERSATION_IDS:
            value = attributes.get(name)
            if value is not None and value != "" and not is_hidden(value) and not as_text(value).startswith(_RESPONSE):
                return as_text(value), name
    if "metadata" in attributes:
        metadata = metadata_of(attributes)
        for key in METADATA_IDS:
            if metadata.get(key) and not is_hidden(metadata[key]):
                return as_text(metadata[key]), f"metadata.{key}"
    return None


@lru_cache(maxsize=4096)
def _given(own: str) -> tuple[str, str] | None:
    """The id that all spans of a conversation give by the conventions' own attribute, looked at once."""
    return (own, CONVERSATION_ID) if own and not is_hidden(own) and not own.startswith(_RESPONSE) else None


def user_of(attributes: Mapping[str, Any]) -> str | None:
    """The id of the user."""
    value = None if attributes.keys().isdisjoint(_USERS) else first_of(attributes, _USER_IDS)
    if value is None and "metadata" in attributes and "user" in as_text(attributes["metadata"]):
        metadata = metadata_of(attributes)
        value = metadata.get("user_id") or metadata.get("userId")
    return text_or_none(value)


def metadata_of(attributes: Mapping[str, Any]) -> Mapping[str, Any]:
    """The application's own `metadata`, structured or JSON; empty where there is none."""
    return remembered(attributes.get("metadata"))


def remembered(value: Any) -> Mapping[str, Any]:
    """The object in a value, not to be changed: the same JSON text, that stands on span after span, is read once."""
    return _remembered(value) if isinstance(value, str) and len(value) <= LONG else record(value)


@lru_cache(maxsize=256)
def _remembered(text: str) -> Mapping[str, Any]:
    return record(text)


def finish_of(value: Any) -> str | None:
    """Why the model stopped: the first of the reasons in a list, in JSON or plain."""
    if isinstance(value, str) and value[:1] == "[":
        value = read(value)
    if isinstance(value, list):
        value = value[0] if value else None
    return text_or_none(value)


def text_or_none(value: Any) -> str | None:
    """The value as text, None where it says nothing."""
    if value is None:
        return None
    return (value if type(value) is str else as_text(value)) or None
