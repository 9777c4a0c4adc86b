"""Recorded customer-service conversations: nothing that a tool told of its customer remains."""

from __future__ import annotations

import json
import re
from dataclasses import asdict

import pytest

from harness.replay.recordings.reading import read
from harness.replay.scrub.scrubber import Scrubber
from tests.reference import reference

TELLS = ("get_user_details", "get_customer_by_phone")


def people(recording):
    for call in recording.calls():
        if call.tool in TELLS and isinstance(call.result, dict):
            name, address = call.result.get("name"), call.result.get("address") or {}
            yield from name.values() if isinstance(name, dict) else ()
            yield from (call.result[field] for field in ("email", "user_id", "phone_number") if field in call.result)
            yield from (text for field, text in address.items() if field.startswith(("address", "zip", "street")))


@pytest.mark.parametrize(
    ("file", "at_least"),
    [
        ("data/tau1_airline_gpt4o/trajectories.json", 400),
        ("data/tau2_retail_runs/gpt-4.1.json", 100),
        ("data/tau2_telecom_runs/gpt-4.1.json", 10),
    ],
)
def test_nothing_of_them_remains_and_nothing_is_lost(file, at_least):
    scrubber, told = Scrubber(b"a key"), 0
    for recording in read(reference(file)):
        done = scrubber.scrub(recording)
        text = json.dumps(asdict(done), ensure_ascii=False)
        for value in people(recording):
            told += 1
            assert re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text) is None, value
        assert [(call.id, call.tool, call.answered, call.flaw is None) for call in done.calls()] == [
            (call.id, call.tool, call.answered, call.flaw is None) for call in recording.calls()
        ]
        assert [message.role for message in done.messages] == [message.role for message in recording.messages]
    assert told > at_least
