"""Recorded model answers: each is used once, in order, and nothing else is ever given."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
from dataclasses import replace

import pytest

from harness.llm import cassette
from harness.llm.access import ModelAccess
from harness.llm.cassette import Recorder
from harness.llm.chat import Chat
from harness.llm.client import Asking, ModelClient
from harness.llm.messages import user
from harness.llm.problem import CassetteMissError, ModelProblem
from harness.store.mask import mask
from tests.harness.llm.provider import call, called, chunk, provider, said, stream
from traces.genai import Usage

ASKING = Asking("small-1", Chat(), "Be brief.")


def ask(asker, text="hi", asking=ASKING, seed=7):
    return asyncio.run(asker.ask(asking, [user(text)], seed))


def recorded(tmp_path, monkeypatch, *answers, texts=("hi",), asking=ASKING, name="cassette.jsonl"):
    """The path of a cassette with these answers."""
    path = tmp_path / name
    with provider(*answers) as known:
        monkeypatch.setenv("OPENAI_BASE_URL", known.url)
        asker = ModelClient(ModelAccess(record=str(path)), mask)
        for text in texts:
            ask(asker, text, asking)
    return path


def replaying(path, monkeypatch, **access):
    """A client that must not need a network, an address or a key."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("OPENAI_BASE_URL", "no address")
    return ModelClient(ModelAccess(replay=str(path), **access), mask)


def miss(asker, *arguments, **more):
    with pytest.raises(CassetteMissError) as caught:
        ask(asker, *arguments, **more)
    return str(caught.value)


def test_equal_requests_are_answered_in_order_and_each_answer_once(tmp_path, monkeypatch):
    path = recorded(tmp_path, monkeypatch, said("one"), said("two"), said("other"), texts=("hi", "hi", "bye"))
    asker = replaying(path, monkeypatch)
    asked = [ask(asker, text, seed=seed).said for text, seed in (("hi", 1), ("bye", 2), ("hi", 2))]
    assert asked == [("one",), ("other",), ("two",)]
    assert "has 2 answer(s) to this request, and all are used" in miss(asker, seed=3)
    assert ask(replaying(path, monkeypatch)).usage == Usage(100, 20, 60, 5)
    assert asker.notes == [f"model answers are replayed from {path}, so that these are no new trials, nor times"]
    asker.check("small-1")


def test_an_episode_that_is_played_again_takes_no_answer_from_another(tmp_path, monkeypatch):
    path = recorded(tmp_path, monkeypatch, said("one"), said("two"), texts=("hi", "hi"))
    ledger = str(tmp_path / "ledger.db")
    died = replaying(path, monkeypatch, ledger=ledger)
    assert ask(died, seed=1).said == ("one",)
    after = replaying(path, monkeypatch, ledger=ledger)
    assert [ask(after, seed=seed).said for seed in (1, 2, 1)] == [("one",), ("two",), ("one",)]
    miss(after, seed=3)


def test_agents_that_ask_the_same_in_the_same_trial_share_no_answer(tmp_path, monkeypatch):
    path = recorded(tmp_path, monkeypatch, said("one"), said("two"), texts=("hi", "hi"))
    asker = replaying(path, monkeypatch)
    agents = [replace(ASKING, agent=label) for label in ("openai:small-1@a", "openai:small-1@b")]
    assert [ask(asker, asking=agent).said for agent in agents] == [("one",), ("two",)]


@pytest.mark.parametrize(
    "changed",
    [
        replace(ASKING, model="small-2"),
        replace(ASKING, instructions="Be long."),
        replace(ASKING, parameters={"temperature": 1}),
    ],
)
def test_another_request_is_a_miss(tmp_path, monkeypatch, changed):
    path = recorded(tmp_path, monkeypatch, said("one"))
    asker = replaying(path, monkeypatch)
    assert "has no answer to this request" in miss(asker, "hi", changed)
    assert "has no answer to this request" in miss(asker, "Hi")
    assert ask(asker).said == ("one",)


def test_a_streamed_answer_is_kept_whole(tmp_path, monkeypatch):
    streamed = replace(ASKING, stream=True)
    answer = stream(chunk(content="Hel"), chunk(content="lo."), chunk("stop"))
    path = recorded(tmp_path, monkeypatch, answer, asking=streamed)
    assert ask(replaying(path, monkeypatch), "hi").said == ("Hello.",)  # nor does it matter how it came


def test_only_answers_are_recorded_and_no_secret(tmp_path, monkeypatch):
    from tests.harness.llm.provider import error

    path = recorded(
        tmp_path,
        monkeypatch,
        error(500, "oops"),
        called(call("login", {"password": "hunter2!x", "note": "sk-live-abcdefgh12345678"})),
        texts=("my key is sk-live-abcdefgh12345678",),
    )
    text = path.read_text()
    header, record = (json.loads(line) for line in text.splitlines() if line)
    assert header == {"cassette": "turngate model answers", "version": 1}
    assert record.keys() == {"key", "request", "answer"}
    for secret in ("sk-live-abcdefgh12345678", "hunter2!x", "sk-test-1234567890abcdef", "Bearer"):
        assert secret not in text
    # What was masked when it was recorded is found again, by the secret and by what stands for it.
    assert ask(replaying(path, monkeypatch), "my key is sk-live-abcdefgh12345678").calls
    masked = record["request"]["messages"][1]["content"]
    assert ask(replaying(path, monkeypatch), masked).calls


def test_what_was_cut_off_costs_no_other_answer(tmp_path, monkeypatch):
    path = recorded(tmp_path, monkeypatch, said("one"))
    with path.open("ab") as file:
        file.write(b'\n{"key": "half of a rec')
    Recorder(path, mask).add("/chat/completions", {"model": "small-2"}, said("two"))
    assert len([line for line in path.read_bytes().splitlines() if line]) == 4
    asker = replaying(path, monkeypatch)
    assert ask(asker).said == ("one",)
    assert asker.notes[0].endswith("; 1 line(s) of it can't be read")


def test_a_run_that_goes_on_appends(tmp_path, monkeypatch):
    for answer in ("one", "two"):
        path = recorded(tmp_path, monkeypatch, said(answer))
    asker = replaying(path, monkeypatch)
    assert [ask(asker, seed=seed).said for seed in (1, 2)] == [("one",), ("two",)]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, "can't be read: No such file or directory"),
        (b"", "this is no recording of model answers"),
        (b"[]\n", "this is no recording of model answers"),
        (b"\xff\n", "this is no recording of model answers"),
        (b'{"cassette": "turngate model answers", "version": 2}\n', "version 2 of the format is not known here"),
    ],
)
def test_what_is_no_cassette(tmp_path, monkeypatch, content, text):
    path = tmp_path / "cassette.jsonl"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ModelProblem) as caught:
        replaying(path, monkeypatch)
    assert text in str(caught.value)
    if content:  # and nothing of it is overwritten
        with pytest.raises(ModelProblem):
            Recorder(path, mask)
        assert path.read_bytes() == content


def test_what_can_not_be_written(tmp_path):
    with pytest.raises(ModelProblem, match="can't be written"):
        Recorder(tmp_path / "nowhere" / "cassette.jsonl", mask)
    with pytest.raises(ModelProblem, match="one or the other"):
        ModelAccess(record="a", replay="b")


def _write(path, name):
    recorder = Recorder(path, mask)
    for number in range(50):
        recorder.add("/chat/completions", {"name": name, "number": number}, {"text": "x" * 20_000})


def test_processes_write_to_one_cassette_and_share_its_answers(tmp_path, monkeypatch):
    path = tmp_path / "cassette.jsonl"
    processes = [multiprocessing.get_context("spawn").Process(target=_write, args=(path, name)) for name in "abc"]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    lines = [json.loads(line) for line in path.read_text().splitlines() if line]
    assert "cassette" in lines[0]
    assert sum("request" in line for line in lines) == 150
    path = recorded(tmp_path, monkeypatch, said("one"), said("two"), texts=("hi", "hi"), name="other.jsonl")
    one, two = (replaying(path, monkeypatch, ledger=str(tmp_path / "ledger.db")) for _ in range(2))
    assert (ask(one, seed=1).said, ask(two, seed=2).said) == (("one",), ("two",))
    miss(one, seed=3)


def _begin_together(path, name, barrier):
    fstat = os.fstat

    def look(file):
        found = fstat(file)
        barrier.wait(120)  # the other has looked as well, and has not written yet
        return found

    cassette.os.fstat = look
    recorder = Recorder(path, mask)
    cassette.os.fstat = fstat
    recorder.add("/chat/completions", {"name": name}, said(name))


@pytest.mark.parametrize("empty", [True, False], ids=["empty", "new"])
def test_processes_that_begin_a_cassette_together_lose_no_answer(tmp_path, monkeypatch, empty):
    path = tmp_path / "cassette.jsonl"
    if empty:
        path.touch()
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(2)
    processes = [context.Process(target=_begin_together, args=(path, name, barrier)) for name in "ab"]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    lines = [json.loads(line) for line in path.read_text().splitlines() if line]
    assert ["cassette" in line for line in lines].count(True) == 2
    assert sorted(line["request"]["name"] for line in lines if "request" in line) == ["a", "b"]
    assert replaying(path, monkeypatch).notes[0].endswith("nor times")  # and no line is one that can't be read
