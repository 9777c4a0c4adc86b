"""The disguises of a tool that failed: status, exception, what it returned, what the model was told."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from traces.conversation import ToolError
from traces.dialects.content.errors import described, named
from traces.dialects.content.values import is_record
from traces.dialects.facts import Answer
from traces.dialects.google_adk import SCOPE as GOOGLE_ADK
from traces.dialects.google_adk_openinference import SCOPE as GOOGLE_ADK_OPENINFERENCE
from traces.reading.calls.model_calls import Call
from traces.reading.tree.forest import Node

_ERROR_TEXT = re.compile(r"\s*(?:Error:\s*)?(?:\w+\.)*[A-Z]\w*(?:Error|Exception):\s")

_DENIED = re.compile(
    r"Tool execution was not approved\.|User rejected the tool call for `|The tool call was denied\."
    r"|(?:Error: )?Tool call invocation was rejected by user\.|Tool call execution denied\."
    r"|This tool call is rejected\."
    r'|\{"type": ?"execution-denied"|The user doesn\'t want to proceed with this tool use\.'
)
"""What frameworks tell the model of a call that a human did not let run: OpenAI's Agents SDK, LangChain, Pydantic AI,
Agent Framework, the AI SDK, Google's ADK, Claude Code.
"""

_AI_SDK = "gen_ai"
_DENIED_IN_AI_SDK = re.compile(r'\{"denied": ?true\b')
"""The scope of the AI SDK 7, and what it tells: a tool may say so too, of what was asked of it."""

_TELL_DENIALS = (GOOGLE_ADK, GOOGLE_ADK_OPENINFERENCE)
"""Scopes in which the span of a tool that did not run ends well, and has the framework's words for its result."""

_FRAMEWORKS = re.compile(
    r"Error executing tool: |An error occurred while running the tool\. |Error: \w+\(.*\)\s+Please fix your mistakes\.",
    re.DOTALL,
)
"""What frameworks tell the model of a tool that failed: CrewAI, OpenAI's Agents SDK, LangGraph."""

_OF_ERRORS = frozenset({"status", "message", "error", "content", "type", "error_type", "code", "toolUseId"})
"""What a report of nothing but an error has. A `status` beside anything else is that of a thing: a job, an order."""

_FLAGS = frozenset({"isError", "is_error"})
_OF_FAILURE = re.compile(r"\b(?:errors?|exceptions?|fail(?:s|ed|ure)?|traceback)\b", re.I)

_ORDER = ("exception", "status", "result", "message")
"""The evidence, the surest first."""


def failure(
    spans: Sequence[Node], answer: Answer | None, told: str | None, result: Any, asker: Call | None
) -> ToolError | None:
    """How a call failed and what shows it; None if nothing does. `told`: the text for the model; `result`: its JSON.

    What the surest evidence does not hold of type and message is taken from the others.
    """
    seen = [node.facts.error for node in spans if node.facts.error is not None]
    if answer is not None and answer.failed:
        seen.append(ToolError(*described(told), "message"))
    if (declared := declared_error(result)) is not None:
        seen.append(declared)
    elif not seen and told is not None and _tells_failure(told, spans, asker):
        seen.append(ToolError(*described(told), "result"))
    if not seen:
        return None
    seen.sort(key=lambda error: _ORDER.index(error.evidence))
    kind = next((error.type for error in seen if error.type), None)
    message = next((error.message for error in seen if error.message), None)
    if (kind is None or message is None) and told is not None:
        kind, message = _completed(kind, message, told)
    return ToolError(kind, message, seen[0].evidence)


def is_denied(error: ToolError, spans: Sequence[Node], asker: Call | None) -> bool:
    """Whether this says that a human did not let the call run."""
    return error.message is not None and _tells_denial(error.message, spans, asker)


def has_result(error: ToolError, result: Any) -> bool:
    """Whether what a failed call gave is more than the telling of its failure: rows beside it, work half done."""
    if isinstance(result, str):
        told = result.strip()
        retold = error.message is None or error.message in told or told in error.message
        return bool(told) and not retold and not _OF_FAILURE.search(told) and not _ERROR_TEXT.match(told)
    if is_record(result):
        return any(held is not None for name, held in result.items() if name not in _OF_ERRORS | _FLAGS)
    return result is not None


def declared_error(result: Any) -> ToolError | None:
    """The error that a result's JSON says it is; None if it says none."""
    if not is_record(result):
        return None
    flagged = result.get("isError") is True or result.get("is_error") is True
    flagged = flagged or (result.get("status") == "error" and result.keys() <= _OF_ERRORS)
    error = result.get("error")
    if isinstance(error, str) and error.strip():
        kind, message = described(error)
        return ToolError(kind or named(result.get("type") or result.get("error_type")), message, "result")
    if is_record(error) and error:
        kind = next((error[key] for key in ("type", "code", "name") if isinstance(error.get(key), str)), None)
        text = error.get("message")
        return ToolError(named(kind), text if isinstance(text, str) else None, "result")
    if not flagged:
        return None
    text = result.get("message") or result.get("content")
    return ToolError(None, text if isinstance(text, str) else None, "result")


def _tells_failure(told: str, spans: Sequence[Node], asker: Call | None) -> bool:
    return bool(_ERROR_TEXT.match(told) or _FRAMEWORKS.match(told)) or _tells_denial(told, spans, asker)


def _tells_denial(told: str, spans: Sequence[Node], asker: Call | None) -> bool:
    """It is the tool's own word if it ran."""
    if _DENIED_IN_AI_SDK.match(told):
        denied = asker is not None and any(node.span.scope == _AI_SDK for node in asker.nodes)
    else:
        denied = _DENIED.match(told) is not None
    return denied and not _ran(spans)


def _ran(spans: Sequence[Node]) -> bool:
    """Whether one of a call's spans shows what its tool gave."""
    return any(
        node.facts.has_result and node.facts.error is None and node.span.scope not in _TELL_DENIALS for node in spans
    )


def _completed(kind: str | None, message: str | None, told: str) -> tuple[str | None, str | None]:
    """Type and message with what the text for the model adds, if it speaks of the same failure."""
    if not _ERROR_TEXT.match(told) and not (message and message in told):
        return kind, message
    other, text = described(told)
    if message is None:
        return kind or other, text
    return (kind or other if text is not None and (message in text or text in message) else kind), message
