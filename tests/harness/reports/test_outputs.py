import json
import os
from pathlib import Path

import pytest

from harness.reports.files import Target
from harness.reports.outputs import FORMATS, Output
from harness.reports.result_json import result_json
from tests.harness.gates.build import results
from tests.harness.reports.views import hostile, view


def test_the_name_tells_the_format(tmp_path):
    made = view(results("PF"))
    begins = {".json": '{\n  "schema"', ".jsonl": '{"type":"run"', ".junit.xml": "<?xml", ".md": "<!-- turngate"}
    for end in FORMATS:
        Output.to(tmp_path / f"result{end}").write([made], result_json(made))
        assert (tmp_path / f"result{end}").read_text().startswith(begins[end])
    Output.to(tmp_path / "junit.xml").write([made], result_json(made))
    assert (tmp_path / "junit.xml").read_text() == (tmp_path / "result.junit.xml").read_text()
    assert len(list(tmp_path.iterdir())) == 5, "nothing is left beside them"


@pytest.mark.parametrize("name", ["result", "result.xml", "result.csv", "json", "md", "result.json.gz", "x.jsonl "])
def test_other_names_tell_none(tmp_path, name):
    with pytest.raises(ValueError, match=r"may end in \.json, \.jsonl, \.junit\.xml, \.md"):
        Output.to(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_what_can_not_be_written_is_told_at_once(tmp_path):
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "file").touch()
    for path in ("folder.json", "nowhere/x.json", "file/x.json", f"{'x' * 300}.json"):
        with pytest.raises(OSError, match=r"\S"):
            Output.to(tmp_path / path)


@pytest.mark.skipif(os.getuid() == 0, reason="root may write everywhere")
def test_a_folder_that_nobody_may_write_to(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(PermissionError):
        Output.to(tmp_path / "x.json")


def test_the_folder_is_that_of_the_start(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    output = Output.to(Path("x.json"))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    output.write([hostile()], result_json(hostile()))
    assert json.loads((tmp_path / "x.json").read_text())["schema"] == "turngate.result/1"


def test_what_is_there_stays_if_the_new_can_not_be_written(tmp_path):
    (tmp_path / "x.jsonl").write_text("old")

    def breaks(views, document):
        yield "new"
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        Output(Target(tmp_path / "x.jsonl", ".jsonl"), breaks).write([], {})
    assert (tmp_path / "x.jsonl").read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 1
