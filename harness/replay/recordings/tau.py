"""Recordings of τ-bench trajectories: `task_id`, `trial`, `reward`, and the messages in `traj`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from harness.model.recording import Recording, RecordingSource
from harness.replay.recordings.chat_messages import add_message
from harness.replay.recordings.identity import identified
from harness.replay.recordings.transcript import Answer, Transcript
from tools_sandbox.call import Json
from traces.dialects.content.values import is_record

_ERROR = "Error:"
_NOT_EXECUTED = "was not executed: of the calls in a message τ-bench executes only the first"


class _Tau(Transcript):
    """As τ-bench tells it: a failed tool gives a text that begins with `Error:`."""

    def answer(self, given: Answer) -> None:
        failed = given.told is not None and given.told.startswith(_ERROR)
        super().answer(replace(given, result=None, error=given.told) if failed else given)


def is_trajectory(value: Any) -> bool:
    """Whether a JSON value is a run of τ-bench."""
    return is_record(value) and isinstance(value.get("traj"), list)


def of_trajectory(value: dict[str, Any], where: str) -> Recording:
    """The recording of a run."""
    transcript = _Tau()
    for number, message in enumerate(value["traj"], 1):
        transcript.place = f"message {number}"
        add_message(transcript, message)
    messages, stray = transcript.finish(_NOT_EXECUTED)
    info = value["info"] if is_record(value.get("info")) else {}
    task = info["task"] if is_record(info.get("task")) else {}
    flaws = transcript.flaws
    if "reward_info" in info and info["reward_info"] is None:
        flaws.append("it broke off: the run has no verdict")
    user = task.get("user_id")
    labels: dict[str, Json] = {"task": value.get("task_id"), "trial": value.get("trial"), "reward": value.get("reward")}
    return identified(
        Recording(
            id="",
            source=RecordingSource("tau", where, f"{value.get('task_id')}/{value.get('trial')}"),
            messages=messages,
            stray=stray,
            speaker=user if isinstance(user, str) else None,
            labels={name: label for name, label in labels.items() if label is not None},
            flaws=flaws,
        )
    )
