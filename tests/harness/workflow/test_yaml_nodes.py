# ruff: noqa: E501 (a table reads best with a case a line)
from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from harness.model.source import Mapping, Scalar, Sequence, Where, free
from harness.workflow.problems import Problems
from harness.workflow.yaml_nodes import parse, read_text


def plain(node: Any) -> Any:
    if isinstance(node, Scalar):
        return node.raw
    if isinstance(node, Mapping):
        return {key: plain(value) for key, value in node.items()}
    return [plain(item) for item in node]


def complaint(text: str) -> str:
    with pytest.raises(Problems) as caught:
        parse(text, "f.yaml")
    (problem,) = caught.value.problems
    lines = text.split("\n")
    assert 1 <= problem.where.line <= len(lines)
    assert 1 <= problem.where.column <= len(lines[problem.where.line - 1]) + 1
    return str(problem)


def test_scalars_keep_their_text_their_quotes_and_their_place() -> None:
    node = parse("user: no\nid: 00123\nquoted: '12:30'\nlist:\n  - 1e3\n", "f.yaml")
    assert isinstance(node, Mapping)
    assert node["user"] == Scalar("no", True, Where("f.yaml", 1, 7))
    assert node["id"] == Scalar("00123", True, Where("f.yaml", 2, 5))
    assert node["quoted"] == Scalar("12:30", False, Where("f.yaml", 3, 9))
    assert node["list"][0] == Scalar("1e3", True, Where("f.yaml", 5, 5))
    assert node.keys_at["list"] == Where("f.yaml", 4, 1)


@pytest.mark.parametrize(
    "raw", ["no", "on", "yes", "00123", "012345", "089", "42", "12:30", "2026-11-20", "1e3", "~", ".inf", "0x1F"]
)
def test_what_yaml_would_guess_at_stays_text(raw: str) -> None:
    assert plain(parse(f"user: {raw}\n{raw}: x\n", "f.yaml")) == {"user": raw, raw: "x"}


@pytest.mark.parametrize("text", ["Send {{refund}} now", "costs ${x}", "see {#1} or {0.__class__}", 'I said: "no"'])
def test_braces_in_quoted_text_stay(text: str) -> None:
    assert plain(parse(f"- {json.dumps(text)}\n", "f.yaml")) == [text]


def test_keys_may_be_in_any_script() -> None:
    assert plain(parse("退款: 好的\nطلب: نعم\n🙂: 🎉\n", "f.yaml")) == {"退款": "好的", "طلب": "نعم", "🙂": "🎉"}


def test_columns_count_characters_not_bytes() -> None:
    node = parse("🙂退款: x\n", "f.yaml")
    assert isinstance(node, Mapping)
    assert node["🙂退款"].at == Where("f.yaml", 1, 6)


def test_bom_and_crlf_leave_no_trace(tmp_path) -> None:
    path = tmp_path / "f.yaml"
    path.write_bytes(b"\xef\xbb\xbfn: 12\r\nblock: |\r\n  one\r\n  two\r\nt: x\r\n")
    node = parse(read_text(path, "f.yaml"), "f.yaml")
    assert plain(node) == {"n": "12", "block": "one\ntwo\n", "t": "x"}
    assert isinstance(node, Mapping)
    assert free(node["n"]) == 12
    assert node["n"].at == Where("f.yaml", 1, 4)


@pytest.mark.parametrize(
    ("raw", "place", "words"),
    [
        (b"a: 1\nb: caf\xe9\n", "f.yaml:2:7", "0xE9 is not UTF-8"),
        ("a: 1".encode("utf-16"), "f.yaml:1:1", "UTF-16"),
    ],
)
def test_other_encodings_are_refused(tmp_path, raw: bytes, place: str, words: str) -> None:
    path = tmp_path / "f.yaml"
    path.write_bytes(raw)
    with pytest.raises(Problems) as caught:
        read_text(path, "f.yaml")
    assert str(caught.value).startswith(place)
    assert words in str(caught.value)


def test_a_file_that_cannot_be_read_is_told(tmp_path) -> None:
    with pytest.raises(Problems, match="can't be read"):
        read_text(tmp_path, "folder")


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("a: 1\nb: 2\na: 3\n", "f.yaml:3:1", "`a` is here twice, first in line 1"),
        ("a: {x: 1, x: 2}\n", "f.yaml:1:11", "`x` is here twice"),
        ("x: &b {a: 1}\ny:\n  <<: *b\n", "f.yaml:3:3", "merge keys"),
        ("a:\n\tb: 1\n", "f.yaml:2:1", "a tab can't indent (use blanks)"),
        ("a:\n  b: 1\n\tc: 2\n", "f.yaml:3:1", "a tab can't indent"),
        ("a: !money 3\n", "f.yaml:1:4", "tags such as `!money` are not read"),
        ("a: !!str 3\n", "f.yaml:1:4", "tags such as `!!str` are not read"),
        ("- Hi: you: me\n", "f.yaml:1:10", "quote the sentence"),
        ("- Order #123 is broken\n", "f.yaml:1:9", "only `Order` would be read (quote the sentence"),
        ("- It is broken # again\n", "f.yaml:1:16", "only `It is broken` would be read"),
        ("- #1 priority\n", "f.yaml:1:3", "quote the sentence"),
        ("- *wow* that is bad\n", "f.yaml:1:3", "can't begin with `*` (quote the sentence)"),
        ("- @ana wrote this\n", "f.yaml:1:3", "can't begin with `@` (quote the sentence)"),
        ("- `code`\n", "f.yaml:1:3", "can't begin with"),
        ("- {name}, hello\n", "f.yaml:1:9", "must be quoted whole"),
        ('- "Never" again\n', "f.yaml:1:11", "must be quoted whole"),
        ("- {{refund}} now\n", "f.yaml:1:4", "quote the sentence if it holds braces"),
        ("a: 'it\n", "f.yaml:1:4", "never closed"),
        ("a: b\nc\n", "f.yaml:2:1", "neither `key: value` nor `- item`"),
        ("--- a\n--- b\n", "f.yaml:2:1", "a second document begins here"),
        ("a: b\x1b[31m\n", "f.yaml:1:5", "control character U+001B"),
        ("a: b\x00\n", "f.yaml:1:5", "control character U+0000"),
        ("a: &x [*x]\n", "f.yaml:1:8", "stands inside what it repeats"),
        ("a: *x\n", "f.yaml:1:4", "no `&x` before it"),
        ("[" * 500, "f.yaml:1:62", "nested more than 60 deep"),
        ("[" * 5000, "f.yaml:1:1001", "nesting depth"),
        ("", "f.yaml:1:1", "the file is empty"),
        ("# nothing but a comment\n", "f.yaml:1:1", "the file is empty"),
        (": x\n", "f.yaml:1:1", ""),
    ],
)
def test_what_could_be_misread_is_refused_with_its_place(text: str, place: str, words: str) -> None:
    said = complaint(text)
    assert said.startswith(f"{place}: ")
    assert words in said


def test_comments_that_are_meant_as_comments_are_none_of_the_text() -> None:
    text = "# top\nagent: agent.py:build      # paths are relative\ntrials: 4 # four\nkeys:  # below\n  - a b  # two blanks\n  - c\n"
    assert plain(parse(text, "f.yaml")) == {"agent": "agent.py:build", "trials": "4", "keys": ["a b", "c"]}


def test_aliases_repeat_but_can_not_blow_up() -> None:
    assert plain(parse("a: &x {b: 1}\nc: *x\n", "f.yaml")) == {"a": {"b": "1"}, "c": {"b": "1"}}
    laughs = "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
    for one, other in zip("abcdefgh", "bcdefghi", strict=True):
        laughs += f"{other}: &{other} [{', '.join([f'*{one}'] * 10)}]\n"
    assert "aliases of this file stand for more than 10000 nodes" in complaint(laughs)


def test_an_explicit_document_start_is_fine() -> None:
    assert plain(parse("---\na: 1\n", "f.yaml")) == {"a": "1"}


READABLE = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")))
PRINTED = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")) | st.just(" "))


def escaped(text: str) -> str:
    """Double-quoted, with everything but plain ASCII as an escape."""
    return (
        '"'
        + "".join(c if c.isascii() and c.isprintable() and c not in '"\\' else f"\\U{ord(c):08x}" for c in text)
        + '"'
    )


@given(READABLE)
def test_any_text_comes_back_as_written(text: str) -> None:
    assert plain(parse(f"say: {escaped(text)}\n", "f.yaml")) == {"say": text}


@given(PRINTED)
def test_any_text_that_is_printed_needs_no_escapes(text: str) -> None:
    assert plain(parse(f"say: {json.dumps(text, ensure_ascii=False)}\n", "f.yaml")) == {"say": text}


@given(READABLE)
def test_any_text_that_another_writer_quotes_comes_back(text: str) -> None:
    written = yaml.safe_dump({"say": text}, allow_unicode=True, width=10_000)
    assert plain(parse(written, "f.yaml")) == {"say": text}


JSON_NUMBERS = st.from_regex(r"-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,12})?([eE][+-]?[0-9]{1,2})?", fullmatch=True)


@given(JSON_NUMBERS | st.sampled_from(["true", "false", "null"]))
def test_free_scalars_follow_json(raw: str) -> None:
    node = parse(f"x: {raw}\n", "f.yaml")
    assert isinstance(node, Mapping)
    expected = json.loads(raw, parse_float=Decimal)
    found = free(node["x"])
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    "raw", ["1e309", "-1E+999", "1e-400", "1e400000000", "1e99999999999999999999", "0e99999999999999999999", "9" * 5000]
)
def test_numbers_that_no_program_would_hand_on(raw: str) -> None:
    node = Scalar(raw, True, Where("f", 1))
    with pytest.raises(ValueError, match="is beyond what a number can be; quote it if it is text"):
        free(node)
    assert free(Scalar(raw, False, Where("f", 1))) == raw


@pytest.mark.parametrize("key", ["$at", "'$decimal'"])
def test_keys_that_stored_items_have(key: str) -> None:
    with pytest.raises(
        Problems, match=r"f\.yaml:1:5: the key `\$\w+` is kept for the store \(call it something else\)"
    ):
        parse(f"a: {{{key}: 1}}\n", "f.yaml")


@given(st.from_regex(r"[0-9+.eE_:-]{1,10}", fullmatch=True))
def test_free_scalars_that_are_no_json_are_text(raw: str) -> None:
    try:
        json.loads(raw)
    except ValueError:
        assert free(Scalar(raw, True, Where("f", 1))) == raw


@given(READABLE)
def test_quoted_free_scalars_are_text_whatever_they_look_like(text: str) -> None:
    assert free(Scalar(text, False, Where("f", 1))) == text


@given(st.text(st.sampled_from("ab: -#\n\t'\"[]{}&*!|>,x1"), max_size=40))
def test_no_input_gets_past_a_problem_with_a_place(text: str) -> None:
    try:
        node = parse(text, "f.yaml")
    except Problems as error:
        (problem,) = error.problems
        lines = text.split("\n")
        assert 1 <= problem.where.line <= len(lines)
        assert 1 <= problem.where.column <= len(lines[problem.where.line - 1]) + 1
    else:
        assert isinstance(node, Scalar | Mapping | Sequence)
