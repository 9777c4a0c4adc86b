"""Stand-ins: made up, of the same shape, always the same."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stdnum import iban, luhn

from harness.replay.scrub.stand_ins import StandIns

HERE = StandIns(b"one key")
ELSEWHERE = StandIns(b"another key")


@pytest.mark.parametrize(
    ("kind", "value", "shape"),
    [
        ("email", "Ana.Garcia+shop@Example.com", r"[A-Z][a-z]{2}\.[A-Z][a-z]{5}\+[a-z]{4}@[a-z]{6}\.example"),
        ("phone", "+41 (0)69 979 80 58", r"\+41 \(0\)\d\d \d{3} \d\d \d\d"),
        ("card", "4111 1111 1111 1111", r"4\d{3} \d{4} \d{4} 1111"),
        ("iban", "DE89 3704 0044 0532 0130 00", r"DE\d\d \d{4} \d{4} \d{4} \d{4} \d\d"),
        ("name", "Ana María O'Neill", r"[A-Z][a-z]{2} [A-Z][a-z]{4} [A-Z][a-z]{2}'[A-Z][a-z]{4}"),
        ("name", "GARCÍA", r"[A-Z]{6}"),
        ("name", "李雷", r"\w+"),
        ("address", "12 Elm Street, Apt. 4B", r"\d\d [A-Z][a-z]{2} [A-Z][a-z]{5}, [A-Z][a-z]{2}\. \d[A-Z][a-z]*"),
        ("id", "X-1234567-b", r"[A-Z]-\d{7}-[a-z]"),
        ("birth date", "1984-02-29", r"\d{4}-\d\d-\d\d"),
    ],
)
def test_of_the_same_shape_and_always_the_same(kind, value, shape):
    made = HERE.of(kind, value)
    assert re.fullmatch(shape, made), made
    assert made != value
    assert StandIns(b"one key").of(kind, value) == made
    assert ELSEWHERE.of(kind, value) != made


def test_cards_and_ibans_pass_their_checks():
    assert luhn.is_valid(HERE.of("card", "378282246310005"))
    assert iban.is_valid(HERE.of("iban", "ES9121000418450200051332"), check_country=False)


@given(st.text("0123456789", min_size=12, max_size=19))
def test_any_card_passes_its_check(digits):
    made = HERE.of("card", digits)
    assert luhn.is_valid(made)
    assert (len(made), made[0], made[-4:]) == (len(digits), digits[0], digits[-4:])


def test_the_same_phone_written_in_other_ways_has_the_same_digits():
    forms = ["+1 (202) 555-0143", "202-555-0143", "2025550143", "1 202 555 0143"]
    digits = {re.sub(r"\D", "", HERE.of("phone", form))[-10:] for form in forms}
    assert len(digits) == 1
    assert digits != {"2025550143"}


def test_a_first_name_alone_is_what_it_is_in_the_whole_whatever_the_case():
    first, last = HERE.of("name", "Olivia Gonzalez").split()
    assert HERE.of("name", "Olivia") == first
    assert HERE.of("name", "GONZALEZ") == last.upper()
    assert HERE.of("name", "olivia gonzalez") == f"{first} {last}".lower()


def test_a_birth_date_is_a_day_and_what_is_none_has_no_stand_in():
    with pytest.raises(ValueError, match="isoformat"):
        HERE.of("birth date", "29 Feb")
    with pytest.raises(ValueError, match="no stand-in"):
        HERE.of("credential", "sk-abcdefgh12345678")
