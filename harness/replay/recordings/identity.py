"""The id of a recording: the same whenever it is read, so that what is imported twice is there once."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

from harness.model.recording import RecordedMessage, Recording, SourceKind, StrayResult
from harness.store.codec import written


@dataclass(frozen=True, slots=True)
class _Told:
    kind: SourceKind
    source: str
    messages: list[RecordedMessage]
    stray: list[StrayResult]


def identified(recording: Recording) -> Recording:
    """The recording under its id: `rec-` and 12 hex digits of the SHA-256 of the source's kind, its id there, and all
    that was said and called. Where the file lies plays no part.
    """
    told = _Told(recording.source.kind, recording.source.id, recording.messages, recording.stray)
    return replace(recording, id=f"rec-{hashlib.sha256(written(told)).hexdigest()[:12]}")
