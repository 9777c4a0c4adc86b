from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.reports.printable import commandless, one_line, printable, short


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J\x1b]0;owned\x07", "\\x1b[2J\\x1b]0;owned\\x07"),
        ("a\x00b", "a\\x00b"),
        ("\u202egnp.exe", "\\u202egnp.exe"),
        ("\ud800", "\\ud800"),
        ("\U000e0041", "\\U000e0041"),
        ("\x9b31m", "\\x9b31m"),
        ("línea 中文 ✔\n\ttab", "línea 中文 ✔\n\ttab"),
    ],
)
def test_what_a_terminal_would_obey_is_written_out(text, shown):
    assert printable(text) == shown


@given(st.text())
def test_nothing_unsafe_is_left_and_harmless_text_is_untouched(text):
    shown = printable(text)
    assert all(character in "\n\t" or character.isprintable() or ord(character) > 0x9F for character in shown)
    assert printable(shown) == shown


def test_long_text_is_cut_and_lines_are_folded():
    assert printable("abcdef", 4) == "abc…"
    assert one_line("a\n\n  b\tc") == "a b c"
    assert len(one_line("x" * 10_000, 50)) == 50


def test_an_episode_is_named_as_shortly_as_is_clear():
    assert short("r-1/agent@1/refund/2/clean") == "r-1/refund/2"
    assert short("r-1/agent@1/refund/2/typos") == "r-1/agent@1/refund/2/typos"


def test_nothing_is_a_command_to_the_runner_of_a_ci_job():
    said = "a ::b\n::error::x\n \t ::add-mask::y\n\n::z ##[error]x"
    assert commandless(said) == "a ::b\n\\x3a:error::x\n \t \\x3a:add-mask::y\n\n\\x3a:z \\x23#[error]x"
    assert commandless("a std::string") == "a std::string"
