"""Semantic Kernel: the earlier GenAI conventions, with the place of each message in an attribute of its log record."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from traces.dialects.common import count
from traces.dialects.content.exchange import counts
from traces.dialects.facts import Facts
from traces.dialects.otel_events import OTEL_EVENTS
from traces.dialects.otel_genai import OTEL_GENAI
from traces.genai import INPUT_TOKENS, OUTPUT_TOKENS
from traces.log_record import LogRecord
from traces.span import Span

_SCOPES = ("semantic_kernel", "Microsoft.SemanticKernel")
_INDEX = "CHAT_MESSAGE_INDEX"
_USAGE = re.compile(r"\busage: \w*Usage\((?P<usage>.*)\)", re.DOTALL)
_COUNT = re.compile(r"(\w+)=(\d+)")
_OLD_TOKENS = {"gen_ai.response.prompt_tokens": INPUT_TOKENS, "gen_ai.response.completion_tokens": OUTPUT_TOKENS}


class SemanticKernel:
    """Of Python and .NET. Names of tools keep their plugin's before them, for so the model knows them."""

    name = "semantic-kernel"

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """A span of the kernel's scopes that tells of a model, a tool or an agent."""
        return span.scope.startswith(_SCOPES) and OTEL_GENAI.knows(span, logs)

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts; a token count of -1 is .NET's way to say that there was none."""
        told = _ordered(logs)
        facts = OTEL_EVENTS.read(span, told) if OTEL_EVENTS.knows(span, told) else OTEL_GENAI.read(span, logs)
        facts.dialect, facts.logs = self.name, tuple(logs)
        if facts.kind == "model":
            facts.finish = _reason(facts.finish)
            at = {_OLD_TOKENS.get(name, name): value for name, value in span.attributes.items() if value != -1}
            if (used := _logged(logs)) or facts.usage is None:
                facts.notes.clear()
                count(facts, used or at)
        return facts


SEMANTIC_KERNEL = SemanticKernel()


def _ordered(logs: Sequence[LogRecord]) -> list[LogRecord]:
    """The records with the times of their places: messages as they are numbered, then the choices."""
    last = len(logs)

    def place(item: LogRecord) -> tuple[int, int]:
        index = item.attributes.get(_INDEX)
        return (index if isinstance(index, int) else last, item.time)

    return [replace(item, time=at) for at, item in enumerate(sorted(logs, key=place))]


def _logged(logs: Sequence[LogRecord]) -> dict[str, int]:
    """The token counts that the connector to OpenAI logs as Python shows them, the cached and reasoning ones too."""
    for item in logs:
        if isinstance(item.body, str) and (told := _USAGE.search(item.body)):
            return counts({name: int(number) for name, number in _COUNT.findall(told["usage"])})
    return {}


def _reason(finish: str | None) -> str | None:
    """`FinishReason.TOOL_CALLS` (Python) and `[ToolCalls]` (.NET) as others write it."""
    return None if finish is None else finish.removeprefix("FinishReason.").strip("[]").lower() or None
