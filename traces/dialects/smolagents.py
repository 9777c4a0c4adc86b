"""smolagents by OpenInference: its messages are texts that tell of calls and observations in words of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from traces.dialects.exchange import joined
from traces.dialects.facts import Answer, Facts, Message
from traces.dialects.messages import messages
from traces.dialects.openinference import OPENINFERENCE
from traces.dialects.values import read
from traces.log_record import LogRecord
from traces.span import Span

_SCOPE = "openinference.instrumentation.smolagents"
_TASK = "New task:\n"
_CALLS = "Calling tools:\n"
_SEEN = re.compile(r"(?:Call id: (?P<id>\S+)\n)?(?P<kind>Observation|Error):\n(?P<text>.*)", re.DOTALL)


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
        return facts


SMOLAGENTS = Smolagents()


def _meant(told: Sequence[Message]) -> Iterator[Message]:
    """The messages one by one. What came back from several calls is one text, of which it is unclear whose it is.

    A user's words begin as a task; where there are such, what else is said in the user's name is the agent's own: to
    carry out its plan, to answer at last when its steps are used up.
    """
    tasked = any(message.text.startswith(_TASK) for message in told)
    calls: tuple[str | None, ...] = ()
    for message in told:
        text = message.text
        if text.startswith(_CALLS):
            asked = messages([{"role": "assistant", "tool_calls": read(text.removeprefix(_CALLS))}])
            calls = tuple(call.id for one in asked for call in one.calls)
            yield from asked
        elif (seen := _SEEN.match(text)) is not None:
            call_id = seen["id"] or (calls[0] if len(calls) == 1 else None)
            answer = Answer(call_id, seen["text"].strip(), failed=True if seen["kind"] == "Error" else None)
            yield Message("tool", answers=(answer,) if call_id is not None else ())
        elif text.startswith(_TASK):
            yield Message("user", text.removeprefix(_TASK).strip(), cut=message.cut)
        elif message.role != "user" or not tasked:
            yield message
