from __future__ import annotations

import pytest

from harness.drafts.descriptions import example_of, first_sentence
from tools_sandbox.schema import FieldType, ToolSpec

TEXT = FieldType("text")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Look up a booking by its id, e.g. H-12.", "Look up a booking by its id, e.g. H-12"),
        ("Look up a booking by its id, e.g. H-12. Gives all of it.", "Look up a booking by its id, e.g. H-12"),
        ("Cancel a booking.\n\nArgs:\n    booking_id: its id", "Cancel a booking"),
        ("Rooms (i.e. Suites etc. Included) by no. 7. More.", "Rooms (i.e. Suites etc. Included) by no. 7"),
        ("Book before 9 a.m. Or later! Then pay.", "Book before 9 a.m. Or later"),
        ("Is it free? Yes or no.", "Is it free"),
        ("Costs 4.50 a night", "Costs 4.50 a night"),
        ("", ""),
    ],
)
def test_a_sentence_goes_on_behind_an_abbreviation(text, sentence):
    assert first_sentence(text) == sentence


def spec(description="", part=None, kind=TEXT, required=("booking_id",)):
    schema = {"required": list(required), "properties": {"booking_id": part or {}}}
    return ToolSpec("find", description, "reads", schema, {"booking_id": kind, "other": TEXT})


@pytest.mark.parametrize(
    ("tool", "example"),
    [
        (spec(part={"examples": ["H-12", "H-13"], "default": "H-1"}), "H-12"),
        (spec(part={"example": "H-12"}), "H-12"),
        (spec(part={"default": "H-1"}), "H-1"),
        (spec(part={"default": None, "description": "Its id, for example `H 12`."}), "H 12"),
        (spec(part={"description": "Its id (e.g. H-12)"}), "H-12"),
        (spec("Look up a booking by its id, e.g. H-12."), "H-12"),
        (spec("Look up a booking, such as H-12 or H-13"), "H-12"),
        (
            spec("Find it.\n\nArgs:\n    booking_id (str): its id, e.g. H-12\n", required=("booking_id", "other")),
            "H-12",
        ),
        (spec("Find it.\n:param booking_id: e.g. New York, or Rome"), "New York"),
        (spec("Write to them, e.g. ana.ruiz@example.com."), "ana.ruiz@example.com"),
        (spec("Find for a price, e.g. 49.90.", kind=FieldType("decimal")), "49.90"),
        (spec("Find for a price, e.g. cheap.", kind=FieldType("decimal")), None),
        (spec("Look up, e.g. H-12.", required=("booking_id", "other")), None),
        (spec("Look up a booking."), None),
        (spec(part={"default": {"a": 1}}), None),
    ],
)
def test_an_example_is_the_tools_own(tool, example):
    assert example_of(tool, "booking_id") == example
