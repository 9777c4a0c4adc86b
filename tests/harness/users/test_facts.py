"""Facts: how they are said, and when two of them are the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.users.facts import Template, same_fact
from harness.users.sayings import SAYINGS, sayings_in
from tests.harness.users.conversations import begun, readback, scenario, slot

VALUES = {
    "order_id": "O-1001",
    "email": "ana@example.com",
    "name": "Ana",
    "phone": "600 554 321",
    "address": "5 High Street",
    "postcode": "28013",
    "date": "2026-11-20",
    "item": "blender",
    "amount": "49.90",
    "reason": "it broke",
}


@pytest.mark.parametrize("language", ["en", "es", "zh"])
def test_every_usual_slot_has_a_way_of_saying_it(language):
    shop = begun(scenario(knows=VALUES, language=language))
    for name, value in VALUES.items():
        assert value in shop.says("?", asks=[slot(name)])


@pytest.mark.parametrize("language", ["en", "es", "zh"])
def test_every_usual_slot_can_be_lacking(language):
    shop = begun(scenario(knows=dict.fromkeys(VALUES), language=language))
    said = {shop.says("?", asks=[slot(name)]) for name in VALUES}
    assert len(said) == len(VALUES)


@pytest.mark.parametrize(
    ("fact", "said"),
    [
        ("user_id", "My user ID is M-1"),
        ("member_number", "My member number is M-1"),
        ("customer_id", "My customer ID is M-1"),
    ],
)
def test_who_the_user_is_goes_by_the_name_of_the_fact(fact, said):
    (ask,) = begun(scenario(knows={fact: "M-1"})).user.recognise(f"What is your {fact.replace('_', ' ')}?").asks
    assert begun(scenario(knows={fact: "M-1"})).says("?", asks=[ask]) == said
    lacking = begun(scenario(knows={fact: None})).says("?", asks=[ask])
    assert said.removeprefix("My ").removesuffix(" is M-1") in lacking


@pytest.mark.parametrize(
    ("language", "slices", "yes"),
    [
        ("es", {}, "Sí, por favor."),
        (None, {"language": "es-MX"}, "Sí, por favor."),
        (None, {"language": "zh_CN"}, "好的，可以。"),
        ("en", {"language": "zh"}, "Yes, please."),
        (None, {}, "Yes, please."),
        (None, {"language": "fi"}, "Yes, please."),
    ],
)
def test_the_language_is_the_users_else_the_slices(language, slices, yes):
    rest = {"language": language} if language else {}
    assert begun(scenario(slices=slices, **rest)).says("?", asks=[readback("order_id", "O-1001")]) is not None
    assert sayings_in(language or slices.get("language", "en")).yes == yes


def test_a_fact_of_no_usual_kind_is_said_by_its_name():
    assert begun(scenario(knows={"loyalty_tier": "gold"})).says("?", asks=[slot("loyalty_tier")]) == (
        "My loyalty tier is gold"
    )


def test_languages_have_the_same_facts():
    assert {frozenset(sayings.facts) for sayings in SAYINGS.values()} == {frozenset(SAYINGS["en"].facts)}


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("ana@example.com", "ana@example.com"),
        ("ANA@EXAMPLE.COM.", "ana@example.com"),
        ("a***@example.com", "ana@example.com"),
        ("o 1001", "O-1001"),
        ("#1001", "O-1001"),
        ("4321", "+34 600 554 321"),
        ("$49.90", "49.90"),
        ("49,90 €", "49.90"),
        ("49.9", "49.90"),
        ("Ana", "Ana García"),
        ("García", "Ana Garcia"),
        ("12 Main Street", "12 Main Street, Springfield"),
        ("November 20, 2026", "2026-11-20"),
        ("20 de noviembre", "2026-11-20"),
        ("11月20日", "2026-11-20"),
        ("your blender", "blender"),
    ],
)
def test_the_same_fact(said, fact):
    assert same_fact(said, fact)


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("anna@example.com", "ana@example.com"),
        ("b***@example.com", "ana@example.com"),
        ("O-1002", "O-1001"),
        ("R-1001", "O-1001"),
        ("9999", "+34 600 554 321"),
        ("$49.00", "49.90"),
        ("Anna", "Ana García"),
        ("November 21, 2026", "2026-11-20"),
        ("November 20, 2025", "2026-11-20"),
        ("", "x"),
        ("?", "x"),
        ("example.com", "ana@example.com"),
        ("the toaster", "blender"),
        ("***", "secret"),
    ],
)
def test_not_the_same_fact(said, fact):
    assert not same_fact(said, fact)


@given(st.text(max_size=60), st.dictionaries(st.text(max_size=5), st.none() | st.text(max_size=5), max_size=4))
def test_a_template_without_known_names_stays_as_it_is(text, knows):
    assert Template.of(text, []).filled(knows) == text


@given(st.text(alphabet="ab{} ", max_size=30))
def test_filling_in_replaces_exactly_the_known_name(text):
    assert Template.of(text, ["a"]).filled({"a": "{b}"}) == text.replace("{a}", "{b}")
