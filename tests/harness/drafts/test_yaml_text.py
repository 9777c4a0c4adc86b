from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from harness.drafts.yaml_text import Flow, to_yaml
from harness.model.source import RESERVED, free
from harness.workflow.yaml_nodes import parse

ODD = [
    "no",
    "null",
    "~",
    "1e3",
    "00123",
    "2026-11-20",
    "<<",
    "*a",
    "&a",
    "!t",
    "any",
    "absent",
    "{x}",
    "'",
    '"',
    "@",
    "`",
    "%",
    "=",
    "12:30",
    "true",
    "|",
    ">",
    "-",
    "a:",
]
TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=60) | st.sampled_from(
    [*ODD, "", "a: b", "a #b", "- x", "? q", "line\nbreak\n", " lead", "trail ", "\x85"]
)
NUMBERS = st.integers(-(10**20), 10**20) | st.decimals(allow_nan=False, allow_infinity=False, places=4)
SCALARS = st.none() | st.booleans() | NUMBERS | TEXTS
KEYS = TEXTS.filter(lambda text: text not in ("", "<<", *RESERVED))
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(KEYS, inner, max_size=4)
        | st.dictionaries(KEYS, inner, max_size=4).map(Flow)
    ),
    max_leaves=12,
)


@given(st.dictionaries(KEYS, VALUES, min_size=1, max_size=4), st.sampled_from([0, 2, 5]))
@example({"a": {"b": [["x"], []], "c": Flow(d=Flow())}}, 2)
@example({"say": "word " * 60}, 4)
@example({"say": "- " * 60 + "\n\n\ttab"}, 4)
@example({"k" * 200: "x"}, 0)
def test_the_strict_loader_reads_the_same_values_back(value, indent):
    read = free(parse(to_yaml(value, indent), "x.yaml"))
    assert read == value
    assert repr_types(read) == repr_types(value)


def repr_types(value):
    """The kinds of values: 1 and True, and "1" and 1, are equal or alike, but not the same."""
    if isinstance(value, dict):
        return {key: repr_types(member) for key, member in value.items()}
    if isinstance(value, list):
        return [repr_types(member) for member in value]
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return type(value).__name__
    return "number"


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_floats_keep_their_value(number):
    assert free(parse(to_yaml({"x": number}), "x.yaml"))["x"] == Decimal(repr(number))


def test_it_is_written_as_a_person_would():
    value = {"id": "a", "turns": ["Hello.", "49.90", "no"], "state": {"o.x": Flow(status="paid", total="49.90")}}
    assert (
        to_yaml([value])
        == """\
- id: a
  turns:
    - Hello.
    - "49.90"
    - 'no'
  state:
    o.x: {status: paid, total: "49.90"}
"""
    )


@pytest.mark.parametrize("word", ["any", "absent"])
def test_words_that_are_matchers_are_quoted(word):
    assert to_yaml({"x": word}) == f'x: "{word}"\n'


@pytest.mark.parametrize("text", ["\x1b[31m", "\x00\x07", "\x9b", "\u2028"])
def test_what_the_loader_refuses_raw_is_escaped(text):
    written = to_yaml({"x": text})
    assert written.isascii()
    assert free(parse(written, "x.yaml")) == {"x": text}


def test_half_a_character_is_replaced():
    assert free(parse(to_yaml({"x": "a\ud800b"}), "x.yaml")) == {"x": "a\ufffdb"}


@pytest.mark.parametrize(
    "hidden", ["\u202e", "\u2066", "\u200b", "\x1b", "\x00", "\x85", "\u2028", "\ufeff", "\U000e0041"]
)
def test_what_cannot_be_seen_is_written_out(hidden):
    value = {f"a{hidden}": [f"pay {hidden} now", {"x": f"\\{hidden}"}], "b": Flow({f"c{hidden}": hidden})}
    text = to_yaml(value)
    assert hidden not in text
    assert text.replace("\n", "").isprintable()
    assert free(parse(text, "x.yaml")) == value


def test_blanks_of_other_scripts_stay():
    assert to_yaml(["退款\u3000超时", "49\u00a0€"]) == '- "退款\u3000超时"\n- "49\u00a0€"\n'


def test_lines_stay_lines():
    assert to_yaml({"reply": "One:\n- two\n\nThree."}) == "reply: |-\n  One:\n  - two\n\n  Three.\n"


@pytest.mark.parametrize("text", ["clock", "clock - 8 days", "any"])
def test_a_text_that_would_be_computed_or_match_everything_is_quoted(text):
    assert to_yaml({"note": text}) == f'note: "{text}"\n'
