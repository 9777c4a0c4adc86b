"""What the page on recordings shows is read, and does what it says."""

from __future__ import annotations

import json

from harness.replay.recordings import read
from tests.docs.pages import ROOT, blocks

PAGE = ROOT / "docs" / "recordings.md"


def example(language):
    (block,) = (each for each in blocks(PAGE) if each.language == language)
    return block.text


def test_the_json_example_is_a_sound_recording(tmp_path):
    file = tmp_path / "talk.json"
    file.write_text(example("json"), "utf-8")
    (recording,) = read(file)
    (call,) = recording.calls()
    assert (call.arguments, call.result) == ({"order_id": "O-1001"}, {"status": "delivered"})
    assert (recording.turns, recording.flaws, recording.labels) == (1, [], {"shop": "es"})


def test_the_python_example_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    talk = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi"}]
    (tmp_path / "talks.jsonl").write_text(json.dumps(talk), "utf-8")
    exec(compile(example("python"), str(PAGE), "exec"), {})
    assert capsys.readouterr().out.split(" ", 1)[1] == "1 []\n"
