import copy
import json
import pickle
from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated

import pytest
from pydantic import ValidationError, with_config
from typing_extensions import TypedDict

from tests.tools_sandbox.shop import Item, Order
from tools_sandbox import Row, Sandbox, StartState, Table, as_written, tool, writes
from tools_sandbox.rows import free_row


class Box(Row):
    box_id: str
    parts: list[dict[str, list[int]]] = []
    labels: set[str] = set()
    pair: tuple[list[int], int] = ([], 0)
    inner: Item | None = None


@pytest.fixture
def box():
    return Box(box_id="B-1", parts=[{"a": [1]}], labels={"x"}, pair=([1], 2), inner=Item(sku="S"))


@pytest.mark.parametrize(
    "change",
    [
        lambda box: setattr(box, "box_id", "B-2"),
        lambda box: setattr(box.inner, "sku", "T"),
        lambda box: box.parts.append({}),
        lambda box: box.parts[0].update(b=[1]),
        lambda box: box.parts[0]["a"].append(2),
        lambda box: box.parts[0]["a"].__iadd__([2]),
        lambda box: box.parts.__setitem__(0, {}),
        lambda box: box.parts[0].__delitem__("a"),
        lambda box: box.parts[0].setdefault("b", []),
        lambda box: box.parts.sort(key=str),
        lambda box: box.parts.clear(),
        lambda box: box.labels.add("y"),
        lambda box: box.pair[0].append(1),
    ],
)
def test_nothing_in_a_row_can_be_changed_however_deep(box, change):
    before = box.model_dump()
    with pytest.raises((TypeError, ValidationError, AttributeError)):
        change(box)
    assert box.model_dump() == before


def test_the_error_says_what_to_do_instead(box):
    with pytest.raises(TypeError, match=r"shared by all episodes.*self\.orders\.update"):
        box.parts.append({})


def test_defaults_are_frozen_too():
    with pytest.raises(TypeError, match="shared"):
        Box(box_id="B-1").parts.append({})


def test_frozen_lists_and_dicts_are_lists_and_dicts(box):
    assert box.parts == [{"a": [1]}]
    assert json.dumps(box.parts) == '[{"a": [1]}]'
    assert [*box.parts, {}] == [{"a": [1]}, {}]
    assert Box(box_id="B-2", parts=box.parts).parts == box.parts


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))])
def test_copies_of_frozen_containers_may_be_changed(box, duplicate):
    parts = duplicate(box.parts)
    parts.append({})
    assert len(box.parts) == 1


def test_unknown_fields_are_refused_and_numbers_are_text_where_text_is_declared():
    with pytest.raises(ValidationError, match="Extra inputs"):
        Item(sku="S", quantity=1)
    assert Item(sku=123).sku == "123"
    assert Item(sku=Decimal("1.50")).sku == "1.50"


def test_a_copy_with_changes_is_validated_and_frozen(box):
    changed = box.model_copy(update={"parts": [{"b": [2]}]})
    assert changed.parts == [{"b": [2]}]
    with pytest.raises(TypeError, match="shared"):
        changed.parts.append({})
    with pytest.raises(ValidationError):
        box.model_copy(update={"parts": "x"})


def test_free_rows_hold_plain_frozen_json():
    row = free_row({"total": Decimal("49.90"), "lines": [{"n": 1}]})
    assert row == {"total": 49.9, "lines": [{"n": 1}]}
    with pytest.raises(TypeError, match="shared"):
        row["lines"][0]["n"] = 2


def test_rows_keep_exact_decimals():
    order = Order(order_id="O-1", customer_id="C-1", status="placed", total="49.90")
    assert str(order.total) == "49.90"


@with_config(extra="ignore")
class Passenger(TypedDict):
    name: str
    age: int


class Trip(Row):
    trip_id: str
    passengers: list[Annotated[Passenger, as_written]]


class Agency(Sandbox):
    trips: Table[Trip]

    @tool(writes)
    def book(self, passengers: list[Annotated[Passenger, as_written]]) -> Trip:
        """Book a trip."""
        return self.trips.insert(Trip(trip_id="T-1", passengers=passengers))


def test_a_record_as_written_is_handed_on_in_its_own_order_and_with_members_that_nobody_asked_for():
    agency = StartState.of(Agency).open({}, datetime(2026, 1, 1, tzinfo=UTC))
    call = agency.call("book", '{"passengers": [{"seat": "aisle", "age": 7, "name": "Ana"}]}', turn=1)
    assert json.dumps(call.result["passengers"]) == '[{"seat": "aisle", "age": 7, "name": "Ana"}]'
    assert json.dumps(agency.value("trips.T-1.passengers")) == json.dumps(call.result["passengers"])


def test_a_record_as_written_is_checked_all_the_same():
    agency = StartState.of(Agency).open({}, datetime(2026, 1, 1, tzinfo=UTC))
    call = agency.call("book", {"passengers": [{"name": "Ana", "age": "seven"}, {"age": 7}]}, turn=1)
    assert call.error.kind == "bad_arguments"
    assert "passengers.0.age" in call.error.text
    assert "passengers.1.name: missing" in call.error.text
    (spec,) = StartState.of(Agency).tools
    record = spec.parameters["$defs"]["Passenger"]
    assert record["required"] == ["name", "age"]
    assert spec.arguments["passengers"].of.fields["age"].name == "integer"
    with pytest.raises(ValidationError):
        Trip(trip_id="T-1", passengers=[{"name": "Ana"}])
