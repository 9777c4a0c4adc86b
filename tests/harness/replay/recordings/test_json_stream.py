from __future__ import annotations

import io
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.replay.recordings import json_stream
from harness.replay.recordings.json_stream import Broken, Value, values

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)
RECORD = st.dictionaries(st.text(max_size=5), JSON, max_size=4)


def read(text, *spread):
    raw = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    return list(values(io.BytesIO(raw), spread))


def data(found):
    assert not [each for each in found if isinstance(each, Broken)]
    return [each.data for each in found]


@pytest.fixture(params=[1, 7, 2**20])
def chunk(request, monkeypatch):
    """However the stream comes in pieces."""
    monkeypatch.setattr(json_stream, "_CHUNK", request.param)


@given(st.lists(JSON, max_size=5), st.sampled_from([None, 1, "\t"]), st.booleans())
def test_a_list_is_taken_apart(members, indent, ascii_only):
    assert data(read(json.dumps(members, indent=indent, ensure_ascii=ascii_only))) == members


@given(st.lists(RECORD, min_size=2, max_size=5), st.sampled_from(["\n", "\r\n", "\n\n"]))
def test_lines_are_read_one_by_one(records, ending):
    assert data(read(ending.join(map(json.dumps, records)))) == records


@given(RECORD)
def test_an_object_is_one_value(record):
    assert data(read(json.dumps(record, indent=1))) == [record]


@given(RECORD, st.lists(JSON, max_size=5), RECORD)
def test_a_list_in_an_object_is_spread(before, members, after):
    before.pop("runs", None)
    fields = list(before.items())
    text = json.dumps({**before, "runs": members, **{f"after-{key}": value for key, value in after.items()}})
    assert [(each.data, each.around) for each in read(text, "runs")] == [(member, dict(fields)) for member in members]


def test_every_value_has_its_line_and_column(chunk):
    text = '\ufeff[{"é": "]"},\n  {"b": 2},"x" ,\n1]'
    assert [(each.data, each.place) for each in read(text)] == [
        ({"é": "]"}, "1:2"),
        ({"b": 2}, "2:3"),
        ("x", "2:12"),
        (1, "3:1"),
    ]


def test_what_is_broken_spoils_nothing_but_itself(chunk):
    found = read(b'[\n{"a": 1},\n{"b": 2 "c": 3},\n{"d": "\xff"},\n{"e": 5]},\n{"f": 6}\n]')
    assert [each.data for each in found if isinstance(each, Value)] == [{"a": 1}, {"f": 6}]
    broken = [each for each in found if isinstance(each, Broken)]
    assert broken == [
        Broken(3, 9, "no JSON: expecting ',' delimiter"),
        Broken(4, 8, "not in UTF-8: byte 0xff"),
        Broken(5, 8, "no JSON: expecting ',' delimiter"),
    ]


CUT = {
    '[{"a": 1}, {"b": ': ([{"a": 1}], 1, 12),
    '[{"a": 1},': ([{"a": 1}], 1, 1),
    '{"runs": [{"a": 1}]': ([{"a": 1}], 1, 1),
    '{"a": 1}\n{"b": 2}\n{"c": "x': ([{"a": 1}, {"b": 2}], 3, 7),
    '{"runs": [{"a": 1},\n {"b"': ([{"a": 1}], 2, 2),
    '{"a": [1,': ([], 1, 7),
    '{"a"': ([], 1, 5),
    '"abc': ([], 1, 1),
}


@pytest.mark.parametrize("text", CUT)
def test_where_it_is_cut_short_is_told_once(text, chunk):
    found = read(text, "runs")
    whole, line, column = CUT[text]
    assert [each.data for each in found if isinstance(each, Value)] == whole
    (broken,) = [each for each in found if isinstance(each, Broken)]
    assert (broken.line, broken.column) == (line, column)


def test_what_strict_readers_refuse_and_others_write():
    text = '[{"n": NaN, "i": Infinity}, {"s": "\\ud800"}, {"n": 9223372036854775808}]'
    first, *others = data(read(text))
    assert math.isnan(first["n"])
    assert others == [{"s": "\ud800"}, {"n": 2**63}]


def test_a_line_that_is_broken_is_told_and_the_next_is_read(chunk):
    found = read('{"a": 1\n{"b": 2}\n{"c": 3}\n')
    assert [each.data for each in found if isinstance(each, Value)] == [{"b": 2}, {"c": 3}]
    assert (found[0].line, found[0].column) == (1, 8)


def test_no_json_at_all():
    found = read("user: hello")
    assert found[0] == Broken(1, 1, "no JSON: expecting value")
    assert all(isinstance(each, Broken) for each in found)
    assert read("") == read("\n \n") == []


@given(st.binary(max_size=60))
def test_nothing_raises(raw):
    for each in read(raw, "runs"):
        assert each.line >= 1
        assert each.column >= 1


@given(st.text(alphabet='[]{}",:\\ \n1ae', max_size=40))
def test_nothing_that_looks_like_json_raises(text):
    read(text, "a")


def test_memory_holds_one_member_at_a_time():
    """A stream without end is read little further than somebody asks."""

    class Endless(io.RawIOBase):
        given = 0

        def read(self, size=-1):
            self.given += 1
            return b'%s%s{"a": "%s"}' % (b"[" if self.given == 1 else b",", b" " * 9, b"x" * 1000)

    stream = Endless()
    found = values(stream)
    for _ in range(5000):
        next(found)
    assert stream.given < 7000
