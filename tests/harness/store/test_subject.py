from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.store.subject import Subject


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("ana@example.com", "Write to ANA@Example.com."),
        ("ana@example.com", "ana @ example . com"),
        ("Ana Ruiz", "I am ana  ruiz"),
        ("Ana Ruiz", "ANA\n RUIZ,"),
        ("AnaRuiz", "Ana Ruiz"),
        ("Ana Ruiz", "AnaRuiz"),
        ("4111 1111 1111 1111", "card 4111111111111111"),
        ("4111111111111111", "4111 1111\t1111 1111"),
        ("José Núñez", "jose\u0301 nu\u0301n\u0303ez"),
        ("Straße 5", "STRASSE 5"),
        ("Ana", "\uff21\uff4e\uff41 \uff32\uff55\uff49\uff5a"),
        ("Ana", "A\u200bna"),
        ("王小明", "我叫王小明。"),
        ("O-1001", "order_O-1001!"),
        ("+34 600 123 123", "call +34600123123"),
    ],
)
def test_found_however_it_is_spelt(subject, text):
    assert Subject(subject).within(text)
    assert Subject(subject).within({"deep": [{"er": text}]})
    assert Subject(subject).within({text: 1})
    assert Subject(subject).within({"raw": json.dumps({"value": text})})


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("Ana", "Banana"),
        ("Ana", "Anabel"),
        ("O-1001", "O-10012"),
        ("600123123", "1600123123"),
        ("a.c", "abc"),
        ("ana@example.com", "ana@example.org"),
    ],
)
def test_what_only_looks_like_it_is_another(subject, text):
    assert not Subject(subject).within({"a": [text]})


def test_numbers_are_read_as_they_are_written():
    assert Subject("600123123").within({"phone": 600123123})
    assert not Subject("1").within({"flag": True})


@pytest.mark.parametrize("text", ["", "  ", "-", "\u200b", "@."])
def test_what_would_find_nothing_or_everything_is_refused(text):
    with pytest.raises(ValueError, match="no letter and no digit"):
        Subject(text)


@given(st.text(min_size=1).filter(lambda text: any(map(str.isalnum, text))), st.text(), st.text())
def test_it_finds_itself_between_any_other_words(subject, before, after):
    try:
        found = Subject(subject)
    except ValueError:
        return
    assert found.within(f"{before} | {subject} | {after}")
    assert found.within([before, f"| {' '.join(subject)} |"])
