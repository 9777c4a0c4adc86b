"""Between a replayed agent and its tools: each call goes to the sandbox or is answered from the recording."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from threading import Lock

from opentelemetry.trace import Tracer

from harness.model.replay import ToolMiss
from harness.replay.policy import Policy
from harness.replay.tools.results import Miss, RecordedResults
from tools_sandbox.arguments import BadArguments
from tools_sandbox.call import Call, CallError, Change, ErrorKind, Json
from tools_sandbox.opened import OpenSandbox
from tools_sandbox.schema import SandboxSchema
from tools_sandbox.sent import sent_arguments
from tools_sandbox.spans import ToolSpan
from traces.clock import now
from traces.json_text import json_text


class MissedCall(Exception):
    """Raised out of a call that no recorded result answers, where that is to stop the replay."""


class ReplayedTools:
    """The tools of one replayed conversation. `open_sandbox` gives the sandbox as it stood when it begins; `recorded`
    are the calls on record, of which so many were made `before`; `told`: the tools that the agent is told of.

    `misses` are the calls that no recorded result answered, `stopped` the one that stopped it.
    """

    def __init__(
        self,
        open_sandbox: Callable[[Tracer], OpenSandbox],
        recorded: Sequence[Call],
        before: int,
        policy: Policy,
        schema: SandboxSchema,
        told: Collection[str],
    ) -> None:
        self.misses: list[ToolMiss] = []
        self.stopped: Call | None = None
        self._open_sandbox = open_sandbox
        self._policy = policy
        self._schema = schema
        self._from_record = {name for name in (*told, *(call.tool for call in recorded)) if policy.recorded(name)}
        # To look through a recording takes time, which is saved where nothing is answered from it.
        self._results = RecordedResults(recorded, schema, policy.canon, before) if self._from_record else None
        self._lock = Lock()
        self._count = 0

    def open(self, tracer: Tracer) -> ReplayedTools:
        """Make ready to answer."""
        self._tracer = tracer
        self._sandbox = self._open_sandbox(tracer)
        return self

    @property
    def calls(self) -> Sequence[Call]:
        """What the sandbox was asked."""
        return self._sandbox.calls

    def changes(self) -> list[Change]:
        """What is different from the start of the conversation."""
        return self._sandbox.changes()

    def value(self, path: str) -> Json:
        """The state at a path now."""
        return self._sandbox.value(path)

    def call(self, tool: str, arguments: Json | str, *, turn: int, call_id: str | None = None) -> Call:
        """Answer one call. Raises MissedCall where the policy is to stop."""
        with self._lock:
            self._count += 1
            name = call_id or f"new-{turn}.{self._count}"
            if self._results is None:
                return self._sandbox.call(tool, arguments, turn=turn, call_id=name)
            if tool in self._from_record:
                call = self._recorded(self._results, tool, arguments, turn, name)
            else:  # one that nobody has at all is refused there
                call = self._sandbox.call(tool, arguments, turn=turn, call_id=name)
            self._results.made(call)
            return call

    def unused(self, turns: Collection[int]) -> list[Call]:
        """The recorded results of these turns that could have answered a call, and answered none."""
        if self._results is None:
            return []
        return [call for call in self._results.unused(turns) if call.tool in self._from_record]

    def _recorded(self, results: RecordedResults, tool: str, sent: Json | str, turn: int, name: str) -> Call:
        spec = self._schema.tools.get(tool)
        raw = sent if isinstance(sent, str) else None
        call = Call(name, turn, tool, raw, None, spec.kind if spec else None, "passthrough", started=now())
        try:
            call.arguments, _ = sent_arguments(sent)
        except BadArguments as problem:
            call.raw = raw if raw is not None else repr(sent)
            call.error = CallError("bad_arguments", f"arguments of {tool}: {problem}")
        found = results.answer(tool, call.arguments, call.raw)
        if isinstance(found, Miss):
            return self._missed(call, sent, found.why)
        span = ToolSpan(self._tracer, call)
        call.result, call.error = found.result, found.error
        call.proof, call.ends, call.passages = found.proof, found.ends, found.passages
        call.ended = now()
        span.end(call, json_text(call.result))
        return call

    def _missed(self, call: Call, sent: Json | str, why: str) -> Call:
        answer = self._policy.miss
        if answer == "sandbox" and call.tool not in self._policy.simulated:
            answer = "error"
        self.misses.append(ToolMiss(call.turn, call.tool, call.arguments or call.raw or {}, why, answer))
        if answer == "sandbox":
            return self._sandbox.call(call.tool, sent, turn=call.turn, call_id=call.id)
        # Of a write nobody knows what would have come of it, which says less than that it failed.
        kind: ErrorKind = "sandbox" if call.kind == "reads" else "outside"
        call.error = call.error or CallError(kind, "this call is not on record, and nothing else answers it")
        call.ended = now()
        if answer == "stop":
            self.stopped = call
            raise MissedCall(f"{call.tool} is not on record: {why}")
        return call
