"""BeeAI by OpenInference, which makes spans of its runs and, within them, of what only happened there."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace

from traces.conversation import ToolError
from traces.dialects.common import begin, count
from traces.dialects.content.values import as_text, is_record
from traces.dialects.facts import AskedCall, Facts, Message
from traces.dialects.openinference import OPENINFERENCE
from traces.genai import CACHED_TOKENS, INPUT_TOKENS, OUTPUT_TOKENS
from traces.log_record import LogRecord
from traces.span import Span

_SCOPE = "openinference.instrumentation.beeai"
_EVENT = "metadata.path"
_CACHED = "metadata.usage.cached_prompt_tokens"
_AROUND = frozenset({"input", "options"})
"""What stands around a tool's arguments."""

_CAUSE = re.compile(r"^ +(\w+)\([\w.]+\): ", re.MULTILINE)
"""How each error is told that caused the one on the line before."""

_first = json.JSONDecoder().raw_decode


class BeeAI:
    """OpenInference's attributes. Where several calls came at once, their arguments are put together into one call."""

    name = "beeai"

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """A span of that instrumentation."""
        return span.scope == _SCOPE

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts as OpenInference has them, without what the framework put around and into them."""
        if _EVENT in span.attributes:
            return begin("other", self.name, span, logs)
        facts = OPENINFERENCE.read(span, logs)
        facts.dialect = self.name
        if facts.tool is not None:
            _tool(facts, facts.tool)
        elif facts.kind == "model":
            facts.output = facts.output and tuple(map(_apart, facts.output))
            _count_cached(facts)
        return facts


BEEAI = BeeAI()


def _tool(facts: Facts, call: AskedCall) -> None:
    given = call.arguments
    if is_record(given) and given.keys() <= _AROUND and is_record(given.get("input")):
        facts.tool = replace(call, arguments=given["input"])
    if facts.error is not None:
        facts.has_result = False
        told = as_text(facts.span.attributes.get("output.value"))
        if causes := list(_CAUSE.finditer(told)):
            facts.error = ToolError(causes[-1][1], told[causes[-1].end() :].strip() or None, facts.error.evidence)


def _apart(message: Message) -> Message:
    """A reply. Of calls that were put into one the first is told, and that there are more: what they are called is not
    in there.
    """
    call = message.calls[0] if len(message.calls) == 1 else None
    if call is None or call.raw is None:
        return message
    try:
        arguments, end = _first(call.raw)
    except (ValueError, RecursionError):
        return message
    if not call.raw[end:].startswith("{"):
        return message
    return replace(message, calls=(replace(call, arguments=arguments, raw=None),), cut=True)


def _count_cached(facts: Facts) -> None:
    cached = facts.span.attributes.get(_CACHED)
    if facts.usage is not None and isinstance(cached, str) and cached.isdecimal():
        counts = {INPUT_TOKENS: facts.usage.input, OUTPUT_TOKENS: facts.usage.output, CACHED_TOKENS: int(cached)}
        count(facts, counts)
