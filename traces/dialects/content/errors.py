"""How a span says that it failed, and the error's type and message out of the texts that libraries make of it."""

from __future__ import annotations

import re

from traces.conversation import ToolError
from traces.dialects.content.python_text import literal
from traces.dialects.content.values import as_text, is_record, parse
from traces.genai import ERROR_TYPE
from traces.span import Span, SpanEvent

_TYPE = r"(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Failure|Timeout|Exit|Interrupt|Warning|Retry)"
_COLON = re.compile(rf"(?:Error:\s*)?(?P<type>{_TYPE})\s*:\s*(?P<message>.*)", re.DOTALL)
_REPR = re.compile(
    rf"(?P<type>{_TYPE})\((?P<message>.*?)\)\s*(?:Traceback \(most|Please fix your mistakes|\Z)", re.DOTALL
)
_PHRASES = re.compile(
    r"(?:(?:Failed to invoke Tool `[^`]*` with parameters .*?\. )?Error:\s+(?=\S)"
    r"|Error executing tool:\s+(?=\S)"
    r"|Error in tool '[^']*':\s+(?=\S)"
    r"|Failed to invoke function \S+ with converted arguments .*? because of error (?=\S)"
    r"|An error occurred while running the tool\. Please try again\.(?: Error:)?\s*)+",
    re.DOTALL,
)
"""What libraries put before an error's message, of whatever type it is."""

_DETAILS = re.compile(r"[^{]{0,80}(?P<details>\{.*\})\s*\Z", re.DOTALL)
_STACK = re.compile(r"\n[ \t]+at \S.*:\d+:\d+\)?(?=\n|\Z)")
_TRACEBACK = "Traceback (most recent call last)"
_NO_TYPES = frozenset({"_OTHER", "Exception", "TOOL_ERROR", "error", "tool_error"})
_PAUSE = re.compile(r"(?:\w+\.)*(?:Graph|Node)Interrupt\b|\(Interrupt\(value=")
"""What LangGraph raises to wait for a human, and what it says. No failure: the tool runs once more when it goes on."""

_NO_MESSAGES = ("details are redacted", "__REDACTED__")


def error_of(span: Span) -> ToolError | None:
    """How a span failed; None if its status and its exceptions don't say that it did.

    An exception on a span whose status is no error was caught within it, and counts for nothing.
    """
    if span.status != "error":
        return None
    event = _cause(span)
    kind, message = described(span.status_text)
    declared = named(span.attributes.get(ERROR_TYPE))
    if event is None:
        return ToolError(declared or kind, message, "status")
    thrown = named(event.attributes.get("exception.type"))
    inner, told = described(event.attributes.get("exception.message"))
    return ToolError(thrown or declared or inner or kind, told if told is not None else message, "exception")


def is_paused(span: Span) -> bool:
    """Whether a span ended to be run again."""
    told = [event.attributes.get(name) for event in span.events for name in ("exception.type", "exception.message")]
    return any(map(is_pause, (span.attributes.get(ERROR_TYPE), span.status_text, *told)))


def is_pause(text: object) -> bool:
    """Whether an error's type or message is that of an interrupt."""
    return isinstance(text, str) and _PAUSE.match(text) is not None


def _cause(span: Span) -> SpanEvent | None:
    """The last exception of a span; where that only wraps an earlier one, whose message it repeats, the earlier."""
    thrown = [event for event in span.events if event.name == "exception"]
    last = as_text(thrown[-1].attributes.get("exception.message")) if thrown else ""
    for event in thrown:
        message = as_text(event.attributes.get("exception.message"))
        if message and message in last:
            return event
    return thrown[-1] if thrown else None


def described(text: object) -> tuple[str | None, str | None]:
    """The type and message of an error in the text that a library made of it, None for what is not in there.

    Of `Type: message`, of Python's `Type('message')` with or without a traceback behind it, and of a record with the
    error among its details. Any other text is the message; one that says it was redacted is none.
    """
    if not isinstance(text, str) or not text.strip():
        return None, None
    text = _unstacked(text.strip())
    details = _DETAILS.match(text)
    found = parse(details["details"]).value if details else None
    if is_record(found):
        inner = found.get("data")
        error = (inner if is_record(inner) else found).get("error")
        if isinstance(error, str):
            return described(error)
    if match := _REPR.match(text):
        return named(match["type"]), _unquoted(match["message"])
    if match := _COLON.match(text):
        return named(match["type"]), _first(match["message"])
    if text in _NO_TYPES or any(mark in text for mark in _NO_MESSAGES):
        return None, None
    if phrases := _PHRASES.match(text):
        return described(text[phrases.end() :])
    return None, _first(text)


def named(kind: object) -> str | None:
    """An error's type without its module; None for the types that say nothing."""
    if not isinstance(kind, str) or not kind or kind in _NO_TYPES:
        return None
    last = kind.rsplit(".", 1)[-1]
    return last if last.isidentifier() else kind


def _unstacked(text: str) -> str:
    """The error's text without JavaScript's stack, which begins by telling the error again."""
    stack = _STACK.search(text)
    if stack is None:
        return text
    head = text[: stack.start()].rstrip()
    message, _, again = head.rpartition("\n\n")
    return again if message and again.endswith(message) else head


def _first(message: str) -> str | None:
    """What stands before the traceback."""
    return message.split(_TRACEBACK, 1)[0].strip() or None


def _unquoted(message: str) -> str | None:
    try:
        value = literal(message)
    except ValueError:
        return message.strip() or None
    return value if isinstance(value, str) else message.strip()
