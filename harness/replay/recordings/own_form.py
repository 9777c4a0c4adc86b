"""Recordings in our own JSON form: written, read, and described as a JSON Schema."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError

from harness.model.recording import SCHEMA, Recording
from harness.replay.recordings.feedback import moment
from harness.replay.recordings.identity import identified
from harness.replay.recordings.transcript import as_json, asked
from harness.store.codec import written
from traces.dialects.content.values import is_record

_ID = re.compile(r"[A-Za-z0-9][\w.-]{0,63}", re.ASCII)
_RESULTS = ("told", "result", "error")
_FAMILY = SCHEMA.rsplit("/", 1)[0]


class WrongForm(Exception):
    """A value that says it is a recording and is none; the text says what is wrong, and where in it."""


def is_recording(value: Any) -> bool:
    """Whether a JSON value says that it is a recording, of whatever version."""
    return is_record(value) and str(value.get("schema", "")).startswith(f"{_FAMILY}/")


def of_document(value: dict[str, Any], where: str, place: str) -> Recording:
    """The recording in a document; what a person may leave out is filled in: `id`, `source`, every `turn`, the
    arguments in a `raw` text, the result in what was `told`, and that it was `answered`.

    Raises WrongForm.
    """
    if value["schema"] != SCHEMA:
        raise WrongForm(f"it is in the form {value['schema']}, and this turngate reads {SCHEMA}: upgrade turngate")
    document = {name: member for name, member in value.items() if name != "schema"}
    messages = document.get("messages")
    if isinstance(messages, list):
        document["messages"] = _filled(messages)
    document.setdefault("source", {"kind": "recording", "where": where, "id": place})
    document.setdefault("id", "")
    try:
        (recording,) = _adapter().validate_python([document])
    except ValidationError as problem:
        first = problem.errors()[0]
        path = ".".join(str(part) for part in first["loc"][1:])
        more = f" (and {problem.error_count() - 1} more)" if problem.error_count() > 1 else ""
        raise WrongForm(f"{path}: {first['msg'][:1].lower()}{first['msg'][1:]}{more}") from None
    if recording.id and not _ID.fullmatch(recording.id):
        raise WrongForm("id: it is typed in commands: letters, digits, `-`, `_` and `.` only, at most 64")
    recording = _checked(recording)
    return recording if recording.id else identified(recording)


def to_document(recording: Recording) -> dict[str, Any]:
    """The document of a recording. What is as by default is left out."""
    return {"schema": SCHEMA, **json.loads(written(recording))}


def to_text(recording: Recording) -> str:
    """The same as text, on one line and all in ASCII."""
    return json.dumps(to_document(recording), separators=(",", ":"))


def recording_schema() -> dict[str, Any]:
    """The JSON Schema of a document. Within a version fields may be added."""
    definitions = _adapter().json_schema(mode="validation")["$defs"]
    recording, message = definitions.pop("Recording"), definitions["RecordedMessage"]
    message["required"], definitions["RecordedCall"]["required"] = ["role"], ["tool"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **recording,
        "title": "turngate recording",
        "properties": {"schema": {"const": SCHEMA}, **recording["properties"]},
        "required": ["schema", "messages"],
        "$defs": definitions,
    }


def _checked(recording: Recording) -> Recording:
    """The recording, whose parts fit each other; a clock without an offset is UTC. Raises WrongForm."""
    turn = 0
    for number, message in enumerate(recording.messages):
        if message.turn < turn:
            why = f"it goes back, from {turn} to {message.turn}" if turn else "turns are counted from 1"
            raise WrongForm(f"messages.{number}.turn: {why}")
        turn = message.turn
        if message.at is not None and moment(message.at) != message.at:
            raise WrongForm(f"messages.{number}.at: this is no time in seconds since the epoch")
    if recording.clock is None:
        return recording
    try:
        clock = datetime.fromisoformat(recording.clock)
    except ValueError:
        raise WrongForm("clock: this is no time in ISO 8601") from None
    return recording if clock.tzinfo else replace(recording, clock=clock.replace(tzinfo=UTC).isoformat())


def _filled(messages: list[Any]) -> list[Any]:
    turn, found = 0, []
    for message in messages:
        if not is_record(message):
            found.append(message)
            continue
        text = message.get("text")
        turn += message.get("role") == "user" and isinstance(text, str) and bool(text.strip())
        made = {"text": None, "turn": turn, **message}
        turn = made["turn"] if isinstance(made["turn"], int) else turn
        if isinstance(calls := message.get("calls"), list):
            made["calls"] = [_filled_call(call) if is_record(call) else call for call in calls]
        found.append(made)
    return found


def _filled_call(call: dict[str, Any]) -> dict[str, Any]:
    made = {"id": None, **call}
    if isinstance(call.get("raw"), str) and call.get("arguments") is None and call.get("flaw") is None:
        read = asked("", call["raw"])
        made |= {"arguments": read.arguments, "flaw": read.flaw}
    if "answered" not in call:
        made["answered"] = any(call.get(name) is not None for name in _RESULTS)
        if isinstance(call.get("told"), str) and call.get("result") is None and call.get("error") is None:
            made["result"] = as_json(call["told"])
    return made


@cache
def _adapter() -> TypeAdapter[list[Recording]]:
    # Of a list, for a dataclass by itself takes no setting.
    return TypeAdapter(list[Recording], config=ConfigDict(extra="forbid"))
