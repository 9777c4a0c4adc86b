"""The earlier GenAI conventions: each message of a model call is a log record, or an event of its span."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from traces.dialects.common import finish_of
from traces.dialects.content.messages import messages
from traces.dialects.content.values import is_record, read, record
from traces.dialects.evaluations import event_name
from traces.dialects.facts import Facts, Message
from traces.dialects.otel_genai import kind_of, read_as
from traces.log_record import LogRecord
from traces.span import Span

CHOICE = "gen_ai.choice"
USER = "gen_ai.user.message"
_ROLES = {
    "gen_ai.system.message": "system",
    USER: "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
    CHOICE: "assistant",
}
MESSAGES = frozenset(_ROLES)
"""The names of the records and events that hold a message."""

PROMPT = "gen_ai.content.prompt"
COMPLETION = "gen_ai.content.completion"


class OtelEvents:
    """A model call whose messages are `gen_ai.*.message` and `gen_ai.choice` records, in the order of their times."""

    name = "otel-genai-events"

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """A model call with such records or events."""
        return (bool(logs) or bool(span.events)) and _holds(span, logs) and kind_of(span.attributes) == "model"

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts; the messages before the choices are its input, the choices its output.

        Where the span's attributes hold more messages than the records do, they are read, and a note says so.
        """
        found = read_as("model", self.name, span, logs)
        asked: list[Message] = []
        given: list[Message] = []
        for name, body in _bodies(span, logs):
            if name == PROMPT:
                asked.extend(messages(body))
            elif name == COMPLETION:
                given.extend(messages(body, "assistant"))
            elif name == CHOICE:
                given.extend(messages({"role": "assistant", **_inner(body)}))
                found.finish = found.finish or finish_of(body.get("finish_reason"))
            elif name != USER or not _is_envelope(body, asked):
                asked.extend(messages({"role": _ROLES[name], **body}))
        found.input = _fuller(found.input, asked, found)
        found.gaps = (span.dropped > 0 and bool(span.events)) or _is_torn(found.input)
        found.output = _fuller(found.output, given, found)
        return found


OTEL_EVENTS = OtelEvents()


def _is_envelope(body: Mapping[str, Any], asked: Sequence[Message]) -> bool:
    """Whether a user's message without anything in it is that in which Bedrock was given the answers before it."""
    return not (body.get("content") or body.get("parts")) and bool(asked) and bool(asked[-1].answers)


def _is_torn(told: Sequence[Message]) -> bool:
    """Whether halves of what belongs together are missing, as a record did not come: what the user said first, what
    asked for an answer or the answer to a call, or the agent's words behind an answer.
    """
    asked: set[str | None] = set()
    waiting: set[str | None] = set()
    before: str = ""
    for message in told:
        if message.role == "system":
            continue
        given = {answer.id for answer in message.answers}
        if (not before and message.role != "user") or not given <= asked:
            return True
        if (waiting and not given) or (before == "tool" and message.role == "user"):
            return True
        asked |= {call.id for call in message.calls}
        waiting = (waiting - given) | {call.id for call in message.calls}
        before = message.role
    return bool(waiting)


def _fuller(held: tuple[Message, ...] | None, told: Sequence[Message], found: Facts) -> tuple[Message, ...]:
    """The messages that the records tell, or those that the attributes hold where they are more; a note says so."""
    if held is None or len(held) <= len(told):
        return tuple(told)
    if told:
        found.notes.append(
            f"log records or events of the span `{found.span.name}` tell {len(told)} of the {len(held)} messages that"
            " its attributes hold: the attributes are read"
        )
    return held


def _holds(span: Span, logs: Sequence[LogRecord]) -> bool:
    return any(event_name(item) in _ROLES for item in logs) or any(
        event.name in _ROLES or event.name in (PROMPT, COMPLETION) for event in span.events
    )


def _bodies(span: Span, logs: Sequence[LogRecord]) -> Iterator[tuple[str, Any]]:
    told = [item for item in logs if event_name(item) in _ROLES]
    for item in sorted(told, key=lambda item: item.time):
        body = item.attributes if item.body is None else read(item.body)
        yield event_name(item), _content(body if is_record(body) else {"content": body})
    if told:
        return  # the events would tell the same again
    for event in sorted(span.events, key=lambda event: event.time):
        if event.name in _ROLES:
            yield event.name, _content(event.attributes)
        elif event.name == PROMPT and "gen_ai.prompt" in event.attributes:
            yield event.name, event.attributes["gen_ai.prompt"]
        elif event.name == COMPLETION and "gen_ai.completion" in event.attributes:
            yield event.name, event.attributes["gen_ai.completion"]


def _content(body: Mapping[str, Any]) -> dict[str, Any]:
    """The message; within attributes it may be JSON in one of them, and its content a whole one of Gemini's."""
    inner = body.get("gen_ai.event.content")
    if inner is not None:
        return record(inner)
    content = body.get("content")
    return {**body, **content} if is_record(content) and "parts" in content else dict(body)


def _inner(body: Mapping[str, Any]) -> dict[str, Any]:
    """The message of a choice, with what some put beside it."""
    message = read(body.get("message"))
    if not is_record(message):
        message = {} if message is None else {"content": message}
    return {**{key: body[key] for key in ("content", "parts", "tool_calls") if key in body}, **message}
