"""Recordings of lists of messages as OpenAI's APIs, fine-tuning files and LangChain have them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from harness.model.episode import AgentVersion, Feedback
from harness.model.recording import Recording, RecordingSource, SourceKind
from harness.replay.recordings.feedback import KEYS, feedback_in
from harness.replay.recordings.identity import identified
from harness.replay.recordings.responses_items import add_item, is_item
from harness.replay.recordings.transcript import Transcript
from tools_sandbox.call import Json
from traces.dialects.content.values import is_record

_LISTS = ("messages", "input")
_IDS = ("conversation_id", "thread_id", "session_id", "id")
_OTHERS = frozenset(
    {*_LISTS, *_IDS, *KEYS, "output", "choices", "metadata", "instructions", "model", "tools", "object"}
)


def is_conversation(value: Any) -> bool:
    """Whether a JSON value is a list of messages or items, or an object that holds one."""
    if isinstance(value, list):
        return bool(value) and any(map(is_item, value))
    if not is_record(value):
        return False
    held = value.get("messages")
    return (isinstance(held, list) and (not held or any(map(is_item, held)))) or isinstance(value.get("output"), list)


def of_conversation(value: Any, where: str, place: str) -> Recording:
    """The recording of a conversation. `place`: what it goes by in the file where it has no id.

    Of a stored answer of the Responses API its `input`, if it is there, and `output`; of a stored chat completion its
    `messages` and the first of its `choices`.
    """
    if isinstance(value, list):
        return of_messages(value, where, place)
    told: list[Any] = []
    if isinstance(value.get("instructions"), str):
        told.append({"role": "system", "content": value["instructions"]})
    for name in _LISTS:
        held = value.get(name)
        told += [{"role": "user", "content": held}] if isinstance(held, str) else held if isinstance(held, list) else []
    told += value["output"] if isinstance(value.get("output"), list) else []
    choices = value.get("choices")
    told += [choices[0].get("message")] if isinstance(choices, list) and choices and is_record(choices[0]) else []
    named = next((str(value[key]) for key in _IDS if isinstance(value.get(key), str | int)), place)
    return of_messages(told, where, named, about=value)


def of_messages(
    messages: Iterable[Any],
    where: str,
    name: str,
    *,
    kind: SourceKind = "messages",
    about: dict[str, Any] | None = None,
    flaws: Iterable[str] = (),
) -> Recording:
    """The recording of these messages. `about`: the object that they stand in, for its model, labels and feedback."""
    transcript = Transcript()
    feedback: list[Feedback] = []
    for number, message in enumerate(messages, 1):
        transcript.place = f"message {number}"
        add_item(transcript, message)
        if is_record(message):
            feedback += feedback_in(message, transcript.turn or None)
    told, stray = transcript.finish()
    about = about or {}
    model = about.get("model")
    return identified(
        Recording(
            id="",
            source=RecordingSource(kind, where, name),
            messages=told,
            stray=stray,
            agent=AgentVersion(model, "recorded", "", model=model) if isinstance(model, str) else None,
            feedback=[*feedback_in(about), *feedback],
            labels=_labels(about),
            flaws=[*flaws, *transcript.flaws],
        )
    )


def _labels(about: dict[str, Any]) -> dict[str, Json]:
    metadata = about.get("metadata")
    told = {**about, **metadata} if is_record(metadata) else about
    return {name: value for name, value in told.items() if name not in _OTHERS and isinstance(value, str | int | float)}
