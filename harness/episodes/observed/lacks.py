"""What the telemetry of a conversation does not hold, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from harness.model.episode import Lack
from tools_sandbox.call import Call
from tools_sandbox.schema import SandboxSchema
from tools_sandbox.values import show
from traces.conversation import Conversation, Retrieval, ToolCall, Turn


def lacks_of(conversation: Conversation, calls: Sequence[Call], schema: SandboxSchema) -> dict[Lack, str]:
    """What is missing, each with a reason that says where, and which switch captures it where that is known."""
    turns = conversation.turns
    found: dict[Lack, str] = {}
    remedy = next((f"; {warning}" for warning in conversation.warnings if warning.kind == "content"), "")
    cut = next((str(warning) for warning in conversation.warnings if warning.kind == "cut"), None)
    if missing := _numbers(turn.user is None for turn in turns):
        found["user"] = f"what the user said in {missing} is not in the trace{remedy or _why(cut)}"
    elif cut is not None:
        found["user"] = cut
    if missing := _numbers(turn.assistant is None for turn in turns):
        found["replies"] = f"what the agent replied in {missing} is not in the trace{remedy or _why(cut)}"
    elif cut is not None:
        found["replies"] = cut
    made = [call for turn in turns for call in turn.tool_calls]
    if bare := sum(call.arguments is None for call in made):
        found["arguments"] = f"the arguments of {bare} of {len(made)} tool calls are not in the trace{remedy}"
    if mute := sum(call.error is None and "result" in call.missing for call in made):
        found["results"] = f"the results of {mute} of {len(made)} tool calls are not in the trace{remedy}"
    unproved = [call for call in calls if call.ok and call.proof is None and _proves(call, schema)]
    if unproved:
        told = "; ".join(
            dict.fromkeys(f"no `{_proves(call, schema)}` in the result of {call.tool}" for call in unproved)
        )
        found["proofs"] = f"whose identity was established can't be told: {told}"
    if hidden := _numbers(not _shows_calls(turn) for turn in turns):
        found["calls"] = (
            f"whether a tool was called in {hidden} can't be told: neither the span of a tool nor the whole output of "
            f"each model call is in the trace{remedy}"
        )
    if unread := [document for document in _loose(turns) if document is None]:
        found["passages"] = f"the text of {len(unread)} retrieved documents is not in the trace"
    if unmarked := unmarked_tools(calls):
        found["marks"] = (
            f"the workflow does not know {', '.join(show(name, 60) for name in unmarked)}: mark them under `tools:`"
        )
    untimed = [turn.started <= 0 or turn.ended < turn.started for turn in turns]
    if missing := "each turn" if turns and all(untimed) else _numbers(untimed):
        found["times"] = f"the trace does not show when {missing} began and ended"
    return found


def unmarked_tools(calls: Sequence[Call]) -> list[str]:
    """The tools that were called and that the workflow does not know, each once."""
    return list(dict.fromkeys(call.tool for call in calls if call.kind is None))


def _proves(call: Call, schema: SandboxSchema) -> str | None:
    spec = schema.tools.get(call.tool)
    return spec.proves if spec is not None else None


def _shows_calls(turn: Turn) -> bool:
    """Whether a tool call of this turn would be seen: one is, or each model call shows what it asked for."""
    asked = turn.model_calls
    return bool(turn.tool_calls) or (bool(asked) and all(call.captured or call.error is not None for call in asked))


def _loose(turns: Sequence[Turn]) -> Iterator[str | None]:
    """The texts of documents that no tool handed on: what was retrieved while a tool ran is in its result."""
    for turn in turns:
        for step in turn.steps:
            if isinstance(step, Retrieval) and not any(_handed_on(step, call) for call in turn.tool_calls):
                yield from (document.text for document in step.documents)


def _handed_on(step: Retrieval, call: ToolCall) -> bool:
    if call.started is None or call.ended is None or "result" in call.missing:
        return False
    return call.started <= step.started and step.ended <= call.ended


def _numbers(lacking: Iterable[bool]) -> str:
    """`turns 1, 3`, or nothing."""
    numbers = [number for number, lacks in enumerate(lacking, 1) if lacks]
    if not numbers:
        return ""
    shown = ", ".join(map(str, numbers[:8])) + (" …" if len(numbers) > 8 else "")
    return f"turn {shown}" if len(numbers) == 1 else f"turns {shown}"


def _why(cut: str | None) -> str:
    return f"; {cut}" if cut is not None else ""
