"""Every trajectory of the reference data comes in whole: what is counted here is counted in the raw files."""

from __future__ import annotations

import json

import pytest

from harness.replay.recordings import read
from tests.reference import reference

TAU = ("tau1_airline_gpt4o/trajectories.json", "tau2_retail_runs/grok-3_tau1format.json")
TAU2 = (
    "tau2_airline_runs/claude-opus-4-6-button.json",
    "tau2_airline_runs/claude-sonnet-4-5.json",
    "tau2_airline_runs/gpt-4.1.json",
    "tau2_airline_runs/gpt-5.4-ironforge.json",
    "tau2_airline_runs/gpt-oss-120b.json",
    "tau2_airline_runs/qwen2.5-7b.json",
    "tau2_retail_runs/ft-gpt-4.1.json",
    "tau2_retail_runs/gpt-4.1.json",
    "tau2_telecom_runs/gpt-4.1.json",
    "tau2_judge_verdicts/runs_gpt-4o.json",
)


def told(recording):
    """What was said, called and answered, in the order of the recording."""
    calls = list(recording.calls())
    return {
        "texts": [(each.role, each.text) for each in recording.messages],
        "calls": [(call.by, call.tool, call.raw, call.arguments) for call in calls],
        "results": sorted(call.told or "" for call in calls if call.answered),
        "messages": len(recording.messages) + sum(call.answered for call in calls) + len(recording.stray),
    }


@pytest.mark.parametrize("file", TAU)
def test_tau_bench(file):
    path = reference(f"data/{file}")
    runs = json.loads(path.read_text("utf-8"))
    recordings = list(read(path))
    assert len(recordings) == len(runs)
    for run, recording in zip(runs, recordings, strict=True):
        said = [each for each in run["traj"] if each["role"] != "tool"]
        calls = [call["function"] for each in said for call in each.get("tool_calls") or []]
        roles = {"system": "system", "user": "user", "assistant": "agent"}
        assert told(recording) == {
            "texts": [(roles[each["role"]], each["content"]) for each in said],
            "calls": [("agent", call["name"], call["arguments"], json.loads(call["arguments"])) for call in calls],
            "results": sorted(each["content"] for each in run["traj"] if each["role"] == "tool"),
            "messages": len(run["traj"]),
        }
        errors = [each["content"] for each in run["traj"] if each["role"] == "tool" and each["content"][:6] == "Error:"]
        assert [call.error for call in recording.calls() if call.error is not None] == errors
        assert recording.labels == {"task": run["task_id"], "trial": run["trial"], "reward": run["reward"]}
        assert recording.speaker == run["info"]["task"]["user_id"]
        assert recording.turns == sum(each["role"] == "user" for each in run["traj"])
    assert len({recording.id for recording in recordings}) == len(runs)


@pytest.mark.parametrize("file", TAU2)
def test_tau2_bench(file):
    path = reference(f"data/{file}")
    document = json.loads(path.read_text("utf-8"))
    recordings = list(read(path))
    assert len(recordings) == len(document["simulations"])
    for run, recording in zip(document["simulations"], recordings, strict=True):
        said = [each for each in run["messages"] if each["role"] != "tool"]
        calls = [call for each in said for call in each["tool_calls"] or []]
        results = [each for each in run["messages"] if each["role"] == "tool"]
        roles = {"system": "system", "user": "user", "assistant": "agent"}
        assert told(recording) == {
            "texts": [(roles[each["role"]], each["content"]) for each in said],
            "calls": [(_side(call["requestor"]), call["name"], None, call["arguments"]) for call in calls],
            "results": sorted(each["content"] for each in results),
            "messages": len(run["messages"]),
        }
        assert sum(call.error is not None for call in recording.calls()) == sum(each["error"] for each in results)
        assert recording.labels["reward"] == run["reward_info"]["reward"]
        assert recording.agent is not None
        assert recording.agent.model == document["info"]["agent_info"]["llm"]
        assert recording.turns == sum(each["role"] == "user" and each["content"] is not None for each in said)
    assert len({recording.id for recording in recordings}) == len(recordings)


def _side(requestor):
    return {"assistant": "agent", "user": "user"}[requestor]


def test_every_result_stands_with_the_call_that_it_followed():
    """Ids come twice in a conversation there; the order in which τ-bench works tells the calls apart."""
    path = reference(f"data/{TAU[0]}")
    for run, recording in zip(json.loads(path.read_text("utf-8")), read(path), strict=True):
        followed = [
            (before["tool_calls"][0]["function"]["arguments"], after["content"])
            for before, after in zip(run["traj"], run["traj"][1:], strict=False)
            if after["role"] == "tool"
        ]
        assert [(call.raw, call.told) for call in recording.calls() if call.answered] == followed
