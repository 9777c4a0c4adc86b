"""The agent that plays a scenario's gold path: what a right conversation does, call by call and reply by reply."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from harness.agents.outside import call_outside
from harness.agents.problem import AgentError
from harness.model.agent import Reply, Session
from harness.model.scenario import Step
from tools_sandbox.call import Json
from tools_sandbox.schema import ANY, FieldType


class GoldAgent:
    """Answers each user message with the calls up to the next reply of the gold path, and that reply."""

    def __init__(self, steps: Sequence[Step], scenario: str) -> None:
        self._steps = iter(steps)
        self._scenario = scenario
        self._replies = 0

    async def reply(self, message: str, session: Session) -> Reply:
        """Go on along the path. Raises AgentError where it has no reply left for the message."""
        types = {tool.name: tool.arguments for tool in session.tools}
        for step in self._steps:
            if step.reply is not None:
                self._replies += 1
                return Reply((step.reply,), step.outcome)
            tool = step.tool or ""
            known = types.get(tool, {})
            given = {name: _json(value, known.get(name, ANY)) for name, value in step.arguments.items()}
            if tool in session.passthrough and tool not in types:
                self._record(session, tool, given)
            else:
                session.call_tool(tool, given, None)
        raise AgentError(
            f"the gold path of {self._scenario} has {self._replies} replies and none for the user's message "
            f"{self._replies + 1}: {message!r}"
        )

    @staticmethod
    def _record(session: Session, tool: str, arguments: Json) -> None:
        """A real tool is not run: that it was called is all there is to it."""
        call = call_outside(session, tool, None, "passthrough", arguments)
        call.ended = call.started
        session.record(call)


def _json(value: Json, kind: FieldType) -> Json:
    """A value of the file as an agent would send it: a decimal as text to a decimal field, else as a number."""
    if isinstance(value, Decimal):
        return str(value) if kind.name in ("decimal", "text") else float(value)
    if isinstance(value, dict):
        return {name: _json(member, kind.fields.get(name, kind.of or ANY)) for name, member in value.items()}
    if isinstance(value, list):
        return [_json(member, kind.of or ANY) for member in value]
    return value
