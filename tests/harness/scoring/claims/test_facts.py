from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.scoring.claims import facts
from harness.scoring.claims.facts import extract, key_of, plain
from tests.effort import growth, no_hang

EVIDENCE_ONLY = ("number", "time")


def read(text):
    """Kind and value of every fact of a text, bare numbers and times left out."""
    values = []
    for fact in extract(text):
        if fact.kind in ("amount", "percent", "duration", "count"):
            values.append((fact.kind, *sorted({fact.low, fact.high}), *filter(None, [fact.unit])))
        elif fact.kind == "id":
            values.append(("id", fact.key))
        elif fact.kind == "date":
            values.append(("date", *fact.days))
    return values


@pytest.mark.parametrize(
    ("text", "amount", "unit"),
    [
        ("$49.90", "49.90", "$"),
        ("49.90", "49.90", ""),
        ("49,90 €", "49.90", "€"),
        ("EUR 49", "49", "€"),
        ("US dollars: 1,166.98 dollars", "1166.98", "$"),
        ("1.234,50 €", "1234.50", "€"),
        ("£1,000", "1000", "£"),
        ("fifty dollars", "50", "$"),
        ("one hundred euros", "100", "€"),
        ("**$174**", "174", "$"),
        ("退款49.90元", "49.90", "¥"),
        ("¥300", "300", "¥"),
        ("CHF 12.50", "12.50", "chf"),
    ],
)
def test_amounts(text, amount, unit):
    assert read(text) == [("amount", Decimal(amount), *filter(None, [unit]))]


@pytest.mark.parametrize(
    ("text", "low", "high", "unit"),
    [
        ("30 days", 30, 30, "day"),
        ("a 30-day window", 30, 30, "day"),
        ("5-7 business days", 5, 7, "business day"),
        ("5 to 7 business days", 5, 7, "business day"),
        ("5–7 working days", 5, 7, "business day"),
        ("within two weeks", 14, 14, "day"),
        ("thirty (30) days", 30, 30, "day"),
        ("24 hours", 24, 24, "hour"),
        ("5.5 hours", Decimal("5.5"), Decimal("5.5"), "hour"),
        ("within a week", 7, 7, "day"),
        ("two years", 24, 24, "month"),
        ("twenty-one days", 21, 21, "day"),
        ("3 calendar days", 3, 3, "day"),
        ("three hours", 3, 3, "hour"),
        ("5-7 días hábiles", 5, 7, "business day"),
        ("5 a 7 días", 5, 7, "day"),
        ("2 meses", 2, 2, "month"),
        ("1 semana", 7, 7, "day"),
        ("送达后14天内退货", 14, 14, "day"),
        ("5至7个工作日", 5, 7, "business day"),
        ("3 个月", 3, 3, "month"),
    ],
)
def test_durations(text, low, high, unit):
    (fact,) = [fact for fact in extract(text) if fact.kind not in EVIDENCE_ONLY]
    assert (fact.kind, fact.low, fact.high, fact.unit) == ("duration", low, high, unit)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("2026-11-20", [(2026, 11, 20)]),
        ("2026-11-20T10:00:00+01:00", [(2026, 11, 20)]),
        ("November 20, 2026", [(2026, 11, 20)]),
        ("Nov 20th", [(0, 11, 20)]),
        ("20 November", [(0, 11, 20)]),
        ("the 3rd of May 2024", [(2024, 5, 3)]),
        ("03/04/2026", [(2026, 3, 4), (2026, 4, 3)]),
        ("20/11/2026", [(2026, 11, 20)]),
        ("20.11.2026", [(2026, 11, 20)]),
    ],
)
def test_dates(text, days):
    assert read(text) == [("date", *days)]


@pytest.mark.parametrize("text", ["2026-02-30", "February 30, 2026", "45/45/2026"])
def test_a_day_that_does_not_exist_is_no_date(text):
    assert not [fact for fact in extract(text) if fact.kind == "date"]


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("order O-1001", ["o1001"]),
        ("order #W1234567.", ["w1234567"]),
        ("flight HAT123", ["hat123"]),
        ("reservation 4WQ150", ["4wq150"]),
        ("gift_card_8516878", ["giftcard8516878"]),
        ("item 9534205511", ["9534205511"]),
        ("write to Ana@Example.com", ["anaexamplecom"]),
        ("call +49 30 123456 78", ["493012345678"]),
        ("call 1-800-555-0199", ["18005550199"]),
        ("(O-1001, O-2002)", ["o1001", "o2002"]),
    ],
)
def test_ids(text, keys):
    assert [fact.key for fact in extract(text) if fact.kind == "id"] == keys


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Hello! How can I help you today?",
        "16GB of memory, covid-19, the 3rd one, 2x faster",
        "1. Your name\n2. Your order",
        "at 14:30 or 2 PM",
        "https://example.com/order/O-1001?x=12345678",
        "Which one is it? Both options are fine.",
        "the last four digits",
        "May I ask why?",
        "12 Quay Street, 8000 Bruges",
        "11月20日",
        "\x00\x1b[31m",
    ],
)
def test_what_is_no_fact(text):
    assert read(text) == []


def test_counts_and_percentages():
    assert read("two items and 3 bags at 20% off, or ten percent") == [
        ("count", 2, "items"),
        ("count", 3, "bags"),
        ("percent", 20),
        ("percent", 10),
    ]


def test_what_follows_a_number_is_no_part_of_it():
    (fact,) = extract("It is 79.00 has it?")
    assert (fact.kind, fact.start, fact.end) == ("amount", 6, 11)


def test_facts_in_spanish_and_chinese_where_digits_tell():
    assert read("Le devuelvo 49,90 € del pedido O-1001 del 2026-11-12, un 10 %.") == [
        ("amount", Decimal("49.90"), "€"),
        ("id", "o1001"),
        ("date", (2026, 11, 12)),
        ("percent", 10),
    ]
    assert read("订单 O-1001 退款 49.90 元") == [("id", "o1001"), ("amount", Decimal("49.90"), "¥")]


@given(st.text(max_size=300))
def test_facts_lie_within_the_text_in_order_and_apart(text):
    facts = extract(text)
    assert len(plain(text)) == len(text)
    places = [0, *(place for fact in facts for place in (fact.start, fact.end)), len(text)]
    assert places == sorted(places)
    assert all(fact.start < fact.end for fact in facts)


WORDS = st.lists(st.sampled_from(["the", "refund", "of", "is", "for", "your", "order", "now"]), max_size=4).map(
    " ".join
)


@given(WORDS, WORDS, st.decimals("0.01", "999999.99", places=2), st.sampled_from(["${:,.2f}", "{:.2f} EUR", "{:,.2f}"]))
def test_a_written_amount_is_read_back(before, after, amount, form):
    text = f"{before} {form.format(amount)} {after}"
    assert amount in [fact.low for fact in extract(text) if fact.kind == "amount"]


@given(
    WORDS, WORDS, st.dates(date(1900, 1, 1), date(2099, 12, 31)), st.sampled_from(["%Y-%m-%d", "%B %d, %Y", "%d %b %Y"])
)
def test_a_written_date_is_read_back(before, after, day, form):
    text = f"{before} {day.strftime(form)} {after}"
    assert [(day.year, day.month, day.day)] == [d for fact in extract(text) if fact.kind == "date" for d in fact.days]


@given(st.integers(1, 90), st.integers(1, 30), st.sampled_from(["day", "business day"]))
def test_a_written_range_of_days_is_read_back(low, more, unit):
    (fact,) = extract(f"It takes {low}-{low + more} {unit}s.")
    assert (fact.low, fact.high, fact.unit) == (low, low + more, unit)


PIECES = (
    *("jan", "March", "of", "usd", "EUR", "元", "$", "€", "(", "+", "#", ".", ",", "-", "/", ":", "_", "\n", " ", "  "),
    *("5", "12", "2026", "12:30", "pm", "days", "%", "items", "W0012", "a@b.com", "http://a.b/1", "555-123-4567", "x"),
)


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_a_word_before_a_digit_is_passed_over_only_if_it_belongs_to_no_fact(text):
    quick = facts._find(text)
    with mock.patch.object(facts, "_LEAD", re.compile("")):
        assert facts._find(text) == quick


@given(st.text(alphabet="0123456789abcXYZ#-_", max_size=30))
def test_a_key_has_letters_and_digits_alone(text):
    assert key_of(text).isalnum() or not key_of(text)


@pytest.mark.parametrize(
    "unit",
    ["1", "a", "a-1", "$", "1,", "a@", "one ", "5 ", "+1 ", "http://", "1-", "#a_", "jan ", "\x00", "a" * 99 + "1 "],
)
def test_hostile_text_takes_linear_time(unit):
    def text(size):
        return (unit * size)[:size]

    assert growth(extract, text, 1000) < 1.1
    with no_hang():
        extract(text(200_000))
