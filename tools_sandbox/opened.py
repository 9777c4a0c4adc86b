"""One episode's sandbox: answering tool calls, and writing down what each did."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from threading import Lock
from typing import Any

from opentelemetry.trace import Tracer

from tools_sandbox.arguments import Arguments, BadArguments
from tools_sandbox.call import Call, CallError, Change, Json, Proof
from tools_sandbox.marks import ToolError
from tools_sandbox.nearest import hint
from tools_sandbox.passages import passages
from tools_sandbox.sandbox import Sandbox
from tools_sandbox.schema import ToolSpec
from tools_sandbox.sent import sent_arguments
from tools_sandbox.spans import ToolSpan
from tools_sandbox.state import JsonRows, lookup
from tools_sandbox.table import Journal, Table
from tools_sandbox.values import Absent, show, to_json
from traces.clock import now
from traces.json_text import json_text


@dataclass(frozen=True, slots=True)
class SimulatedTool:
    """A tool that the sandbox answers. `run` gets the sandbox and the arguments that were sent, as Python values."""

    spec: ToolSpec
    arguments: Arguments
    run: Callable[[Any, dict[str, Any]], Any]


Invariant = Callable[[Any], Any]


class _TooLarge(Exception):
    pass


class OpenSandbox:
    """The sandbox of one episode. Calls may come from several threads; they are answered one after another.

    `state` is the instance of the person's class. `calls` are in the order in which they were answered.
    """

    def __init__(
        self,
        state: Sandbox,
        tables: Mapping[str, Table[Any]],
        tools: Mapping[str, SimulatedTool],
        journal: Journal,
        invariants: Mapping[str, Invariant],
        broken: frozenset[str],
        tracer: Tracer | None,
        max_result_bytes: int,
    ) -> None:
        self.state = state
        self.calls: list[Call] = []
        self._tables = tables
        self._tools = tools
        self._journal = journal
        self._invariants = invariants
        self._broken = broken
        self._tracer = tracer
        self._max_result_bytes = max_result_bytes
        self._lock = Lock()

    def call(self, tool: str, arguments: Json | str, *, turn: int, call_id: str | None = None) -> Call:
        """Answer one tool call, and record it. Never raises for what the agent or a tool did wrong: the error is in the
        Call. Text is taken for the raw JSON text of the arguments, and kept; empty text means no arguments.
        """
        with self._lock:
            found = self._tools.get(tool)
            call = Call(
                id=call_id or f"call-{len(self.calls) + 1}",
                turn=turn,
                tool=tool,
                raw=arguments if isinstance(arguments, str) else None,
                arguments=None,
                kind=None if found is None else found.spec.kind,
            )
            self.calls.append(call)
            span = ToolSpan(self._tracer, call) if self._tracer is not None else None
            result: str | None = None
            call.started = now()
            try:
                result = self._answer(call, found, arguments)
            finally:
                call.ended = now()
                if span is not None:
                    span.end(call, result)
        return call

    def refusal(self, tool: str, arguments: Json | str) -> CallError | None:
        """The error that a call would get now; None if it would succeed. It is only tried: it leaves no change, no
        record and no span.
        """
        with self._lock:
            call = Call("", 0, tool, arguments if isinstance(arguments, str) else None, None, None)
            issued, broken = dict(self.state.__dict__["_issued"]), self._broken
            self._answer(call, self._tools.get(tool), arguments)
            self._journal.roll_back()
            self.state.__dict__["_issued"], self._broken = issued, broken
        return call.error

    def changes(self) -> list[Change]:
        """What is different from the start of the episode, row by row, by table and key."""
        with self._lock:
            return [change for name in sorted(self._tables) for change in self._tables[name].changes()]

    def value(self, path: str) -> Json | Absent:
        """What stands at a dotted path of the state now, such as `orders.O-1001.status`, or ABSENT. A table alone gives
        all its rows by key.
        """
        table, *steps = path.split(".")
        with self._lock:
            rows = {table: JsonRows(self._tables[table])} if table in self._tables else {}
            found = lookup(rows, [table, *steps])
            return dict(found) if isinstance(found, JsonRows) else found

    def traced_by(self, tracer: Tracer) -> None:
        """Calls from now on have spans, of this tracer."""
        self._tracer = tracer

    @property
    def invariants(self) -> dict[str, bool]:
        """Which invariants hold now."""
        return {name: name not in self._broken for name in self._invariants}

    def _answer(self, call: Call, tool: SimulatedTool | None, sent: Json | str) -> str | None:
        """Fill in the call; gives the result of a successful one as JSON text."""
        own: dict[str, Json] = {}
        unreadable: BadArguments | None = None
        try:
            call.arguments, own = sent_arguments(sent)
        except BadArguments as problem:
            unreadable = problem
            call.raw = sent if isinstance(sent, str) else show(sent, limit=10_000)
        if tool is None:
            call.error = CallError("unknown_tool", f"no tool named {show(call.tool)}; {hint(call.tool, self._tools)}")
        elif unreadable is not None:
            call.error = _error(unreadable, call.tool)
        else:
            return self._execute(call, tool, own)
        return None

    def _execute(self, call: Call, tool: SimulatedTool, arguments: dict[str, Json]) -> str | None:
        issued = dict(self.state.__dict__["_issued"])
        self._journal.begin(writes=tool.spec.kind == "writes")
        try:
            result = to_json(tool.run(self.state, tool.arguments.read(arguments)))
            self._journal.close()
            written = self._written(result)
            changes = self._journal.changes()
            broken = broken_invariants(self._invariants, self.state) if changes and self._invariants else self._broken
        except BaseException as problem:  # noqa: BLE001  a tool that ends the program is as broken as any other
            self._journal.roll_back()
            self.state.__dict__["_issued"] = issued
            call.error = _error(problem, call.tool)
            if call.error.kind == "sandbox":
                call.exception = "".join(traceback.format_exception(problem, limit=-8))
            return None
        call.result = result
        call.changes = changes
        if broken is not self._broken:
            call.broken = sorted(broken - self._broken)
            self._broken = broken
        self._read_marks(call, tool.spec)
        return written

    def _read_marks(self, call: Call, spec: ToolSpec) -> None:
        call.ends = spec.ends
        if spec.retrieves:
            call.passages = passages(call.result, spec.name)
        if spec.proves is not None:
            given = dict(call.arguments or {})
            source = call.result if isinstance(call.result, dict) and spec.proves in call.result else given
            account = source.get(spec.proves)
            if account is not None:
                call.proof = Proof(spec.proves, str(account), given)

    def _written(self, result: Json) -> str:
        """A result as JSON text. Raises _TooLarge."""
        text = json_text(result)
        # No character takes more than four bytes.
        if len(text) * 4 > (most := self._max_result_bytes) and (size := len(text.encode("utf-8", "replace"))) > most:
            raise _TooLarge(f"the result has {size} bytes, more than the {most} allowed")
        return text


def broken_invariants(invariants: Mapping[str, Invariant], state: Sandbox) -> frozenset[str]:
    """The names of those that don't hold. An exception other than AssertionError passes through: what can't be told is
    a fault of the sandbox.
    """
    return frozenset(name for name, invariant in invariants.items() if not _holds(invariant, state))


def _holds(invariant: Invariant, state: Sandbox) -> bool:
    try:
        told = invariant(state)
    except AssertionError:
        return False
    return told is None or bool(told)


def _error(problem: BaseException, tool: str) -> CallError:
    if isinstance(problem, BadArguments):
        return CallError("bad_arguments", f"arguments of {tool}: {problem}")
    if isinstance(problem, _TooLarge):
        return CallError("sandbox", str(problem))
    if isinstance(problem, ToolError):
        with suppress(BaseException):  # a person's own class may be broken
            return CallError("refused", str(problem) or "refused")
    return CallError("sandbox", "internal error")
