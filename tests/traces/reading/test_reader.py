"""Files in, conversations out: in any order, spread in any way."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

import traces
from tests.traces.reading.made import Trace, assistant, user
from tests.traces.reading.test_samples import SAMPLES, telemetry
from traces.log_record import LogRecord
from traces.otlp import lines
from traces.reading import NO_SPANS, conversation, conversations, read
from traces.span import Span


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_spread_over_files_is_read_as_from_one(name: str, tmp_path: Path) -> None:
    spans, logs = telemetry(name)
    rng = random.Random(name)
    pieces: list[list[bytes]] = [[], [], []]
    for record in rng.sample([*spans, *logs], len(spans) + len(logs)):
        pieces[rng.randrange(3)].extend(lines([record]))
    paths = [tmp_path / f"{number}.jsonl" for number in range(3)]
    for path, piece in zip(paths, pieces, strict=True):
        path.write_bytes(b"".join(piece))
    assert list(read(*paths)) == conversations(spans, logs)


def test_all_samples_in_one_file_are_read_as_from_memory(tmp_path: Path) -> None:
    everything = [record for name in SAMPLES for part in telemetry(name) for record in part]
    random.Random(3).shuffle(everything)
    path = tmp_path / "all.jsonl"
    path.write_bytes(b"".join(lines(everything)))
    spans = [record for record in everything if isinstance(record, Span)]
    logs = [record for record in everything if isinstance(record, LogRecord)]
    assert sorted(map(repr, read(path))) == sorted(map(repr, conversations(spans, logs)))


def test_bad_lines_are_told_and_the_rest_is_read(tmp_path: Path) -> None:
    trace = Trace()
    trace.model(trace.run(), [user("a")], [assistant("b")])
    path = tmp_path / "some.jsonl"
    path.write_bytes(b"".join(lines(trace.spans)) + b"{broken\n")
    told: list[object] = []
    (found,) = traces.read(path, bad=told.append)
    assert found.turns[0].assistant == "b"
    assert str(told[0]).startswith(f"{path}:2: ")
    reading = read(path)
    assert next(reading) == found
    with pytest.raises(ValueError, match=r"some.jsonl:2"):
        next(reading)


def test_the_package_imports_nothing_until_it_is_asked() -> None:
    code = "import sys, traces; print(sorted(name for name in sys.modules if name.startswith('traces')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "['traces']"
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = traces.nothing


def test_no_spans_are_no_conversation_and_say_so() -> None:
    assert conversations([]) == []
    found = conversation([])
    assert (found.turns, found.warnings) == ((), (NO_SPANS,))


def test_spans_of_no_known_dialect_say_so() -> None:
    trace = Trace()
    trace.add({"http.route": "/health"})
    (found,) = conversations(trace.spans)
    assert found.turns == ()
    assert "none tells of an agent" in found.warnings[0]
    assert "http.route" in found.warnings[0]
    trace.model(trace.run(), [user("a")], [assistant("b")])
    other = Trace(7)
    other.add({"http.route": "/health"})
    assert len(conversations([*trace.spans, *other.spans])) == 1
