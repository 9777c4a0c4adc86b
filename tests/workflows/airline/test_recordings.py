"""The recordings that the airline workflow brings: all of the conversations, and true to their sources."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache

import pytest

from harness.gates.statistics import pass_hat
from harness.replay.recordings import read
from harness.workflow.bundled import bundled
from tests.reference import reference
from tests.workflows.airline.airline import bundle, opened, told

FOLDER = bundled("airline") / "recordings"
OTHERS = ["claude-opus-4-6-button", "claude-sonnet-4-5", "gpt-4.1", "gpt-5.4-ironforge", "gpt-oss-120b", "qwen2.5-7b"]


@cache
def recordings(name):
    return list(read(FOLDER / f"{name}.jsonl.gz"))


def test_there_are_a_hundred_of_gpt_4o_and_eleven_of_each_other_model():
    assert {file.name.removesuffix(".jsonl.gz") for file in FOLDER.iterdir()} == {"gpt-4o", *OTHERS}
    assert len(recordings("gpt-4o")) == 100
    assert [len(recordings(name)) for name in OTHERS] == [11] * 6
    every = [recording for name in ("gpt-4o", *OTHERS) for recording in recordings(name)]
    assert len({recording.id for recording in every}) == 166
    assert {recording.workflow for recording in every} == {"airline"}
    assert all(recording.clock and recording.agent and recording.agent.model for recording in every)
    users = bundle().start.rows["users"]
    assert all(recording.speaker in users for recording in every)


def test_what_gpt_4o_was_told_is_told_again():
    executed = 0
    for recording in recordings("gpt-4o"):
        airline = opened()
        for call in recording.calls():
            assert call.raw is not None
            if call.answered:
                assert told(airline, call.tool, call.raw) == call.told
                executed += 1
    assert executed == 684


def test_what_the_other_models_were_told_is_told_again():
    for name in OTHERS:
        for recording in recordings(name):
            airline = opened(recording.snapshot)
            for call in recording.calls():
                # Of malformed arguments we speak in our own words.
                if "validation error" not in call.told:
                    assert told(airline, call.tool, call.raw or call.arguments) == call.told


def test_the_rewards_of_gpt_4o_are_on_record():
    tallies = Counter()
    for recording in recordings("gpt-4o"):
        tallies[recording.labels["task"]] += int(recording.labels["reward"])
    counted = [(passed, 4) for passed in tallies.values()]
    assert len(counted) == 25
    figures = [float(pass_hat(k, counted)) for k in (1, 2, 3, 4)]
    assert figures == pytest.approx([0.36, 0.1933, 0.14, 0.12], abs=5e-5)


def test_those_of_the_other_airline_bring_the_rows_in_which_it_differs():
    for name in OTHERS:
        for recording in recordings(name):
            assert recording.snapshot["systems"] == {"airline": {"system_id": "airline", "edition": "tau2"}}
            assert recording.snapshot["flights"]["HAT018"]["dates"]["2024-05-11"]["status"] == "delayed"
            assert recording.snapshot["reservations"]["Z7GOZK"]["destination"] == "IAH"
    assert {json.dumps(recording.snapshot) for recording in recordings("gpt-4o")} == {"{}"}


def test_nothing_is_lost_of_the_published_conversations():
    published = json.loads(reference("data/tau1_airline_gpt4o/trajectories.json").read_bytes())
    ours = {(each.labels["task"], each.labels["trial"]): each for each in recordings("gpt-4o")}
    if not ours.keys() & {(each["task_id"], each["trial"]) for each in published}:
        pytest.skip("these runs are not those of the recordings")
    for run in published:
        recording = ours[run["task_id"], run["trial"]]
        said = [each["content"] for each in run["traj"] if each["role"] != "tool" and each["content"]]
        assert [message.text for message in recording.messages if message.text] == said
        asked = [call["function"] for each in run["traj"] for call in each.get("tool_calls") or []]
        assert [(call.tool, call.raw) for call in recording.calls()] == [
            (one["name"], one["arguments"]) for one in asked
        ]
        results = [each["content"] for each in run["traj"] if each["role"] == "tool"]
        assert [call.told for call in recording.calls() if call.answered] == results
        assert recording.labels["reward"] == run["reward"]
