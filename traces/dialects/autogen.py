"""AutoGen's own spans: the GenAI conventions without any content, the team in the ids of agents, and what they say to
each other in the messages that the runtime hands on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from traces.dialects.common import begin, text_or_none
from traces.dialects.content.parts import answer_of, call_of
from traces.dialects.content.values import is_record, record
from traces.dialects.facts import Facts, Message
from traces.dialects.otel_genai import OTEL_GENAI
from traces.log_record import LogRecord
from traces.span import Span

_ID = "gen_ai.agent.id"
_RECIPIENT = "recipient_agent_type"
_UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_TEAM = re.compile(rf".+_({_UUID})/\1", re.DOTALL)
"""The id of an agent in a team: its name, and twice the team's."""

_OF_TEAM = re.compile(rf".+_({_UUID})", re.DOTALL)
_MANAGER = "GroupChatManager"
"""How the classes end of those who are told all that is said in a team, and once."""


class AutoGen:
    """A team is a conversation: it goes on with every run, each agent in a trace of its own."""

    name = "autogen"

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """A span of its scopes that tells of an agent by its id, or hands a message on."""
        if not span.scope.startswith("autogen"):
            return False
        return _RECIPIENT in span.attributes or (_ID in span.attributes and OTEL_GENAI.knows(span, logs))

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts as the conventions have them, with the team's id; or what a message to a team's manager says."""
        if _RECIPIENT in span.attributes:
            return _message(self.name, span, logs)
        facts = OTEL_GENAI.read(span, logs)
        facts.dialect = self.name
        team = _TEAM.fullmatch(str(span.attributes[_ID]))
        if team is not None and facts.conversation is None:
            facts.conversation = team[1], _ID
        return facts


AUTOGEN = AutoGen()


def _message(dialect: str, span: Span, logs: Sequence[LogRecord]) -> Facts:
    at = span.attributes
    team = _OF_TEAM.fullmatch(str(at[_RECIPIENT]))
    if team is None or not str(at.get("recipient_agent_class")).endswith(_MANAGER):
        return begin("other", dialect, span, logs)
    told = record(at.get("message"))
    facts = begin("agent" if isinstance(told.get("messages"), list) else "other", dialect, span, logs)
    facts.conversation = facts.conversation or (team[1], _RECIPIENT)
    if facts.kind == "agent":
        asks = _asked(told["messages"])
        facts.leads, facts.transcript = True, lambda: asks
        facts.said = "\n".join([message.text for message in asks]) or None
    elif is_record(told.get("response")):
        facts.transcript = partial(_answered, told["response"])
    return facts


def _asked(said: Iterable[Any]) -> tuple[Message, ...]:
    """What a team was told."""
    texts = [one.get("content") for one in said if is_record(one)]
    return tuple([Message("user", text) for text in texts if isinstance(text, str)])


def _answered(response: dict[str, Any]) -> tuple[Message, ...]:
    """What an agent did, and said at last; a hand-over is said to no user."""
    inner, last = response.get("inner_messages"), record(response.get("chat_message"))
    found = [message for event in (inner if isinstance(inner, list) else ()) for message in _of_tools(record(event))]
    said = text_or_none(last.get("content"))
    if said is not None and last.get("type") != "HandoffMessage":
        found.append(Message("assistant", said))
    return tuple(found)


def _of_tools(event: dict[str, Any]) -> Iterator[Message]:
    content = event.get("content")
    parts = [part for part in content if is_record(part)] if isinstance(content, list) else []
    if event.get("type") == "ToolCallRequestEvent":
        yield Message("assistant", "", tuple([call_of(part) for part in parts]))
    elif event.get("type") == "ToolCallExecutionEvent":
        yield Message("tool", "", (), tuple([answer_of(part, part.get("content")) for part in parts]))
