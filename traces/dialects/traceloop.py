"""OpenLLMetry (Traceloop): the GenAI attributes, and `traceloop.entity.*` on workflows, agents, tasks and tools."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from traces.conversation import ToolError
from traces.dialects.common import METADATA_IDS, count, text_or_none
from traces.dialects.content.errors import described
from traces.dialects.content.exchange import response
from traces.dialects.content.results import arguments_of, take_result, tool_message
from traces.dialects.content.values import as_text, read, record
from traces.dialects.facts import Facts, Kind
from traces.dialects.otel_genai import INPUT, OUTPUT, kind_of, read_as
from traces.dialects.spoken import replied, said
from traces.genai import OPERATION, TOOL_ARGUMENTS, TOOL_CALL_ID, TOOL_NAME, TOOL_RESULT
from traces.log_record import LogRecord
from traces.span import Span

_SIGNS = ("traceloop.span.kind", "traceloop.workflow.name", "traceloop.entity.name", "traceloop.entity.path")
_ID = re.compile(rf'"metadata": {{[^{{}}]*"({"|".join(METADATA_IDS)})": "([^"\\]+)"')
"""Where a run of LangChain holds the conversation's id, in versions that had no attributes for its metadata."""

_AGNO = re.compile(
    r"status='(?P<status>\w+)' result=(?P<result>.*)"
    r" error=(?P<error>None|'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\") updated_session_state=.*",
    re.DOTALL,
)
"""How Python shows what Agno made of a tool's run; a quote within an error is escaped."""

_LANGCHAIN_JS = "@traceloop/instrumentation-langchain"

_KINDS: dict[Any, Kind] = {"workflow": "agent", "agent": "agent", "tool": "tool"}


class Traceloop:
    """Decorated functions and LangChain runs around model calls that follow the current conventions."""

    name = "traceloop"

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """Any of the names that are on all its spans."""
        return any(sign in span.attributes for sign in _SIGNS)

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts by the operation, else by the kind of the entity."""
        attributes = span.attributes
        kind = kind_of(attributes)
        if OPERATION not in attributes:  # a model's name alone may be that of an agent's
            kind = _KINDS.get(as_text(attributes.get("traceloop.span.kind")), kind)
        found = read_as(kind, self.name, span, logs)
        if found.kind == "tool":
            _tool(found)
        elif found.kind == "agent":
            _agent(found)
        elif attributes.get(OPERATION) == "execute_task":
            _task(found)
        return found


TRACELOOP = Traceloop()


def _tool(found: Facts) -> None:
    attributes = found.span.attributes
    if TOOL_NAME not in attributes or TOOL_ARGUMENTS not in attributes:
        name = attributes.get(TOOL_NAME) or attributes.get("traceloop.entity.name") or found.span.name
        given = attributes.get(TOOL_ARGUMENTS, attributes.get("traceloop.entity.input"))
        if found.span.scope == _LANGCHAIN_JS:
            name, given = _of_javascript(attributes, name, given)
        found.tool = arguments_of(name, attributes.get(TOOL_CALL_ID), given)
    if TOOL_RESULT not in attributes:
        given = attributes.get("traceloop.entity.output")
        shown = _AGNO.fullmatch(given) if isinstance(given, str) else None
        if shown is not None and shown["status"] == "failure" and found.error is None:
            found.error = ToolError(*described(read(shown["error"])), "result")
        else:
            take_result(found, given if shown is None else shown["result"])
    if attributes.get("gen_ai.task.status") == "failure" and found.error is None and not found.paused:
        found.error = ToolError(None, None, "status")


def _of_javascript(attributes: Mapping[str, Any], name: Any, given: Any) -> tuple[Any, Any]:
    """A tool's name, where the span gives its class, and its arguments, which are the first of the method's."""
    message = tool_message(read(attributes.get("traceloop.entity.output")))
    told = record(given)
    listed = told.get("args")
    first = listed[0] if isinstance(listed, list) and len(listed) == 1 and len(told) == 1 else given
    return (message or {}).get("name") or name, first


def _task(found: Facts) -> None:
    """A graph's node that called a model gives its message, with token counts that the call's own span leaves out."""
    output = found.span.attributes.get("traceloop.entity.output")
    if not isinstance(output, str) or "token_usage" not in output:
        return
    outputs = record(output).get("outputs")
    for update in outputs if isinstance(outputs, list) else [outputs]:
        inner = record(update).get("update", update)
        said = record(inner).get("messages")
        for message in said if isinstance(said, list) else ():
            told = response({"generations": [{"message": message}]})
            if told.id is not None and told.usage:
                found.response_id = told.id
                count(found, told.usage)


def _agent(found: Facts) -> None:
    attributes = found.span.attributes
    if found.conversation is None and (named := _ID.search(as_text(attributes.get("traceloop.entity.input")))):
        found.conversation = named[2], f"metadata.{named[1]}"
    if found.agent is None and attributes.get("traceloop.span.kind") == "agent":
        found.agent = text_or_none(attributes.get("traceloop.entity.name"))
    if INPUT not in attributes or not found.said:
        found.said = partial(said, attributes.get("traceloop.entity.input"))
    if OUTPUT not in attributes or not found.replied:
        found.replied = partial(replied, attributes.get("traceloop.entity.output"))
