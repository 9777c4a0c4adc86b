from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Literal

import jsonschema
import pytest

from tools_sandbox import Row, SandboxProblem
from tools_sandbox.arguments import Arguments, BadArguments, signature_of
from tools_sandbox.docstring import read_docstring
from tools_sandbox.schema import FieldType


class Colour(Enum):
    RED = "red"


class Address(Row):
    town: str
    zip: str


def everything(
    self,
    text: str,
    count: int,
    share: float,
    amount: Decimal,
    sure: bool,
    day: date,
    at: datetime,
    colour: Colour,
    way: Literal["card", "credit"],
    lines: list[str],
    extra: dict[str, int],
    address: Address,
    note: str | None = None,
    copy: int = 2,
):
    """Do it.

    Args:
        text: What to say.
        note: Only if asked.
    """


@pytest.fixture(scope="module")
def arguments():
    _, about = read_docstring(everything.__doc__)
    return Arguments("everything", signature_of(everything, about))


SENT = {
    "text": "a",
    "count": 1,
    "share": 0.5,
    "amount": 49.9,
    "sure": True,
    "day": "2026-11-20",
    "at": "2026-11-20T10:00:00Z",
    "colour": "red",
    "way": "card",
    "lines": ["a"],
    "extra": {"a": 1},
    "address": {"town": "Ghent", "zip": "9000"},
}


def test_every_supported_type_is_read(arguments):
    read = arguments.read(SENT)
    assert read["amount"] == Decimal("49.9")
    assert read["day"] == date(2026, 11, 20)
    assert read["at"].utcoffset() is not None
    assert read["colour"] is Colour.RED
    assert read["address"] == Address(town="Ghent", zip="9000")
    assert read["lines"] == ["a"]
    assert "note" not in read
    assert "copy" not in read


def test_the_json_schema_says_types_defaults_and_descriptions(arguments):
    schema = arguments.parameters
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(SENT, schema)
    assert schema["additionalProperties"] is False
    assert "note" not in schema["required"]
    assert "copy" not in schema["required"]
    assert schema["properties"]["text"] == {"description": "What to say.", "type": "string"}
    assert schema["properties"]["copy"] == {"default": 2, "type": "integer"}
    assert schema["properties"]["note"]["description"] == "Only if asked."
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**SENT, "more": 1}, schema)


def test_types_to_compare_by(arguments):
    assert arguments.types["amount"] == FieldType("decimal")
    assert arguments.types["note"] == FieldType("text", nullable=True)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"text": None}, "text: input should be a valid string, got null"),
        ({"text": 5}, "text: input should be a valid string, got 5"),
        ({"amount": "much"}, 'amount: input should be a valid decimal, got "much"'),
        ({"way": "cash"}, "way: input should be 'card' or 'credit', got \"cash\""),
        ({"address": {"town": "Ghent"}}, "address.zip: missing"),
        ({"adress": 1}, "adress: no such argument; did you mean `address`?"),
    ],
)
def test_what_cannot_be_read_is_said_in_the_agents_terms(arguments, change, problem):
    with pytest.raises(BadArguments) as caught:
        arguments.read({**SENT, **change})
    assert str(caught.value) == problem


def test_no_arguments_at_all():
    assert Arguments("ping", []).parameters == {"properties": {}, "additionalProperties": False, "type": "object"}


def untyped(self, order_id):
    """Untyped."""


def spread(self, *orders: str):
    """Spread."""


def unknown(self, order_id: "Nowhere"):  # noqa: F821
    """A type that is not there."""


def described(self, order_id: str):
    """Described.

    Args:
        ordr_id: Misspelt.
    """


def unwritable(self, run: type):
    """No JSON form."""


@pytest.mark.parametrize(
    ("method", "problem"),
    [
        (untyped, "untyped: `order_id` has no type hint"),
        (spread, r"spread: an agent passes arguments by name, so `\*orders: str` can't be filled"),
        (unknown, "unknown: a type hint names `Nowhere`"),
        (described, "the docstring describes `ordr_id`, which is no argument; did you mean `order_id`"),
        (unwritable, "unwritable: its arguments have no JSON form"),
    ],
)
def test_a_signature_that_no_agent_could_call_is_refused(method, problem):
    with pytest.raises(SandboxProblem, match=problem):
        Arguments(method.__name__, signature_of(method, read_docstring(method.__doc__)[1]))
