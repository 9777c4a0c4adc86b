"""A session whose tools are plain functions, for tests of how agents are run."""

from __future__ import annotations

import asyncio
import json
import threading
from dataclasses import dataclass, field
from datetime import UTC, datetime

from harness.agents.current import EPISODES
from harness.model.agent import Session
from tools_sandbox.call import Call, CallError
from tools_sandbox.schema import ToolSpec


def spec(name, kind="reads", **types):
    properties = {argument: {"type": type_} for argument, type_ in types.items()}
    schema = {"type": "object", "properties": properties, "required": list(types)}
    return ToolSpec(name, f"The tool {name}.", kind, schema)


@dataclass
class Desk:
    """Tools by name; what was called is in `calls`, in the order it happened."""

    tools: dict = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def call(self, tool, arguments, call_id):
        with self.lock:
            call = Call(call_id or f"desk-{len(self.calls)}", 1, tool, None, None, "reads")
            self.calls.append(call)
        if isinstance(arguments, str):
            arguments = json.loads(arguments)
        call.arguments = arguments
        if tool not in self.tools:
            call.error = CallError("unknown_tool", f"there is no tool {tool}")
            return call
        try:
            call.result = self.tools[tool](**arguments)
        except LookupError as error:
            call.error = CallError("refused", str(error.args[0]))
        return call

    def session(self, *specs, passthrough=(), conversation="c-1", history=()):
        return Session(
            conversation_id=conversation,
            tools=specs or tuple(spec(name) for name in self.tools),
            call_tool=self.call,
            seed=7,
            clock=datetime(2026, 11, 20, 10, tzinfo=UTC),
            traceparent="00-" + "0" * 31 + "1-" + "0" * 15 + "1-01",
            history=list(history),
            passthrough=frozenset(passthrough),
            record=self.calls.append,
        )

    @property
    def made(self):
        """(tool, arguments, origin, error kind or None) of every call."""
        return [(call.tool, call.arguments, call.origin, call.error and call.error.kind) for call in self.calls]


def talk(source, desk=None, *messages, session=None):
    """The replies of one agent of the source to the messages, in one conversation."""
    session = session or (desk or Desk()).session()

    async def run():
        with EPISODES:
            agent = await source.open(session)
            return [await agent.reply(message, session) for message in messages or ("hi",)]

    return asyncio.run(run())
