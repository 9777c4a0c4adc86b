"""A recording's calls, run again on the state that it began from: what they changed, and whether the sandbox is a
stand-in for the tools that answered then.
"""

from __future__ import annotations

from typing import get_args

from harness.episodes.observed.calls import read_marks
from harness.model.recording import RecordedCall
from harness.replay.canonical import canonical
from harness.replay.recorded import Write
from harness.replay.setting import Setting
from tools_sandbox.call import Call, CallError, ErrorKind, Json
from tools_sandbox.opened import OpenSandbox

_KINDS = get_args(ErrorKind)


class RecordedCalls:
    """Calls as they come, run again where the sandbox has the tool. `writes`: those that changed its state;
    `unlike`: the ids of those that it answers otherwise.
    """

    def __init__(self, setting: Setting, sandbox: OpenSandbox, notes: list[str]) -> None:
        self.writes: list[Write] = []
        self.unlike: set[str] = set()
        self._setting = setting
        self._sandbox = sandbox
        self._notes = notes
        self._ids: set[str] = set()

    def again(self, told: RecordedCall, turn: int) -> tuple[Call, str]:
        """The call with what is on record of it and what it changed; and why the sandbox is no stand-in for the tools
        of this turn, if it gives something else.
        """
        spec = self._setting.schema.tools.get(told.tool)
        call = Call(
            self._id(told, turn),
            turn,
            told.tool,
            told.raw,
            told.arguments,
            spec.kind if spec else None,
            "passthrough",
            result=told.result,
            error=_error(told),
            started=told.at or 0.0,
            ended=told.at or 0.0,
        )
        if call.ok and spec is not None:
            read_marks(call, spec)
        if self._setting.policy.recorded(told.tool):
            return call, ""
        sent = call.raw if call.raw is not None else call.arguments
        if call.ok:
            return call, self._run(call, sent)
        if call.may_be_done:
            self._suppose(call, sent)
            return call, ""
        return call, self._fail(call, sent)

    def _fail(self, call: Call, sent: Json | str) -> str:
        """What failed has changed nothing; but the sandbox may not be down, as the tool was then."""
        assert call.error is not None
        if self._sandbox.refusal(call.tool, sent) is not None:
            return ""
        self._notes.append(f"turn {call.turn}: the sandbox carries out {call.tool}, which failed: {call.error.text}")
        return f"{call.tool} failed then ({call.error.text}), and the sandbox carries it out"

    def _suppose(self, call: Call, sent: Json | str) -> None:
        """Of a call whose result is not on record nobody knows what it did; what follows is likelier if it was done."""
        if self._sandbox.call(call.tool, sent, turn=call.turn).changes:
            self.writes.append(Write(call.turn, call.tool, sent))
            self._notes.append(f"turn {call.turn}: what came of {call.tool} is not on record; it is taken to be done")

    def _run(self, call: Call, sent: Json | str) -> str:
        ran = self._sandbox.call(call.tool, sent, turn=call.turn)
        if ran.error is not None:
            self._notes.append(f"turn {call.turn}: the sandbox refuses {call.tool}, which succeeded: {ran.error.text}")
            return f"{call.tool} succeeded then, and the sandbox says: {ran.error.text}"
        call.origin = "sandbox"
        call.changes, call.proof, call.ends, call.passages = ran.changes, ran.proof, ran.ends, ran.passages
        if ran.changes:
            self.writes.append(Write(call.turn, call.tool, sent))
        if canonical(ran.result) == canonical(call.result):
            return ""
        self.unlike.add(call.id)
        self._notes.append(f"turn {call.turn}: the sandbox answers {call.tool} otherwise than it was answered then")
        return f"the sandbox answers {call.tool} otherwise than it was answered then" if call.kind == "reads" else ""

    def _id(self, told: RecordedCall, turn: int) -> str:
        """Its id, or another where that is missing or taken: results are told apart by it."""
        name, number = told.id, len(self._ids)
        while not name or name in self._ids:
            number += 1
            name = f"call-{turn}.{number}"
        self._ids.add(name)
        return name


def _error(told: RecordedCall) -> CallError | None:
    if told.error is not None:
        usual = "refused" if told.arguments is not None else "bad_arguments"
        kind = told.error_type if told.error_type in _KINDS else usual
        return CallError(kind, told.error)  # type: ignore[arg-type]
    if told.arguments is None:
        return CallError("bad_arguments", told.flaw or "the arguments are no JSON object")
    return None if told.answered else CallError("outside", "its result is not on record")
