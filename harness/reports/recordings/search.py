"""Whether a text stands in a recording."""

from __future__ import annotations

import json
from collections.abc import Iterator

from harness.model.recording import Recording
from tools_sandbox.call import Json


def holds(recording: Recording, text: str) -> bool:
    """Whether it stands in what was said, or in what a tool was given or gave, whatever the case."""
    wanted = text.casefold()
    return any(wanted in each.casefold() for each in _texts(recording))


def _texts(recording: Recording) -> Iterator[str]:
    for message in recording.messages:
        yield message.text or ""
    for call in recording.calls():
        yield from map(_text, (call.raw, call.arguments, call.told, call.result, call.error))
    for stray in recording.stray:
        yield stray.told


def _text(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
