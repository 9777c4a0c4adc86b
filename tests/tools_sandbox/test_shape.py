from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import Enum, IntEnum
from typing import Annotated, Any, Literal, NewType, NotRequired, Optional

import pytest
from pydantic import BaseModel, PositiveInt
from typing_extensions import TypedDict

from tools_sandbox import Row, SandboxProblem, private
from tools_sandbox.schema import ANY, FieldType
from tools_sandbox.shape import field_type, table_schema

TEXT = FieldType("text")


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Level(IntEnum):
    HIGH = 3


class Address(Row):
    town: str
    floor: int | None = None


class Tree(Row):
    name: str
    children: list["Tree"] = []


class Loose(BaseModel):
    a: int


class Leg(TypedDict):
    flight: str
    price: NotRequired[Decimal]
    next: NotRequired["Leg"]


@dataclass
class Point:
    x: int


CustomerId = NewType("CustomerId", str)


@pytest.mark.parametrize(
    ("hint", "expected"),
    [
        (str, TEXT),
        (int, FieldType("integer")),
        (bool, FieldType("boolean")),
        (float, FieldType("number")),
        (Decimal, FieldType("decimal")),
        (date, FieldType("date")),
        (datetime, FieldType("datetime")),
        (PositiveInt, FieldType("integer")),
        (CustomerId, TEXT),
        (Annotated[str, "note"], TEXT),
        (str | None, FieldType("text", nullable=True)),
        (Optional[Annotated[int, "note"]], FieldType("integer", nullable=True)),  # noqa: UP045
        (int | str, FieldType("any")),
        (Any, ANY),
        (Colour, FieldType("text", choices=("red", "blue"))),
        (Level, FieldType("integer")),
        (Literal["a", "b"], FieldType("text", choices=("a", "b"))),
        (Literal["a", None], FieldType("text", nullable=True, choices=("a",))),
        (Literal[1, 2], FieldType("integer")),
        (Literal["a", 1], FieldType("any")),
        (list[str], FieldType("list", of=TEXT)),
        (list, FieldType("list")),
        (set[Decimal], FieldType("list", of=FieldType("decimal"))),
        (Sequence[int], FieldType("list", of=FieldType("integer"))),
        (tuple[int, ...], FieldType("list", of=FieldType("integer"))),
        (tuple[int, str], FieldType("list")),
        (dict[str, int], FieldType("map", of=FieldType("integer"))),
        (dict, FieldType("map")),
        (Address, FieldType("record", fields={"town": TEXT, "floor": FieldType("integer", nullable=True)})),
        (bytes, ANY),
    ],
)
def test_annotations_become_field_types(hint, expected):
    assert field_type(hint) == expected


def test_a_model_within_itself_is_a_record_of_anything():
    assert field_type(Tree).fields["children"].of == FieldType("record")


def test_a_typed_dict_is_a_record_too_also_within_itself():
    leg = field_type(Leg)
    assert leg.name == "record"
    assert leg.fields == {"flight": TEXT, "price": FieldType("decimal"), "next": FieldType("record")}


class Account(Row):
    account_id: str
    email: Annotated[str, private(owner="account_id")]
    phone: Annotated[str, private(owner="account_id")] | None = None
    note: str = ""


def test_private_marks_and_the_account_that_they_agree_on():
    schema = table_schema(Account)
    assert {name: field.owner for name, field in schema.fields.items()} == {
        "account_id": None,
        "email": "account_id",
        "phone": "account_id",
        "note": None,
    }
    assert schema.account == "account_id"


def test_marks_that_disagree_name_no_account():
    class Transfer(Row):
        transfer_id: str
        sender: str
        receiver: str
        iban: Annotated[str, private(owner="sender")]
        memo: Annotated[str, private(owner="receiver")]

    assert table_schema(Transfer).account is None


def wrong_owner():
    class Order(Row):
        order_id: str
        email: Annotated[str, private(owner="custmer_id")]
        customer_id: str

    return Order


def loose_model():
    class Order(Row):
        order_id: str
        extras: dict[str, Loose] = {}

    return Order


def dataclass_inside():
    class Order(Row):
        order_id: str
        points: list[Point] = []

    return Order


def private_inside():
    class Order(Row):
        order_id: str
        account: Account | None = None

    return Order


def key_is_a_list():
    class Order(Row):
        lines: list[str]

    return Order


def no_fields():
    class Order(Row):
        pass

    return Order


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (wrong_owner, "names no field of it; did you mean `customer_id`"),
        (loose_model, "Order.extras: Loose can be changed in place; derive it from Row"),
        (dataclass_inside, "Order.points: Point can be changed in place"),
        (private_inside, "Account.email is marked private, but only a table's own fields can be"),
        (key_is_a_list, "the first field is the key, and a key is text"),
        (no_fields, "has no fields"),
    ],
)
def test_rows_that_cannot_be_honoured_are_refused(make, problem):
    with pytest.raises(SandboxProblem, match=problem):
        table_schema(make())
