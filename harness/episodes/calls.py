"""The tool calls of one conversation: made in the sandbox or told of by the agent, taken down, none after its end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from harness.episodes.asked import called_by, refuse_unreadable
from harness.episodes.begun import ToolSide
from harness.episodes.outside import own_account
from harness.episodes.talk import Talk
from harness.episodes.task import Stage
from tools_sandbox.call import Call, CallError, Change, Json, net_changes
from tools_sandbox.values import to_json
from traces.clock import now


class CallLimitError(Exception):
    """More tool calls in one turn than the limit."""


class Calls:
    """The calls that go into the talk. `most`: how many a turn may have; `fault`: what a call came upon that is not the
    agent's doing.
    """

    def __init__(self, stage: Stage, sandbox: ToolSide, talk: Talk, most: int) -> None:
        self.fault: Exception | None = None
        self._stage = stage
        self._sandbox = sandbox
        self._talk = talk
        self._most = most
        self._this_turn = 0
        self._over = False

    @property
    def too_many(self) -> bool:
        """Whether there were more in this turn than there may be. The agent may have swallowed it."""
        return self._this_turn > self._most

    def turn_begins(self) -> None:
        """Those of the turn before count no more."""
        self._this_turn = 0

    def make(self, tool: str, arguments: Json, call_id: str | None = None) -> Call:
        """Call a tool of the sandbox. Raises CallLimitError, and AgentError for what can't be read."""
        self._this_turn += 1
        if self._this_turn > self._most:
            raise CallLimitError(f"more than {self._most} tool calls in one turn")
        self._refuse_late(tool)
        named = called_by(call_id)
        try:
            call = self._sandbox.call(tool, arguments, turn=self._talk.turn, call_id=named)
        except Exception as error:
            refuse_unreadable(tool, arguments)
            self.fault = error  # on its way out it passes through the agent, which is not to blame
            raise
        self._refuse_late(tool)
        self._talk.calls.append(call)
        return copied(call)

    def record(self, call: Call) -> None:
        """Take down a call that did not go to the sandbox."""
        self._refuse_late(call.tool)
        told = own_account(copied(call), self._stage.schema, self._stage.simulated)
        told.turn = self._talk.turn
        self._talk.calls.append(told)

    def end(self) -> None:
        """The conversation is over. What the sandbox has not answered is taken down as it stands."""
        self._over = True
        self._talk.calls += self._unanswered()

    def pending(self, moment: float) -> str | None:
        """The tool that had not answered at a moment, in seconds since the epoch; None if there was none."""
        for call in self._sandbox.calls:
            if call.started <= moment and (not call.ended or call.ended >= moment):
                return call.tool
        return None

    def changes(self) -> list[Change]:
        """What is different at the end. A tool that hangs holds on to the sandbox: then what the others changed."""
        hangs = any(not call.ended for call in self._sandbox.calls)
        return net_changes(self._talk.calls) if hangs else self._sandbox.changes()

    def _unanswered(self) -> Iterator[Call]:
        error = CallError("sandbox", "not answered before the conversation ended")
        for call in self._sandbox.calls:
            if not call.ended:
                yield replace(call, error=error, ended=now())

    def _refuse_late(self, tool: str) -> None:
        """A thread that was left behind at a limit may go on, but not in an episode that is written."""
        if self._over:
            raise RuntimeError(f"{tool} was called after the conversation had ended")


def copied(call: Call) -> Call:
    """What the agent and the record both have to know of a call, shared by neither."""
    return Call(
        call.id,
        call.turn,
        call.tool,
        call.raw,
        to_json(call.arguments),
        call.kind,
        call.origin,
        to_json(call.result),
        call.error,
        call.started,
        call.ended,
        call.span_id,
    )
