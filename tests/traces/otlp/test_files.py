import gc
import gzip
import io
import json
import struct
import sys

import pytest

from tests.reference import reference
from traces.json_text import loads
from traces.otlp import BadLine, lines, protobuf, read, read_file
from traces.otlp.flaw import Flaw
from traces.otlp.json_lines import values
from traces.span import Span

TRACE = "0af7651916cd43dd8448eb211c80319c"


def span(number, **more):
    return Span(TRACE, f"{number:016x}", None, f"work {number}", "internal", number, number + 1, **more)


def line(*numbers):
    return b"".join(lines([span(number) for number in numbers]))


FRAMED = ("message", "lengths", "varints")
FOREIGN = ("empty", "gzip", "zip", "utf-16", "utf-16-le", "binary", "zeros")
CUT = "cut short: the JSON that begins here does not end"


@pytest.fixture
def file(tmp_path):
    def write(content):
        path = tmp_path / "telemetry.anything"
        path.write_bytes(content)
        return path

    return write


def names(path):
    return [found.name if isinstance(found, Span) else (found.line, found.what) for found in read_file(path)]


def varint(number):
    return bytes([number]) if number < 0x80 else bytes([number & 0x7F | 0x80, *varint(number >> 7)])


def whole(*numbers):
    return [f"work {number}" for number in numbers]


def pretty(*numbers):
    return json.dumps(json.loads(line(*numbers)), indent=2).encode()


@pytest.mark.parametrize(
    "content",
    [
        line(1) + line(2, 3),
        (line(1) + b"\r\n\n" + line(2, 3)).rstrip(),
        b"\xef\xbb\xbf" + line(1, 2, 3),
        pretty(1, 2, 3),
        b"\xef\xbb\xbf" + pretty(1, 2, 3),
        pretty(1) + b"\n" + pretty(2, 3) + b"\n",
        b"[" + line(1).strip() + b"," + line(2, 3).strip() + b"]",
        b"[\n" + line(1).strip() + b",\n" + line(2, 3).strip() + b"\n]\n",
        b"[" + pretty(1) + b",\n" + pretty(2, 3) + b"]",
        protobuf.traces_data([span(1), span(2), span(3)]),
        b"".join(struct.pack(">I", len(m)) + m for m in map(protobuf.traces_data, [[span(1)], [span(2), span(3)]])),
        b"".join(varint(len(m)) + m for m in map(protobuf.traces_data, [[span(1)], [span(2), span(3)]])),
    ],
    ids=["lines", "crlf", "bom", "pretty", "bom-pretty", "pretties", "list", "list-lines", "list-pretty", *FRAMED],
)
@pytest.mark.parametrize("pack", [bytes, gzip.compress, lambda it: gzip.compress(gzip.compress(it))])
def test_a_file_is_read_by_what_is_in_it(file, content, pack):
    assert names(file(pack(content))) == whole(1, 2, 3)


def test_the_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(line(1)))))
    assert names("-") == whole(1)
    assert not sys.stdin.buffer.closed


def test_several_files(file, tmp_path):
    (tmp_path / "b").write_bytes(line(2))
    assert [found.name for found in read(file(line(1)), str(tmp_path / "b"))] == whole(1, 2)


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (line(1) + b"Starting up\n" + line(2), ["work 1", (2, "no JSON: expecting value at character 1"), "work 2"]),
        (
            line(1) + b'{"a" 1}\n' + line(2),
            ["work 1", (2, "no JSON: expecting ':' delimiter at character 6"), "work 2"],
        ),
        (line(1) + line(2)[:-9], ["work 1", (2, CUT)]),
        (line(1) + line(2)[:40], ["work 1", (2, CUT)]),
        (line(1)[:-9] + b"\n" + line(2), [(1, CUT), "work 2"]),
        (line(1)[:60] + b"\n" + line(2), [(1, CUT), "work 2"]),
        (pretty(1)[:-9] + b"\n" + pretty(2), [(1, CUT), "work 2"]),
        (
            line(1).replace(b"work", b"w\xffrk") + line(2),
            [(1, f"not in UTF-8: byte 0xff at place {line(1).index(b'work') + 2}"), "work 2"],
        ),
        (line(1) + b"[" * 100_000 + b"]" * 100_000 + b"\n" + line(2), ["work 1", (2, "nested too deeply"), "work 2"]),
        (b'{"a": 1}\n' + line(2), [(1, "no spans and no log records: an object of 'a'"), "work 2"]),
        (b"", [(None, "empty")]),
        (gzip.compress(b""), [(None, "empty")]),
        (b"PK\x03\x04....", [(None, "a zip archive: unpack it first")]),
        (line(1).decode().encode("utf-16"), [(None, "in UTF-16: save it as UTF-8")]),
        (line(1).decode().encode("utf-16-le"), [(None, "in UTF-16: save it as UTF-8")]),
        (bytes(range(256)), [(None, "neither JSON nor OTLP in protobuf")]),
        (bytes(3_000), [(None, "neither JSON nor OTLP in protobuf")]),
    ],
    ids=["text", "syntax", "cut", "early", "in", "in-early", "pretty", "utf8", "deep", "other", *FOREIGN],
)
def test_what_is_broken_is_told_with_its_line_and_the_rest_goes_in(file, content, found):
    assert names(file(content)) == found


def test_gzip_cut_short(file):
    many = b"".join(lines(span(n, attributes={"n": f"{n * 7919:x}"}) for n in range(1, 5000)))
    found = names(file(gzip.compress(many)[:-2000]))
    assert found[:2] == whole(1, 2)
    at, what = found[-1]
    assert what == "cut short: the gzip data breaks off here"
    assert at > 1


def test_gzip_that_is_broken(file):
    packed = bytearray(gzip.compress(line(1)))
    packed[-6] ^= 1
    told = (2, "the gzip data is broken here, and what follows can't be read")
    assert names(file(bytes(packed))) == [*whole(1), told]


@pytest.mark.parametrize(
    ("broken", "flaw"),
    [
        (lambda packed: packed[:-8], "cut short: the gzip data breaks off here"),
        (lambda packed: packed + b"something else", "the gzip data is broken here, and what follows can't be read"),
    ],
    ids=["cut", "followed"],
)
def test_what_comes_before_a_break_of_gzip_goes_in(file, broken, flaw):
    assert names(file(broken(gzip.compress(line(1) + line(2))))) == [*whole(1, 2), (3, flaw)]


def test_standard_input_that_is_closed(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert list(read("-")) == [BadLine("standard input", None, "it is closed: pass something on to it")]


def test_protobuf_cut_short(file):
    packed = protobuf.traces_data([span(1)]) + protobuf.traces_data([span(2)])
    assert names(file(packed[:-3]))[0] == "work 1"
    assert names(file(packed[:-3]))[1][1].startswith("cut short: ")


def test_a_line_longer_than_may_be():
    short = line(1)
    stream = io.BytesIO(short + b'{"' + b"x" * 3000 + b'"}\n' + short)
    found = [(number, isinstance(value, dict)) for number, value in values(stream, longest=1000)]
    assert found == [(1, True), (2, False), (3, True)]


def test_a_folder_and_a_file_that_is_not_there(tmp_path):
    folder, absent = read(tmp_path, tmp_path / "absent")
    assert str(folder) == f"{tmp_path}: a folder: name the files in it"
    assert str(absent) == f"{tmp_path / 'absent'}: there is no such file"


def test_a_bad_line_says_where_it_is():
    assert str(BadLine("a.jsonl", 7, "no JSON")) == "a.jsonl:7: no JSON"


def test_real_telemetry_is_read_whole_and_survives_both_ways():
    samples = sorted(reference("otel_samples").glob("*.jsonl"))
    assert samples
    for sample in samples:
        found = list(read(sample))
        assert not [record for record in found if isinstance(record, BadLine)], sample.name
        raw = [json.loads(text) for text in sample.read_text().splitlines()]
        count = sum(text.count('"spanId"') for text in sample.read_text().splitlines())
        assert raw
        assert len(found) <= count
        spans = [record for record in found if isinstance(record, Span)]
        key = repr
        assert sorted(protobuf.spans(protobuf.traces_data(spans)), key=key) == sorted(spans, key=key)


@pytest.mark.parametrize("collects", [True, False])
def test_the_garbage_collector_is_left_as_it_was(collects):
    """It rests while a value is read, be that broken or not."""
    seen = []

    def read(text):
        value = loads(text)
        seen.append(gc.isenabled())
        return value

    (gc.enable if collects else gc.disable)()
    try:
        stream = io.BytesIO(b'{"a": 1}\n{broken}\n' + b"[" * 5000 + b"]" * 5000 + b"\n")
        found = [value for _, value in values(stream, read=read)]
        assert gc.isenabled() is collects
    finally:
        gc.enable()
    assert found[0] == {"a": 1}
    assert [type(value) for value in found[1:]] == [Flaw, Flaw]
    assert seen == [False]
