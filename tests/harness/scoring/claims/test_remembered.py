"""What is read of a text's shape holds of every text of the shape."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.scoring.claims.acts import Acts
from harness.scoring.claims.deeds import claimed
from harness.scoring.claims.denials import denials
from harness.scoring.claims.facts import extract
from harness.scoring.claims.remembered import remembered_by, shape

ACTS = Acts.of([], {"paid", "shipped"})
PLACES = [(fact.kind, fact.start, fact.end) for fact in extract("Order W1001 costs $12.50 and takes 5 days.")]


def test_a_shape_has_zeros_for_digits_and_nothing_else_changed():
    assert shape("W123 für 4,50 € \ud83d ٣") == "W000 für 0,00 € \ud83d ٣"


def test_texts_of_one_shape_are_read_once():
    seen = []
    read = remembered_by(shape)(lambda text, ending: seen.append(text) or f"{text}{ending}")
    assert [read("a1", "!"), read("a2", "!"), read("a2", "?"), read("b2", "!")] == ["a0!", "a0!", "a0?", "b0!"]
    assert seen == ["a0", "a0", "b0"]


def test_long_texts_are_read_each_time():
    seen = []
    read = remembered_by(str)(seen.append)
    read("x" * 1000), read("x" * 1000), read("x" * 1001), read("x" * 1001)
    assert list(map(len, seen)) == [1000, 1001, 1001]


@given(st.from_regex(r"[1-9]{4}", fullmatch=True), st.from_regex(r"[1-9]{2}", fullmatch=True))
def test_claims_and_facts_of_other_numbers_stand_where_they_did(order, cents):
    text = f"Order W{order} costs $12.{cents} and takes 5 days."
    assert [(fact.kind, fact.start, fact.end) for fact in extract(text)] == PLACES
    assert extract(text)[0].key == f"w{order}"


@given(st.from_regex(r"[1-9]{4}", fullmatch=True))
def test_deeds_and_denials_stand_where_they_do_in_the_shape(digits):
    text = f"I have cancelled order {digits}. But I could not cancel order {digits}."
    for read in (claimed, denials):
        found, in_shape = (
            [(said.act, said.start, said.end) for said in read(one, ACTS)] for one in (text, shape(text))
        )
        assert found == in_shape != []


@pytest.mark.parametrize(("text", "shifted"), [("Lands at 00:30+1.", "+1"), ("Lands at 00:30+2.", "12")])
def test_a_time_on_the_next_day_is_told_by_its_digit(text, shifted):
    assert [fact.unit for fact in extract(text) if fact.kind == "time"] == [shifted]
