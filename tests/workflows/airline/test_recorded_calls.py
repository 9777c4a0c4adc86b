"""Every recorded call of the τ-bench airline, run again: the same texts to the byte, the published rewards."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from statistics import fmean

import pytest

from harness.gates.statistics import pass_hat
from tests.reference import reference
from tests.workflows.airline.airline import end_state, opened, says_all, told


@pytest.fixture(scope="module")
def published():
    return json.loads(reference("data/tau1_airline_gpt4o/trajectories.json").read_bytes())


def recorded_calls(conversation):
    """Tool, raw arguments and the text that came back, of each message's first call: only that one was executed."""
    messages = conversation["traj"]
    for at, message in enumerate(messages):
        if message.get("tool_calls"):
            asked = message["tool_calls"][0]["function"]
            assert messages[at + 1]["role"] == "tool"
            yield asked["name"], asked["arguments"], messages[at + 1]["content"]


def reward(conversation):
    """1 if the end state is that of the task's actions on a fresh airline, and all outputs were said."""
    agents, right = opened(), opened()
    for tool, arguments, _ in recorded_calls(conversation):
        agents.call(tool, arguments, turn=1)
    task = conversation["info"]["task"]
    for action in task["actions"]:
        right.call(action["name"], action["kwargs"], turn=1)
    ended = bool(conversation["info"]["reward_info"])
    replies = [each["content"] for each in conversation["traj"] if each["role"] == "assistant" and each["content"]]
    return float(ended and end_state(agents) == end_state(right) and says_all(replies, task["outputs"]))


def test_every_recorded_call_gives_the_recorded_text(published):
    tried = Counter()
    for conversation in published:
        airline = opened()
        for tool, arguments, recorded in recorded_calls(conversation):
            text = told(airline, tool, arguments)
            assert text == recorded, (conversation["task_id"], conversation["trial"], tool, arguments)
            tried[tool] += 1
    assert tried.total() == sum(each["role"] == "tool" for run in published for each in run["traj"])
    assert tried.total() > 400


def test_every_run_earns_its_published_reward(published):
    for conversation in published:
        assert reward(conversation) == conversation["reward"], (conversation["task_id"], conversation["trial"])


def test_pass_hat_over_the_four_trials_is_that_of_the_published_rewards(published):
    earned: dict[int, list[float]] = {}
    said: dict[int, list[float]] = {}
    for conversation in published:
        earned.setdefault(conversation["task_id"], []).append(reward(conversation))
        said.setdefault(conversation["task_id"], []).append(conversation["reward"])
    tallies = [(int(sum(rewards)), len(rewards)) for rewards in earned.values()]
    for k in (1, 2, 3, 4):
        # By its definition: the share of all draws of k trials that all pass, averaged over tasks.
        drawn = [fmean(min(draw) for draw in combinations(rewards, k)) for rewards in said.values()]
        assert float(pass_hat(k, tallies)) == pytest.approx(fmean(drawn))
