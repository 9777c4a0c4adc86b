from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from tests.tools_sandbox.shop import Item, Order
from tools_sandbox.call import Change
from tools_sandbox.rows import free_row
from tools_sandbox.shared import SharedRows
from tools_sandbox.table import Journal, Table


def order(number, **fields):
    return Order(
        **{"order_id": f"O-{number}", "customer_id": "C-1", "status": "placed", "total": Decimal(number), **fields}
    )


@pytest.fixture
def journal():
    journal = Journal()
    journal.begin(writes=True)
    return journal


@pytest.fixture
def rows():
    return SharedRows({f"O-{number}": order(number) for number in (1, 2, 3)})


@pytest.fixture
def table(rows, journal):
    return Table("orders", Order, rows, {}, journal)


def test_a_table_is_a_mapping_of_shared_rows(table, rows):
    assert list(table) == ["O-1", "O-2", "O-3"]
    assert len(table) == 3
    assert table["O-1"] is rows["O-1"]
    assert table.get("O-9") is None
    assert "O-1" in table
    assert "O-9" not in table
    assert 1 not in table
    with pytest.raises(KeyError, match="O-9"):
        table["O-9"]


def test_a_write_copies_one_row_and_leaves_the_shared_ones(table, rows):
    before = dict(rows)
    table.update("O-1", status="refunded")
    table.insert(order(4))
    table.delete("O-2")
    assert [(key, row.status) for key, row in table.items()] == [
        ("O-1", "refunded"),
        ("O-3", "placed"),
        ("O-4", "placed"),
    ]
    assert len(table) == 3
    assert table["O-3"] is rows["O-3"]
    assert dict(rows) == before
    assert rows["O-1"].status == "placed"


def test_changes_are_the_difference_from_the_start(table):
    table.update("O-1", status="refunded")
    table.update("O-1", status="placed")
    table.insert(order(4))
    table.delete("O-4")
    table.delete("O-2")
    (change,) = table.changes()
    assert (change.table, change.key, change.after) == ("orders", "O-2", None)
    assert change.before["total"] == "2"


def test_what_is_given_belongs_to_the_start(rows, journal):
    table = Table("orders", Order, rows, {"O-1": order(1, status="delivered"), "O-2": None, "O-5": order(5)}, journal)
    assert list(table) == ["O-1", "O-3", "O-5"]
    assert list(table.changes()) == []
    table.update("O-1", status="refunded")
    (change,) = table.changes()
    assert (change.before["status"], change.after["status"]) == ("delivered", "refunded")
    assert change.fields == ("status",)


def test_a_row_is_found_by_its_values_in_the_order_of_the_table(table):
    table.update("O-1", status="refunded")
    table.update("O-1", status="placed")
    table.insert(order(4))
    table.delete("O-2")
    assert [row.order_id for row in table.where(status="placed")] == ["O-1", "O-3", "O-4"]
    assert [row.order_id for row in table.where(status="placed", total=3)] == ["O-3"]
    assert table.where(status="refunded") == []
    assert len(table.where()) == 3


def test_a_row_is_found_by_a_list_too(table):
    table.update("O-3", items=[Item(sku="S")])
    assert [row.order_id for row in table.where(items=[Item(sku="S")])] == ["O-3"]
    assert [row.order_id for row in table.where(status=["placed"])] == []


def test_a_field_that_rows_lack_is_named(table):
    with pytest.raises(TypeError, match="did you mean `status`"):
        table.where(statsu="placed")


@pytest.mark.parametrize(
    ("write", "problem"),
    [
        (lambda table: table.insert(order(1)), KeyError),
        (lambda table: table.insert(Item(sku="S")), TypeError),
        (lambda table: table.update("O-9", status="placed"), KeyError),
        (lambda table: table.update("O-1", status="lost"), ValidationError),
        (lambda table: table.update("O-1", stauts="placed"), ValidationError),
        (lambda table: table.update("O-1", order_id="O-9"), ValueError),
        (lambda table: table.delete("O-9"), KeyError),
    ],
)
def test_a_write_that_cannot_be_meant_raises_and_changes_nothing(table, write, problem):
    with pytest.raises(problem):
        write(table)
    assert list(table.changes()) == []


def test_nothing_changes_unless_a_tool_that_writes_runs(table, journal):
    journal.close()
    with pytest.raises(TypeError, match="orders can only be changed by a tool marked `writes`"):
        table.delete("O-1")
    journal.begin(writes=False)
    with pytest.raises(TypeError, match="marked `writes`"):
        table.update("O-1", status="refunded")
    assert len(table) == 3


def test_a_call_is_taken_back_whole(table, journal):
    table.update("O-1", status="refunded")
    journal.begin(writes=True)
    table.update("O-1", status="delivered")
    table.update("O-1", status="placed")
    table.delete("O-2")
    table.insert(order(4))
    assert [change.key for change in journal.changes()] == ["O-1", "O-2", "O-4"]
    journal.roll_back()
    assert {key: row.status for key, row in table.items()} == {"O-1": "refunded", "O-2": "placed", "O-3": "placed"}


def test_the_changes_of_one_call_start_where_the_call_did(table, journal):
    table.update("O-1", status="delivered")
    journal.begin(writes=True)
    table.update("O-1", status="refunded")
    table.insert(order(4))
    first, second = journal.changes()
    assert (first.before["status"], first.after["status"]) == ("delivered", "refunded")
    assert second == Change("orders", "O-4", None, second.after)


def test_free_rows(journal):
    table = Table("notes", None, SharedRows({"N-1": free_row({"text": "a"})}), {}, journal)
    table.update("N-1", seen=True)
    table.put("N-2", {"text": "a", "lines": [1]})
    assert table.where(text="a", seen=None) == [{"text": "a", "lines": [1]}]
    with pytest.raises(TypeError, match="notes takes rows of JSON"):
        table.insert({"text": "b"})


STEPS = st.lists(
    st.tuples(st.sampled_from(["update", "delete", "put"]), st.integers(1, 6), st.integers(0, 9)), max_size=12
)


@given(STEPS, STEPS)
def test_a_table_behaves_like_a_dict_and_rolls_back_like_a_copy(kept, undone):
    journal = Journal()
    rows = SharedRows({f"O-{number}": order(number) for number in (1, 2, 3)})
    table, model = Table("orders", Order, rows, {}, journal), dict(rows)

    def play(steps):
        for action, number, total in steps:
            key = f"O-{number}"
            if action == "put":
                model[key] = table.put(key, order(number, total=Decimal(total)).__dict__)
            elif key in model and action == "update":
                model[key] = table.update(key, total=Decimal(total))
            elif key in model:
                table.delete(key)
                del model[key]

    journal.begin(writes=True)
    play(kept)
    assert dict(table) == model
    assert len(table) == len(model)
    before = dict(model)
    changes = list(table.changes())
    journal.begin(writes=True)
    play(undone)
    assert {row.order_id for row in table.where(total=5)} == {key for key, row in model.items() if row.total == 5}
    journal.roll_back()
    assert dict(table) == before
    assert list(table.changes()) == changes
