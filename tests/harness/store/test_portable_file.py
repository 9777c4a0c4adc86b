"""A run in a file: the same bytes for the same run, and nothing of a file that is not whole."""

from __future__ import annotations

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.store import portable_file
from harness.store.portable_file import is_run_file, read_run, write_run
from harness.store.problem import StoreProblem
from harness.store.store import Store
from tests.harness.store.test_portable import full

GATE = {"decision": "passed"}


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    folder = tmp_path_factory.mktemp("file")
    with Store.open(folder / "a.db") as store:
        write_run(folder / "run.turngate", full(store).portable.records("r-1"), GATE)
    return folder / "run.turngate"


def lines(file):
    return gzip.decompress(file.read_bytes()).splitlines(keepends=True)


def rewritten(file, tmp_path, some):
    made = tmp_path / "made.turngate"
    made.write_bytes(gzip.compress(b"".join(some)))
    return made


def test_the_file_is_json_lines_that_anybody_can_read(file):
    kinds = [next(iter(json.loads(line))) for line in lines(file)]
    assert kinds == ["schema", "run", *["text"] * 5, *["planned"] * 3, *["attempt"] * 3, "gate", "end"]
    assert json.loads(lines(file)[0]) == {"schema": "turngate.run/1"}
    assert is_run_file(file)
    assert not is_run_file(file.parent)


def test_the_same_run_is_the_same_bytes_from_any_store(file, tmp_path):
    with Store.open(tmp_path / "b.db") as store:
        store.portable.put(read_run(file))
        write_run(tmp_path / "again.turngate", store.portable.records("r-1"), GATE)
    assert (tmp_path / "again.turngate").read_bytes() == file.read_bytes()


def test_nothing_is_left_where_it_can_not_be_written(file, tmp_path):
    def broken():
        yield from list(read_run(file))[:3]
        raise StoreProblem("the store is gone")

    with pytest.raises(StoreProblem):
        write_run(tmp_path / "run.turngate", broken(), GATE)
    assert list(tmp_path.iterdir()) == []


@given(st.data())
def test_a_file_cut_anywhere_is_refused(file, data):
    whole = file.read_bytes()
    cut = file.with_name("cut.turngate")
    cut.write_bytes(whole[: data.draw(st.integers(0, len(whole) - 1))])
    with pytest.raises(StoreProblem, match=r"cut short|is empty|no file of `turngate export`"):
        next(read_run(cut))


@given(st.data())
def test_a_file_altered_anywhere_is_refused(file, data):
    """Of what gzip unpacks: a byte changed, or a line taken out, doubled or moved."""
    some = lines(file)
    at = data.draw(st.integers(0, len(some) - 1))
    if data.draw(st.booleans()):
        line = bytearray(some[at])
        byte = data.draw(st.integers(0, len(line) - 1))
        line[byte] = data.draw(st.integers(0, 255).filter(lambda value: value != line[byte]))
        some[at] = bytes(line)
    else:
        some = data.draw(st.sampled_from([some[:at] + some[at + 1 :], [*some[:at], some[at], *some[at:]]]))
    made = file.with_name("altered.turngate")
    made.write_bytes(gzip.compress(b"".join(some)))
    with pytest.raises(StoreProblem, match=r"altered\.turngate: "):
        next(read_run(made))


def test_what_is_wrong_is_told(file, tmp_path):
    some = lines(file)
    said = {
        "nothing": (b"", "it is empty"),
        "text": (b"hello", "no file of `turngate export`"),
        "other": (gzip.compress(b'{"a":1}\n'), "no file of `turngate export`"),
        "newer": (gzip.compress(b'{"schema":"turngate.run/7"}\n'), 'written in "turngate.run/7".*upgrade'),
        "damaged": (file.read_bytes()[:-8] + b"12345678", "it is damaged"),
        "end": (gzip.compress(b"".join([*some, b"more\n"])), "more behind its end"),
        "kind": (gzip.compress(b"".join([some[0], b'{"spy":1}\n'])), "line 2: this turngate knows no `spy`"),
    }
    for name, (content, text) in said.items():
        made = tmp_path / f"{name}.turngate"
        made.write_bytes(content)
        with pytest.raises(StoreProblem, match=text):
            list(read_run(made))


def test_no_record_of_a_kind_that_it_is_not(file, tmp_path, monkeypatch):
    forged = tmp_path / "forged.turngate"
    for content in (b"[" * 100_000, b'{"key":1}', b"null", b'{"digest":"\xff","content":""}'):
        some = [b'{"schema":"turngate.run/1"}\n', b'{"attempt":%b}\n' % content]
        total = portable_file.hashlib.sha256(b"".join(some)).hexdigest()
        end = json.dumps({"end": {"records": 1, "sha256": total}}, separators=(",", ":")).encode() + b"\n"
        forged.write_bytes(gzip.compress(b"".join([*some, end])))
        with pytest.raises(StoreProblem, match="line 2 is no attempt that this turngate knows"):
            list(read_run(forged))


def test_a_file_made_to_fill_memory_or_disk_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(portable_file, "_LINE", 1 << 20)
    monkeypatch.setattr(portable_file, "_WHOLE", 4 << 20)
    bomb = tmp_path / "bomb.turngate"
    bomb.write_bytes(gzip.compress(b'{"schema":"turngate.run/1"}\n{"text":' + b" " * (2 << 20)))
    with pytest.raises(StoreProblem, match="line 2 has more than 1 MiB"):
        list(read_run(bomb))
    bomb.write_bytes(gzip.compress(b'{"schema":"turngate.run/1"}\n' + b'{"text":"%b"}\n' % (b"a" * 1000) * 5000))
    with pytest.raises(StoreProblem, match="unpacks to more than"):
        list(read_run(bomb))
