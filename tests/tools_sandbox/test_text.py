import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tools_sandbox.text import mentions


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("refund", "Your REFUND is on its way."),
        ("guaranteed delivery", "Delivery is guaranteed."),
        ("5-7 business days", "You will see it in 5–7 Business days."),
        ("O-1001", "It is order o-1001."),
        ("ana@example.com", "Sent to Ana@Example.com!"),
        ("customer", "the customer's card"),
        ("don't", "I don’t know"),
        ("10%", "a 10 % discount"),
        # numbers as numbers
        ("49.90", "I refunded 49.9 to your card."),
        ("49.90", "Le devolvimos 49,90 €."),
        ("49.90", "EUR49.90"),
        ("49.90", "49.90EUR"),
        ("$49.90", "49.90 dollars ($)"),
        ("1000", "USD 1,000 in total"),
        ("1000", "1.000 euros"),
        ("1000.50", "1,000.50"),
        ("1000.50", "1.000,50"),
        ("7 pm", "at 7pm"),
        ("2026-11-20", "on 2026-11-20."),
        ("00123", "parcel 00123"),
        ("20.11.2026", "am 20.11.2026"),
        # scripts and forms
        ("工作日", "将在5-7个工作日内到账"),
        ("退款49.90元", "已退款49.90元给您"),
        ("환불", "환불은 완료되었습니다"),
        ("devolución", "la DEVOLUCIÓN"),
        ("café", "cafe\u0301"),
        ("हिन्दी", "यह हिन्दी है"),
        ("１０", "10 days"),
        ("guaranteed", "guar\u200banteed"),
        ("straße", "STRASSE"),
        ("!?", "really!?"),
    ],
)
def test_mentioned(phrase, text):
    assert mentions(phrase, text) is not None


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("refund", "refunded"),
        ("refund issued", "Your refund is on its way."),
        ("O-1001", "order O-10010"),
        ("O-100", "order O-1001"),
        ("7", "K-71"),
        ("7", "item 7f3a9"),
        ("5-7 days", "5 days or 7 days"),
        ("ana@example.com", "ana, write to ben@example.com"),
        ("10%", "10 days, 5%"),
        ("$49.90", "49.90 €"),
        ("49.90", "149.90"),
        ("49.90", "49.905"),
        ("49", "49.90"),
        ("1000", "1,000,000"),
        ("00123", "123"),
        ("123", "00123"),
        ("退款49.90元", "退款49.90美元"),
        ("यह", "यहाँ"),
        ("", "anything"),
        ("refund", ""),
    ],
)
def test_not_mentioned(phrase, text):
    assert mentions(phrase, text) is None


@pytest.mark.parametrize(
    ("phrase", "text", "quote"),
    [
        ("refund days", "days, days and a refund in 5 days", "refund in 5 days"),
        ("49.90", "It was ４９．９０ in all.", "４９．９０"),
        ("工作日", "在5个工作日内", "工作日"),
        ("café", "un cafe\u0301 noir", "cafe\u0301"),
    ],
)
def test_the_span_is_the_shortest_stretch_of_the_original_text(phrase, text, quote):
    start, end = mentions(phrase, text)
    assert text[start:end] == quote or quote in text[start:end]
    assert end - start <= len(quote) + (0 if "工" not in quote else 2)


WORDS = st.lists(st.from_regex(r"[a-z]{1,8}", fullmatch=True), min_size=1, max_size=6)


@given(WORDS, st.randoms())
def test_words_are_found_in_any_order(words, random):
    shuffled = list(words)
    random.shuffle(shuffled)
    assert mentions(" ".join(words), ", ".join(shuffled).upper()) is not None


@given(WORDS, WORDS)
def test_ascii_phrases_agree_with_sets_of_words(phrase, text):
    found = mentions(" ".join(phrase), " ".join(text))
    assert (found is not None) == (set(phrase) <= set(text))


@given(st.text(), st.text())
@example("3", "¾")
def test_any_text_may_come_and_spans_lie_within_it(phrase, text):
    found = mentions(phrase, text)
    if found is not None:
        assert 0 <= found[0] < found[1] <= len(text)


@given(st.text(min_size=1))
def test_a_text_mentions_itself(text):
    if re.search(r"\w", text, re.ASCII):
        assert mentions(text, text) is not None
