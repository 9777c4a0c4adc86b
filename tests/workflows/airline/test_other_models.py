"""The runs of other models on τ²-bench's airline: the same texts, the published end states and rewards."""

from __future__ import annotations

import json

import pytest

from tests.reference import reference
from tests.workflows.airline.airline import end_state, opened, says_all, told

START = {
    "systems.airline.edition": "tau2",
    "flights.HAT018.dates.2024-05-11": {
        "status": "delayed",
        "estimated_departure_time_est": "2024-05-11T16:30:00",
        "estimated_arrival_time_est": "2024-05-11T19:05:00",
        "actual_departure_time_est": None,
        "actual_arrival_time_est": None,
    },
    "reservations.Z7GOZK": {"destination": "IAH", "flight_type": "round_trip"},
}
"""The edition, and the rows in which the two databases differ."""


@pytest.fixture(scope="module")
def runs():
    """Agent, the task as it stood, and the simulation, of every run."""
    found = []
    for file in sorted(reference("data/tau2_airline_runs").glob("*.json")):
        read = json.loads(file.read_bytes())
        tasks = {task["id"]: task for task in read["tasks"]}
        agent = read["info"]["agent_info"]["llm"]
        found += [(agent, tasks[each["task_id"]], each) for each in read["simulations"]]
    return found


def calls(simulation):
    """Tool, arguments and the text that came back, of every call. One run has an id twice: results come in order."""
    results: dict[str, list[str]] = {}
    for each in simulation["messages"]:
        if each["role"] == "tool":
            results.setdefault(each["id"], []).append(each["content"])
    for message in simulation["messages"]:
        for call in message.get("tool_calls") or []:
            yield call["name"], call["arguments"], results[call["id"]].pop(0)


def test_every_run_has_its_published_end_state_and_reward(runs):
    for agent, task, simulation in runs:
        airline, right = opened(START), opened(START)
        for tool, arguments, _ in calls(simulation):
            airline.call(tool, arguments, turn=1)
        criteria = task["evaluation_criteria"]
        for action in criteria["actions"] or []:
            right.call(action["name"], action["arguments"], turn=1)
        same = end_state(airline) == end_state(right)
        checked = simulation["reward_info"]
        if checked["db_check"] is not None:
            assert same == checked["db_check"]["db_match"], (agent, task["id"])
        ended = simulation["termination_reason"] in ("user_stop", "agent_stop")
        said = [each["content"] for each in simulation["messages"] if each["role"] == "assistant" and each["content"]]
        reward = float(ended and same and says_all(said, criteria["communicate_info"] or []))
        assert reward == checked["reward"], (agent, task["id"])
    assert runs


def test_every_recorded_call_gives_the_recorded_text(runs):
    for agent, task, simulation in runs:
        airline = opened(START)
        for tool, arguments, recorded in calls(simulation):
            # Of malformed arguments we speak in our own words.
            if " validation error" not in recorded:
                assert told(airline, tool, arguments) == recorded, (agent, task["id"], tool, arguments)
