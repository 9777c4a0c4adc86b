"""The runs of other models on τ²-bench's airline: the end states and rewards that were published.

That airline differs in form, and in a few rows and rules; what is read over here before it is compared is what the
README of the workflow names.
"""

from __future__ import annotations

import json

import pytest

from tests.reference import reference
from tests.workflows.airline.airline import end_state, opened, says_all, told

START = {
    "flights.HAT018.dates.2024-05-11": {
        "status": "delayed",
        "estimated_departure_time_est": "2024-05-11T16:30:00",
        "estimated_arrival_time_est": "2024-05-11T19:05:00",
        "actual_departure_time_est": None,
        "actual_arrival_time_est": None,
    },
    "reservations.Z7GOZK": {"destination": "IAH", "flight_type": "round_trip"},
}
"""The rows in which the two databases differ."""
DOUBLED = ("openai/gpt-oss-120b", "19")
"""Of this run one recorded reply shows a cancellation that was carried out twice, though it was asked for once."""


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
    results = {each["id"]: each["content"] for each in simulation["messages"] if each["role"] == "tool"}
    for message in simulation["messages"]:
        for call in message.get("tool_calls") or []:
            yield call["name"], call["arguments"], results[call["id"]]


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


def test_every_result_says_the_same_in_the_other_form(runs):
    for agent, task, simulation in runs:
        airline = opened(START)
        for tool, arguments, recorded in calls(simulation):
            ours, theirs = (in_one_form(tool, text) for text in (told(airline, tool, arguments), recorded))
            if (agent, task["id"], tool) != (*DOUBLED, "cancel_reservation"):
                assert ours == theirs, (agent, task["id"], tool, arguments)


def in_one_form(tool, text):
    try:
        value = json.loads(text)
    except ValueError:
        return "refused" if text.startswith(("Error: ", "arguments of ")) else text
    if tool == "get_user_details":
        value.pop("user_id", None)
        value["address"] = {"province" if key == "state" else key: each for key, each in value["address"].items()}
    if isinstance(value, dict) and "reservation_id" in value:
        value.pop("cabin")
        known = {"flights": ("flight_number", "origin", "destination", "date", "price")}
        known["passengers"] = ("first_name", "last_name", "dob")
        for name, members in known.items():
            value[name] = [{member: each[member] for member in members} for each in value[name]]
    if tool == "search_onestop_flight":
        for first, second in value:
            if first["date"] != second["date"]:
                second.pop("available_seats"), second.pop("prices")
    return without_nulls(value)


def without_nulls(value):
    if isinstance(value, dict):
        return {key: without_nulls(each) for key, each in value.items() if each is not None}
    return [without_nulls(each) for each in value] if isinstance(value, list) else value
