"""Recordings of conversations that telemetry tells of, in any dialect, from files or from the store."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import groupby

from harness.model.episode import AgentVersion, Feedback
from harness.model.recording import RecordedCall, RecordedMessage, Recording, RecordingSource
from harness.replay.recordings.identity import identified
from tools_sandbox.call import Json
from traces.conversation import Conversation, ToolCall, Turn

_NANO = 1e9


def of_conversation(conversation: Conversation, where: str) -> Recording:
    """The recording of a conversation. Turns are counted as the telemetry counts them."""
    named = conversation.id or min(conversation.trace_ids, default="")
    started = min((span.start for span in conversation.spans), default=0) / _NANO
    return identified(
        Recording(
            id="",
            source=RecordingSource("trace", where, named),
            messages=list(_messages(conversation)),
            agent=_agent(conversation),
            clock=datetime.fromtimestamp(started, UTC).isoformat() if started > 0 else None,
            speaker=conversation.user_id,
            feedback=[
                Feedback(one.name, one.value, one.label, one.explanation, None if one.turn is None else one.turn + 1)
                for one in conversation.feedback
            ],
            flaws=[*_flaws(conversation), *map(str, conversation.warnings)],
        )
    )


def _messages(conversation: Conversation) -> Iterator[RecordedMessage]:
    if conversation.system_prompt is not None:
        yield RecordedMessage("system", conversation.system_prompt, 0)
    for number, turn in enumerate(conversation.turns, 1):
        if turn.user is not None:
            yield RecordedMessage("user", turn.user, number, at=_seconds(turn.started))
        for _, together in groupby(enumerate(turn.tool_calls), key=_group):
            calls = tuple(_call(call) for _, call in together)
            yield RecordedMessage("agent", None, number, calls, at=calls[0].at)
        if turn.assistant is not None:
            yield RecordedMessage("agent", turn.assistant, number, at=_seconds(turn.ended))


def _group(placed: tuple[int, ToolCall]) -> tuple[bool, int]:
    """What the calls of one message have in common: their number, else nothing with any other."""
    position, call = placed
    return call.group is not None, position if call.group is None else call.group


def _call(call: ToolCall) -> RecordedCall:
    arguments = call.arguments if isinstance(call.arguments, dict) else None
    error = call.error
    return RecordedCall(
        id=call.id,
        tool=call.name,
        raw=call.raw if call.raw is not None or arguments is not None else _text(call.arguments),
        arguments=arguments,
        flaw=None if arguments is not None else _flaw(call),
        answered=call.executed is True and (error is not None or not {"result", "told"} <= call.missing),
        told=call.told,
        result=call.result,
        error=None if error is None else error.message or call.told or error.type or "it failed",
        error_type=None if error is None else error.type,
        at=_seconds(call.started or 0),
    )


def _text(arguments: Json) -> str | None:
    return None if arguments is None else json.dumps(arguments, ensure_ascii=False)


def _flaw(call: ToolCall) -> str:
    if "arguments" in call.missing:
        return "the telemetry holds no arguments"
    return "the arguments are broken or cut" if call.arguments is None else "the arguments are no JSON object"


def _agent(conversation: Conversation) -> AgentVersion | None:
    requests = [call for turn in conversation.turns for call in turn.model_calls]
    model = next((call.response_model or call.model for call in requests if call.response_model or call.model), None)
    name = next(iter(conversation.agents), None) or model
    return None if name is None else AgentVersion(name, model or "recorded", "", model=model)


def _flaws(conversation: Conversation) -> Iterator[str]:
    for number, turn in enumerate(conversation.turns, 1):
        if turn.user is None:
            yield f"turn {number}: what the user said is not on record"
        if turn.assistant is None:
            yield f"turn {number}: the agent's answer is not on record"
        yield from _call_flaws(number, turn)


def _call_flaws(number: int, turn: Turn) -> Iterator[str]:
    for call in turn.tool_calls:
        made = _call(call)
        if made.flaw is not None:
            yield f"turn {number}: {made.tool}: {made.flaw}"
        if not made.answered:
            yield f"turn {number}: {made.tool} has no result"


def _seconds(nanoseconds: int) -> float | None:
    return nanoseconds / _NANO if nanoseconds > 0 else None
