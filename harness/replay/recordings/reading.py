"""Recordings out of files, whatever form they are in: told by what is in them, never by their names."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, get_args

from harness.model.recording import Recording, SourceKind
from harness.replay.recordings import message_lists, own_form, tau, tau2, threads
from harness.replay.recordings.conversations import of_conversation
from harness.replay.recordings.json_stream import Broken, Value, values
from harness.replay.recordings.responses_items import is_item
from harness.replay.recordings.unread import Unread
from traces.otlp import BadLine, forms
from traces.otlp.flaw import Flaw
from traces.otlp.packing import HEAD, foreign, is_text, unpacked
from traces.reading import NO_SPANS, UNREADABLE
from traces.reading import read as read_telemetry

FORMATS: tuple[SourceKind, ...] = tuple(kind for kind in get_args(SourceKind) if kind != "episode")
"""The forms of files; those of episodes are in the store."""

Found = Iterator[Recording | Unread]


def read(
    *paths: str | Path, form: SourceKind | None = None, bad: Callable[[Unread], object] | None = None
) -> Iterator[Recording]:
    """The recordings in files, in memory one at a time. Files of telemetry come last and are read together, for a
    conversation may be spread over several.

    `form` is one of FORMATS, None for whichever each is in. `bad` is told what could not be read and where; without it,
    that raises a ValueError, once everything else was read.
    """
    flaws: list[Unread] = []
    tell = bad or flaws.append
    telemetry: list[Path] = []
    found = (each for path in paths for each in _found(Path(path), form, telemetry))
    for each in chain(found, _telemetry(telemetry)):
        if isinstance(each, Unread):
            tell(each)
        else:
            yield each
    if flaws:
        shown = "".join(f"\n  {flaw}" for flaw in flaws[:20])
        raise ValueError(f"{len(flaws)} parts could not be read:{shown}")


def _found(path: Path, form: SourceKind | None, telemetry: list[Path]) -> Found:
    """What is in a file; one of telemetry is only put to the others."""
    name = str(path)
    try:
        if path.is_dir():
            yield Unread(name, "a folder: name the files in it")
            return
        with open(path, "rb") as stream:
            inner = unpacked(stream)
            head = inner.peek(HEAD)[:HEAD]
            if head.startswith(threads.MAGIC) or form == "thread":
                yield from threads.of_sqlite(path)
            elif (packed := foreign(head)) is not None or not head:
                yield Unread(name, packed or "empty")
            elif form == "trace" or not is_text(head):
                telemetry.append(path)
            else:
                yield from _of_json(path, values(inner, [tau2.SIMULATIONS]), form, telemetry)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        yield Unread(name, f"the gzip data is broken or cut short: {error}")
    except OSError as error:
        yield Unread(name, f"it can't be read: {os.strerror(error.errno) if error.errno else error}")


def _of_json(path: Path, found: Iterator[Value | Broken], form: SourceKind | None, telemetry: list[Path]) -> Found:
    broken: list[Broken] = []
    for first in found:
        if not isinstance(first, Broken):
            break
        broken.append(first)
    else:
        yield from (_unread(path, each) for each in broken)
        if not broken:
            yield Unread(str(path), "there is nothing in it")
        return
    if form is None and _is_telemetry(first.data):
        telemetry.append(path)
        return
    yield from (_unread(path, each) for each in broken)
    yield from _conversations(path, chain([first], found), form)


def _conversations(path: Path, found: Iterator[Value | Broken], form: SourceKind | None) -> Found:
    """Each value's conversation; messages that stand one by one, in a list or on lines of their own, are one."""
    loose: list[Value] = []
    cut: list[str] = []
    for each in found:
        if isinstance(each, Broken):
            unread = _unread(path, each)
            yield unread
            cut.append(f"{path.name}:{each.line}:{each.column}: {each.what}")
        elif form in (None, "messages") and is_item(each.data):
            loose.append(each)
        else:
            yield _of_value(path, each, form)
    if loose:
        first = loose[0]
        yield message_lists.of_messages((each.data for each in loose), path.name, first.place, flaws=cut)


def _of_value(path: Path, value: Value, form: SourceKind | None) -> Recording | Unread:
    data, where = value.data, path.name
    try:
        if form in (None, "recording") and own_form.is_recording(data):
            return own_form.of_document(data, where, value.place)
        if form in (None, "tau2") and tau2.is_simulation(data):
            return tau2.of_simulation(data, where, value.around)
        if form in (None, "tau") and tau.is_trajectory(data):
            return tau.of_trajectory(data, where)
        if form in (None, "messages") and message_lists.is_conversation(data):
            return message_lists.of_conversation(data, where, value.place)
    except own_form.WrongForm as problem:
        return Unread(str(path), str(problem), value.line, value.column)
    wanted = "no conversation in a form that is known" if form is None else f"no conversation in the form {form}"
    return Unread(str(path), f"{wanted}: {_shape(data)}", value.line, value.column)


def _shape(data: Any) -> str:
    if isinstance(data, dict):
        return f"an object of {', '.join(map(str, list(data)[:8])) or 'nothing'}"
    return "a list" if isinstance(data, list) else f"the value {data!r:.40}"


def _is_telemetry(data: Any) -> bool:
    return forms.known(data) or next((not isinstance(record, Flaw) for record in forms.records(data)), False)


def _telemetry(paths: list[Path]) -> Found:
    if not paths:
        return
    bad: list[BadLine] = []
    where = ", ".join(path.name for path in paths)
    arrived = False
    for conversation in read_telemetry(*paths, bad=bad.append):
        arrived = True
        if conversation.turns:
            yield of_conversation(conversation, where)
        else:
            yield Unread(where, "; ".join(conversation.warnings) or "a trace without a conversation")
    if not arrived:
        yield Unread(where, NO_SPANS if all(each.is_empty for each in bad) else UNREADABLE)
    yield from (Unread(each.file, each.what, each.line) for each in bad)


def _unread(path: Path, broken: Broken) -> Unread:
    return Unread(str(path), broken.what, broken.line, broken.column)
