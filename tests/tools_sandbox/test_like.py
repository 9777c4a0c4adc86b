from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.effort import no_hang
from tools_sandbox.like import BadPattern, SlowPattern, like
from tools_sandbox.matching import mismatches
from tools_sandbox.patterns import Matcher
from tools_sandbox.plain import normalised, on_one_line


def test_patterns_are_searched_anywhere_whatever_the_case():
    assert like(r"within \d+ hours", "Within 24 hours.") == (0, 15)
    assert like(r"within \d+ hours", "It comes WITHIN 24 HOURS.") == (9, 24)
    assert like(r"^refund$", "a refund") is None
    assert like(r"(?-i:Refund)", "a refund") is None


@pytest.mark.parametrize("pattern", ["(", "[a", "*a", "(?P<n"])
def test_what_is_no_pattern_says_why(pattern):
    with pytest.raises(BadPattern, match=r"\w+"):
        like(pattern, "x")


@pytest.mark.parametrize(
    "text",
    [
        "guaranteed\u00a0delivery",
        "guaranteed\ndelivery",
        "guaranteed \r\n\t delivery",
        "guaranteed\u2003\u3000delivery",
        "guar\u200banteed deli\u00advery",
        "guar\u034fanteed deli\ufe0fvery",
        "\ufeffguaranteed\u2060 delivery",
        "ｇｕａｒａｎｔｅｅｄ delivery",
        "GUARANTEED DELIVERY",
        "\U0001d420uaranteed delivery",
    ],
)
def test_a_pattern_sees_what_a_reader_sees(text):
    assert like("guaranteed delivery", text) is not None


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("b c", "a\u200b b \n c d", "b \n c"),
        ("b", "a \n\n b", "b"),
        ("ab", "x a\u00adb y", "a\u00adb"),
        ("café", "un cafe\u0301!", "cafe\u0301"),
        (" ", "a\n\nb", "\n\n"),
        ("b$", "a\nb", "b"),
    ],
)
def test_it_says_where_in_the_text_as_it_was_written(pattern, text, found):
    start, end = like(pattern, text)
    assert text[start:end] == found


def test_an_empty_fit_has_a_place_too():
    assert like("$", "a\n\nb") == (4, 4)
    assert like("^", "\n\nb") == (0, 0)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("保证（.*）", "我们保证（真的）"),
        ("保证[，。]", "我们保证，"),
        (r"费用\：\d+", "费用：25"),
        ("ｗｉｔｈｉｎ", "within"),
        ("cafe\u0301", "café"),
        ("no\u200bw", "now"),
        (r"\\（", "\\（"),
    ],
)
def test_a_pattern_is_written_in_the_characters_of_its_language(pattern, text):
    assert like(pattern, text) is not None


@pytest.mark.parametrize("pattern", [r"(a+)+$", r"(a|aa)+$", r"(a+a+)+b"])
def test_a_pattern_that_searches_for_ever_is_told(pattern):
    with pytest.raises(SlowPattern, match=re.escape(repr(pattern))):
        like(pattern, "a" * 2000 + "?")


@pytest.mark.parametrize("pattern", ["a*b", ".+[bc]", "a{2,}[bc]", "[ab]+?[cd]"])
def test_the_worst_text_for_one_repeat_is_searched_in_no_time(pattern):
    with no_hang():
        assert like(pattern, "a" * 2000 + "?") is None


def test_a_slow_pattern_is_its_authors_fault_wherever_it_is_held():
    with pytest.raises(SlowPattern, match="takes too long"):
        mismatches(Matcher({"like": "(a|aa)+$"}), "a" * 2000 + "?")


@given(st.text(alphabet=st.characters() | st.sampled_from(" \n\t\u00a0\x1c\u2028")))
def test_white_space_is_one_blank_each(text):
    line, places = on_one_line(text)
    assert re.fullmatch(r"(?: ?\S)* ?", line)
    assert line == re.sub(r"\s+", " ", normalised(text)[0])
    assert places is None or len(places) == len(line)


@given(st.text(alphabet=st.sampled_from("ab \n\u00a0\u200bé\u0301ﬁ½")), st.sampled_from(["a", "b a", "fi", "é", r"\s"]))
def test_what_is_found_lies_in_the_text(text, pattern):
    found = like(pattern, text)
    if found is not None:
        assert 0 <= found[0] < found[1] <= len(text)
        assert like(pattern, text[found[0] : found[1]]) is not None
