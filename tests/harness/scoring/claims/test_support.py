from __future__ import annotations

import pytest

from harness.scoring.claims.evidence import Evidence, Sight
from harness.scoring.claims.facts import extract
from harness.scoring.claims.support import example, unsupported

ORDER = {
    "order_id": "O-1001",
    "total": "49.90",
    "delivered_on": "2026-11-12",
    "items": [{"sku": "B-1", "price": "19.90"}, {"sku": "B-2", "price": "30.00"}],
    "shipping": {"price": 4.5},
    "window_days": 30,
    "restocking_rate": 0.15,
    "card": "card_4421486",
}
POLICY = "Refunds reach the card in 5-7 business days. We take 20% off. Gifts: fifty dollars. Ask within two weeks."


def wrong(reply, *seen):
    evidence = Evidence()
    evidence.add(Sight("2026-11-20T10:00:00+01:00"))
    for value in seen or (ORDER, POLICY):
        evidence.add(Sight(value))
    return [reply[fact.start : fact.end] for fact in unsupported(reply, extract(reply), evidence)]


@pytest.mark.parametrize(
    "reply",
    [
        "Your order O-1001 of 49.90",
        "order o1001 of $49.9, that is 49,90 €",
        "5-7 business days, 5 to 7 working days, up to 7 business days",
        "20% off, twenty percent off",
        "a gift of $50",
        "14 days, 2 weeks",
        "30 days",
        "15%",
        "card ending in 4421486",
        "delivered on November 12, 2026, 12 November, 12/11/2026, 12.11.2026",
        "today is 2026-11-20",
        "both items, 2 items",
    ],
)
def test_a_fact_is_supported_however_it_is_written(reply):
    assert wrong(reply) == []


@pytest.mark.parametrize(
    ("reply", "fact"),
    [
        ("a refund of 59.90", "59.90"),
        ("order O-1002", "O-1002"),
        ("order O-10", "O-10"),
        ("within 60 days", "60 days"),
        ("in 3-5 business days", "3-5 business days"),
        ("5-7 days", "5-7 days"),
        ("25% off", "25%"),
        ("delivered on November 13, 2026", "November 13, 2026"),
        ("delivered on 2025-11-12", "2025-11-12"),
        ("5 items", "5 items"),
        ("card ending in 4421487", "4421487"),
    ],
)
def test_a_wrong_fact_is_not(reply, fact):
    assert wrong(reply) == [fact]


@pytest.mark.parametrize(
    "reply",
    [
        "19.90 and 4.50 make 24.40",
        "49.90 less 4.50 is 45.40",
        "2 of them are 99.80",
        "all items together: 49.90",
        "10.10 is what is left: 30.00 less 19.90",
        "20% of 49.90 is 9.98, so you pay 39.92",
        "about $50",
        "delivered 8 days ago",
        "you may return it until December 12",
        "you will see it by November 27",
    ],
)
def test_a_fact_that_follows_from_others_is_supported(reply):
    assert wrong(reply) == []


def test_a_currency_that_was_never_named_is_wrong_where_another_was():
    assert wrong("€49.90", "It costs $49.90.") == ["€49.90"]
    assert wrong("€49.90", {"total": "49.90"}) == []


def test_without_any_evidence_every_fact_is_open():
    evidence = Evidence()
    reply = "$49.90 within 30 days for O-1001"
    assert len(unsupported(reply, extract(reply), evidence)) == 3
    assert unsupported("Hello!", extract("Hello!"), evidence) == []


def test_a_value_is_not_found_inside_a_longer_one():
    assert wrong("9.90", "149.90") == ["9.90"]
    assert wrong("O-100", {"id": "O-1001"}) == ["O-100"]
    assert wrong("1,234.50", "1,234.50") == []


def test_an_example_is_no_claim():
    text = "Please tell me your order number (e.g. #W1234567)."
    (fact,) = extract(text)
    assert example(text, fact)
    text = "Your order number is #W1234567."
    (fact,) = extract(text)
    assert not example(text, fact)


def test_values_beyond_all_use_are_read_without_harm():
    huge = {
        "n": "9" * 400,
        "e": "1e999999",
        "nan": "NaN",
        "inf": float("inf"),
        "rate": 1e14,
        "flag": True,
        "none": None,
    }
    assert wrong("$12.34", huge) == ["$12.34"]
    assert wrong("in 3 days", {"on": "9999-12-31", "days": 99999999}) == ["3 days"]


def test_times_of_day_give_the_hours_between_them():
    assert wrong("It takes 2.5 hours.", {"departs": "10:00", "arrives": "12:30"}) == []
    assert wrong("It takes 4 hours.", {"departs": "10:00", "arrives": "12:30"}) == ["4 hours"]
    assert wrong("48 hours", "two days") == []
