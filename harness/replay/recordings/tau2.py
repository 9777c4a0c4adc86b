"""Recordings of τ²-bench runs: the `simulations` of a results file. Users have tools of their own there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Literal

from harness.model.episode import AgentVersion
from harness.model.recording import RecordedCall, Recording, RecordingSource
from harness.replay.recordings.feedback import moment
from harness.replay.recordings.identity import identified
from harness.replay.recordings.transcript import Answer, Role, Transcript, asked
from tools_sandbox.call import Json
from traces.dialects.content.values import is_record

SIMULATIONS = "simulations"
_ROLES: dict[str, Role] = {"system": "system", "user": "user", "assistant": "agent"}
_BROKE_OFF = frozenset({"max_steps", "too_many_errors", "agent_error", "user_error", "invalid_agent_message"})


def is_simulation(value: Any) -> bool:
    """Whether a JSON value is a run of τ²-bench."""
    return is_record(value) and isinstance(value.get("messages"), list) and "termination_reason" in value


def of_simulation(value: dict[str, Any], where: str, around: dict[str, Any]) -> Recording:
    """The recording of a run. `around`: what the file says of all its runs."""
    transcript = Transcript()
    for number, message in enumerate(value["messages"], 1):
        transcript.place = f"message {number}"
        _add(transcript, message)
    messages, stray = transcript.finish()
    info = around["info"] if is_record(around.get("info")) else {}
    reason = value.get("termination_reason")
    flaws = transcript.flaws + ([f"it broke off: {reason}"] if reason in _BROKE_OFF else [])
    return identified(
        Recording(
            id="",
            source=RecordingSource("tau2", where, str(value.get("id", value.get("task_id")))),
            messages=messages,
            stray=stray,
            agent=_agent(info),
            labels=_labels(value, info),
            flaws=flaws,
        )
    )


def _add(transcript: Transcript, message: Any) -> None:
    if is_record(message) and isinstance(message.get("tool_messages"), list):
        for each in message["tool_messages"]:
            _add(transcript, each)
        return
    role = message.get("role") if is_record(message) else None
    if role == "tool":
        call_id, content = message.get("id"), message.get("content")
        text = content if isinstance(content, str) or content is None else json.dumps(content, ensure_ascii=False)
        transcript.answer(Answer.of_text(call_id, text or "", failed=message.get("error") is True))
    elif role in _ROLES:
        content = message.get("content")
        transcript.say(
            _ROLES[role],
            content if isinstance(content, str) else None,
            list(_calls(message)),
            at=moment(message.get("timestamp")),
        )
    else:
        transcript.flaw(f"this is no message: {json.dumps(message, ensure_ascii=False, default=str)[:120]}")


def _calls(message: dict[str, Any]) -> Iterator[RecordedCall]:
    for call in message.get("tool_calls") or ():
        by: Literal["agent", "user"] = "user" if call.get("requestor") == "user" else "agent"
        yield asked(str(call.get("name") or ""), call.get("arguments"), call.get("id") or None, by=by)


def _agent(info: dict[str, Any]) -> AgentVersion | None:
    agent = info.get("agent_info")
    if not is_record(agent):
        return None
    model = agent.get("llm")
    model = model if isinstance(model, str) else None
    return AgentVersion(str(agent.get("implementation") or "agent"), model or "recorded", "", model=model)


def _labels(value: dict[str, Any], info: dict[str, Any]) -> dict[str, Json]:
    environment, reward = info.get("environment_info"), value.get("reward_info")
    labels = {
        "domain": environment.get("domain_name") if is_record(environment) else None,
        "task": value.get("task_id"),
        "trial": value.get("trial"),
        "reward": reward.get("reward") if is_record(reward) else None,
        "ended": value.get("termination_reason"),
    }
    return {name: label for name, label in labels.items() if label is not None}
