"""smolagents by OpenInference: its messages are texts that tell of calls and observations in words of its own.

An agent that acts in code writes it into its reply: that is a call of Python's interpreter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from traces.dialects.common import count
from traces.dialects.content.exchange import joined
from traces.dialects.content.messages import messages
from traces.dialects.content.values import read, record
from traces.dialects.facts import Answer, AskedCall, Facts, Message
from traces.dialects.openinference import OPENINFERENCE
from traces.genai import CACHED_TOKENS, REASONING_TOKENS
from traces.log_record import LogRecord
from traces.span import Span

_SCOPE = "openinference.instrumentation.smolagents"
_TASK = "New task:\n"
_CALLS = "Calling tools:\n"
_SEEN = re.compile(r"(?:Call id: (?P<id>\S+)\n)?(?P<kind>Observation|Error):\n(?P<text>.*)", re.DOTALL)


_INTERPRETER = "python_interpreter"
_CODE = re.compile(r"(?:<code>|```(?:py|python)\n)(.*?)(?:</code>|```|\Z)", re.DOTALL)
"""Code in a reply, whose end may be lost, for the model stops at it."""

_RESPONSE = re.compile(r"\w+\(id='([^']+)'")
_MODEL = re.compile(r"\bmodel='([^']+)'")
_PARTS = {
    CACHED_TOKENS: re.compile(r"\bcached_tokens=(\d+)"),
    REASONING_TOKENS: re.compile(r"\breasoning_tokens=(\d+)"),
}


class Smolagents:
    """OpenInference's attributes, with the messages as the agent means them."""

    name = "smolagents"

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """A span of that instrumentation."""
        return span.scope == _SCOPE and OPENINFERENCE.knows(span, logs)

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts of OpenInference; an agent without a name of its own is called by its class."""
        facts = OPENINFERENCE.read(span, logs)
        facts.dialect = self.name
        facts.agent = None if facts.agent is None else facts.agent.removesuffix(".run")
        if facts.input is not None:
            facts.input = joined(_meant(facts.input))
        if facts.output is not None:
            facts.output = tuple(map(_acting, facts.output))
        if facts.kind == "model":
            _describe(facts)
        elif facts.tool is not None:
            facts.tool = replace(facts.tool, arguments=_named(facts))
        return facts


SMOLAGENTS = Smolagents()


def _describe(facts: Facts) -> None:
    """What the model's API says of its response: the object is there as Python writes it, what was said first."""
    raw = record(facts.span.attributes.get("output.value")).get("raw")
    if not isinstance(raw, str):
        return
    response, rest = _RESPONSE.match(raw), raw[max(raw.rfind("created="), 0) :]
    facts.response_id = facts.response_id or (response and response[1])
    if (model := _MODEL.search(rest)) is not None:
        facts.response_model = model[1]
    parts = {name: int(found[1]) for name, pattern in _PARTS.items() if (found := pattern.search(rest)) is not None}
    if facts.usage is not None and parts:
        count(facts, {**parts, **facts.span.attributes})


def _named(facts: Facts) -> Any:
    """A tool's arguments; those that code gave without names have them by their order."""
    given = record(facts.span.attributes.get("input.value"))
    positional, names = given.get("args"), list(record(facts.span.attributes.get("tool.parameters")))
    if isinstance(positional, list) and 0 < len(positional) <= len(names):
        return {**dict(zip(names, positional, strict=False)), **record(given.get("kwargs"))}
    return facts.tool.arguments if facts.tool is not None else None


def _acting(message: Message) -> Message:
    """A reply; the code in it is a call, not words."""
    code = _CODE.findall(message.text) if message.role == "assistant" and not message.calls else ()
    if not code:
        return message
    call = AskedCall(_INTERPRETER, None, "\n\n".join(map(str.strip, code)))
    return Message("assistant", _CODE.sub("", message.text).strip(), (call,), message.answers, message.cut)


def _meant(told: Sequence[Message]) -> Iterator[Message]:
    """The messages one by one. What came back from several calls is one text, of which it is unclear whose it is; of a
    call that failed, the error alone is told.

    A user's words begin as a task; where there are such, what else is said in the user's name is the agent's own: to
    carry out its plan, to answer at last when its steps are used up.
    """
    tasked = any(message.text.startswith(_TASK) for message in told)
    calls: tuple[str | None, ...] = ()
    for message in told:
        text = message.text
        if text.startswith(_CALLS):
            asked = messages([{"role": "assistant", "tool_calls": read(text.removeprefix(_CALLS))}])
            named = [call for one in asked for call in one.calls]
            if all(call.name == _INTERPRETER for call in named):
                calls = (None,)  # the reply before it tells of the code
                continue
            calls = tuple(call.id for call in named)
            yield from asked
        elif (seen := _SEEN.match(text)) is not None:
            call_id = seen["id"] or (calls[0] if len(calls) == 1 else None)
            failed = True if seen["kind"] == "Error" else None
            known = len(calls) == 1 or call_id is not None or (failed and not calls)
            yield Message("tool", answers=(Answer(call_id, seen["text"].strip(), failed=failed),) if known else ())
            calls = ()
        elif text.startswith(_TASK):
            yield Message("user", text.removeprefix(_TASK).strip(), cut=message.cut)
        elif message.role != "user" or not tasked:
            acting = _acting(message)
            calls = (None,) if acting.calls else calls
            yield acting
