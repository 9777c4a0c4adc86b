"""The language of a text is told by its words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.users.recognise.language import folded
from harness.users.recognise.languages import _ASCII_WORD, _WORD, language_of


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Could you tell me your order number, please?", "en"),
        ("¿Me puede decir su número de pedido, por favor?", "es"),
        ("Me puede decir su numero de pedido por favor", "es"),
        ("请问您的订单号是多少？", "zh"),
    ],
)
def test_the_language_with_most_marks_counts(text, code):
    assert language_of(folded(text)).code == code


@given(st.text(st.characters(max_codepoint=127)).map(folded))
def test_the_words_of_ascii_are_the_same_however_they_are_found(text):
    assert _ASCII_WORD.findall(text) == _WORD.findall(text)
