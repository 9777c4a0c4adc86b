"""Personal data that shows by its own form."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.replay.scrub.text import found_in
from tests.reference import reference


def found(text):
    return [(each.kind, text[each.start : each.end]) for each in found_in(text)]


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("Write to ana.garcia+shop@mail.example.co.uk.", "email", "ana.garcia+shop@mail.example.co.uk"),
        ("mi correo es josé@correo.es, gracias", "email", "josé@correo.es"),
        ("Card 4111-1111-1111-1111 please", "card", "4111-1111-1111-1111"),
        ("it is 378282246310005.", "card", "378282246310005"),
        ("IBAN DE89 3704 0044 0532 0130 00 today", "iban", "DE89 3704 0044 0532 0130 00"),
        ("call me on 5551234567", "phone", "5551234567"),
        ("I live here, +44 7700 900123 is mine", "phone", "+44 7700 900123"),
        ("(202) 456-1111", "phone", "(202) 456-1111"),
        ("mi teléfono es 612 345 678", "phone", "612 345 678"),
        ("我的电话是 13912345678", "phone", "13912345678"),
        ("My SSN: 219-09-9999", "id", "219-09-9999"),
        ("passport number is X1234567, thanks", "id", "X1234567"),
        ("driver's licence D123-4567-8901", "id", "D123-4567-8901"),
        ("Hi, my name is Ana María de la Cruz and I", "name", "Ana María de la Cruz"),
        ("Me llamo José Pérez.", "name", "José Pérez"),
        ("我叫李雷", "name", "李雷"),
        ("card:4111111111111111", "card", "4111111111111111"),
        ("CC#4111 1111 1111 1111 12/29", "card", "4111 1111 1111 1111"),
        ("4111111111111111 123", "card", "4111111111111111"),
        ("4111111111111111/12/29/123", "card", "4111111111111111"),
        ("5555555555554444,4111111111111111", "card", "5555555555554444"),
        ("2 cards: 2 3782 822463 10005 and", "card", "3782 822463 10005"),
        ("卡号4111111111111111，谢谢", "card", "4111111111111111"),
        ("账户DE89370400440532013000", "iban", "DE89370400440532013000"),
        ("DE89-3704-0044-0532-0130-00", "iban", "DE89-3704-0044-0532-0130-00"),
        ("tel:+44 7700 900123", "phone", "+44 7700 900123"),
        ("Phone:5551234567.", "phone", "5551234567"),
        ("我的电话是13912345678", "phone", "13912345678"),
        ("联系+86 139 1234 5678吧", "phone", "+86 139 1234 5678"),
        ("They're not answering at 99 668472", "phone", "99 668472"),
        ("my number is 07700063966", "phone", "07700063966"),
        ("mi número es 612345678", "phone", "612345678"),
        ("dial 22345678 and ask", "phone", "22345678"),
        ("(37) 788-063-Office\\,07700 063 966-Fax", "phone", "07700 063 966"),
        ("Office: 0664 123456", "phone", "0664 123456"),
        ("3660170548 is my mobile", "phone", "3660170548"),
        ("邮箱ana@example.com，谢谢", "email", "ana@example.com"),
        ("**_ana@example.com_**", "email", "_ana@example.com"),
        ("mary.o'brien@example.ie", "email", "mary.o'brien@example.ie"),
        ("'ana@example.com'", "email", "ana@example.com"),
        ("an ana@xn--fsq.xn--fiqs8s", "email", "ana@xn--fsq.xn--fiqs8s"),
    ],
)
def test_what_is_found(text, kind, value):
    assert (kind, value) in found(text)


@pytest.mark.parametrize(
    "text",
    [
        "Order O-1001 of 2026-11-20 10:30:00, 49.90 EUR, in 5-7 business days.",
        "Flight HAT228 on May 15, reservation Z7GOZK, 3 bags, $1,234,567.89",
        "order 1234567890123 and tracking 9400110200881234567",
        "It was 2005-07-21 18:19:22, version 1.2.3.4567, at 10.0.0.12:8080",
        "my name is not on the list",
        "4111 1111 1111 1112",
        "0000000000000000",
        "call me in 10 minutes about order 20251",
        "see https://example.com/orders/20255550143/items",
        "a license for 5 users",
        "my order number is 20255550143",
        "I've got 12345678 points, 0.4111111111111111 of them new",
        "pay $4111111111111111",
        "it was there (2024-05-23, 10:00)",
        "the smartphone 1801728040 and headphones 6992792935",
    ],
)
def test_what_is_none(text):
    assert found(text) == []


@given(st.text(max_size=300))
def test_any_text_is_read(text):
    for each in found_in(text):
        assert 0 <= each.start < each.end <= len(text)


@pytest.mark.parametrize(
    "text",
    [
        "1 " * 50_000,
        "4111-" * 20_000,
        "a@" * 50_000,
        "a'" * 50_000,
        "+" * 100_000,
        "AA11" * 25_000,
        "my name is A " * 8_000,
    ],
)
def test_hostile_text_takes_time_by_its_length(text):
    list(found_in(text))


def test_sentences_labelled_by_others():
    """Recall of what has a form, and nothing taken that no label covers (presidio-research, invented identities)."""
    kinds = {"EMAIL_ADDRESS": "email", "CREDIT_CARD": "card", "IBAN_CODE": "iban", "PHONE_NUMBER": "phone"}
    kinds["US_DRIVER_LICENSE"] = "id"
    seen, there, wrong = Counter(), Counter(), Counter()
    for line in reference("data/pii_synth/pii.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        told = list(found_in(row["full_text"]))
        labels = [(span["entity_type"], span["start_position"], span["end_position"]) for span in row["spans"]]
        for kind, start, end in labels:
            if kind in kinds:
                there[kinds[kind]] += 1
                seen[kinds[kind]] += any(each.start <= start and end <= each.end for each in told)
        wrong.update(
            each.kind for each in told if not any(start < each.end and each.start < end for _, start, end in labels)
        )
    assert {kind: seen[kind] / count for kind, count in there.items() if kind != "phone"} == dict.fromkeys(
        ("email", "card", "iban", "id"), 1.0
    )
    assert seen["phone"] == there["phone"]
    assert not wrong
