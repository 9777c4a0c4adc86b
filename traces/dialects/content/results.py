"""What a tool's span holds of its arguments and its result, in the envelopes that libraries put around them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from traces.conversation import ToolError
from traces.dialects.content.errors import described
from traces.dialects.content.parts import answered, asked, text_of
from traces.dialects.content.python_text import literal
from traces.dialects.content.values import as_text, constructed, is_record, parse
from traces.dialects.facts import AskedCall, Facts

_ENVELOPE = frozenset({"args", "kwargs", "sanitize_inputs_outputs"})
"""What decorators, LlamaIndex and smolagents put around the arguments of a function."""

_CONTENT = re.compile(r"""content=('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")(?= )""", re.DOTALL)
_FIELD = re.compile(r" (name|tool_call_id|status)='([^']*)'")


def arguments_of(name: Any, call_id: Any, value: Any) -> AskedCall:
    """A tool's call with the arguments out of their envelope: `args`/`kwargs` of a function, LangChain's `input_str`.

    What is no object, like the bare value of a tool with one argument, is kept as it is.
    """
    parsed = parse(value)
    found = parsed.value
    if parsed.how == "text" and as_text(found).strip():
        return AskedCall(as_text(name), asked("", call_id, None).id, found)
    if not is_record(found):
        return asked(name, call_id, value)
    if is_record(found.get("kwargs")) and set(found) <= _ENVELOPE:
        given, named = found.get("args") or [], found["kwargs"]
        if not given:
            return asked(name, call_id, named)
        if not named and isinstance(given, list):
            only = given[0] if len(given) == 1 else given
            return asked(name, call_id, only) if is_record(only) else AskedCall(as_text(name), None, only)
    if "input_str" in found:
        extra = found.get("kwargs")
        call_id = call_id or (extra.get("tool_call_id") if is_record(extra) else None)
        inputs = found.get("inputs")
        return asked(name, call_id, inputs if is_record(inputs) else found["input_str"])
    if parsed.how == "cut":
        return asked(name, call_id, value)
    return asked(name, call_id, found)


def take_result(facts: Facts, value: Any) -> None:
    """Reads a tool's result into the facts; of a LangChain tool message also the call's id and the model's text."""
    if value is None:
        return
    parsed = parse(value)
    if parsed.value is None and parsed.how == "structured":  # hidden
        return
    if parsed.how == "cut":
        facts.notes.append(f"the result on the span `{facts.span.name}` is cut off")
        return
    found = parsed.value
    if is_record(found) and "output" in found and set(found) <= {"output", "kwargs", "tags", "metadata"}:
        found = parse(found["output"]).value
    if is_record(found) and "raw_output" in found and "tool_name" in found:
        _tool_output(facts, found)
        return
    told = tool_message(found)
    facts.has_result = True
    if told is None:
        facts.result = answered(found)
        if isinstance(found, list) and isinstance(facts.result, str):  # blocks of text, as MCP's
            facts.told = facts.result
            facts.result = parse(facts.result).value
        return
    content = answered(told.get("content"))
    facts.told = as_text(content)
    if facts.tool is not None and facts.tool.id is None and isinstance(told.get("tool_call_id"), str):
        facts.tool = replace(facts.tool, id=told["tool_call_id"])
    if told.get("status") == "error":
        facts.has_result = False
        if facts.error is None:
            kind, message = described(facts.told)
            facts.error = ToolError(kind, message, "message")
        return
    facts.result = parse(content).value if isinstance(content, str) else content


def _tool_output(facts: Facts, found: dict[str, Any]) -> None:
    """What LlamaIndex gives for a tool: its value, the text for the model, and whether it failed."""
    facts.told = text_of(found.get("blocks")) or None
    if not found.get("is_error"):
        facts.has_result, facts.result = True, found["raw_output"]
    elif facts.error is None:
        facts.error = ToolError(*described(facts.told), "result")


def tool_message(value: Any) -> dict[str, Any] | None:
    """The fields of a LangChain tool message, in whatever way it was dumped; None if the value is none."""
    if isinstance(value, str):
        return _shown(value)
    if not is_record(value):
        return None
    value = constructed(value) or value
    if is_record(value.get("data")) and value.get("type") == "tool":
        value = value["data"]
    return value if "tool_call_id" in value and "content" in value else None


def _shown(text: str) -> dict[str, Any] | None:
    """A tool message as Python shows it: `content='…' name='…' tool_call_id='…'`, with text for its content."""
    found = _CONTENT.match(text) if text.startswith("content=") else None
    fields = None if found is None else dict(_FIELD.findall(text, found.end()))
    if found is None or not fields or "tool_call_id" not in fields:
        return None
    try:
        return {**fields, "content": literal(found[1])}
    except ValueError:
        return None
