"""Values of attributes, in every form that libraries give them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.effort import no_hang
from traces.dialects.content.cut import CutList, CutRecord, CutText, head, is_cut
from traces.dialects.content.values import as_text, is_hidden, parse

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@pytest.mark.parametrize(
    ("value", "read", "how"),
    [
        ({"a": 1}, {"a": 1}, "structured"),
        ('{"a": 1}', {"a": 1}, "json"),
        (json.dumps(json.dumps({"a": 1})), {"a": 1}, "json"),
        (json.dumps(json.dumps(json.dumps({"a": 1}))), {"a": 1}, "json"),
        (json.dumps(json.dumps(json.dumps(json.dumps({"a": 1})))), json.dumps({"a": 1}), "json"),
        ('{"a": "{\\"b\\": 1}"}', {"a": '{"b": 1}'}, "json"),
        ('"daily:2000"', "daily:2000", "json"),
        ('{"a": NaN}', {"a": "NaN"}, "json"),
        ('{"a": "b\tc"}', {"a": "b\tc"}, "json"),
        ('{"a": 123456789012345678901234}', {"a": 123456789012345678901234}, "json"),
        (json.dumps(' {"a": 1}'), ' {"a": 1}', "json"),
        (json.dumps('{"a": 1}\n'), {"a": 1}, "json"),
        ("{'a': None, 'b': (True, 1.5)}", {"a": None, "b": [True, 1.5]}, "python"),
        ("None", None, "python"),
        ("{'a': <Foo object>}", "{'a': <Foo object>}", "text"),
        ("{'a', 'b'}", "{'a', 'b'}", "text"),
        (
            '{"lc": 1, "id": ["x", "AIMessage"], "kwargs": {"content": "c"}}',
            {"class": "AIMessage", "content": "c"},
            "constructor",
        ),
        ('{"a": 1, "b": [1, {"c": "long te', {"a": 1, "b": [1, {"c": "long te"}]}, "cut"),
        ('{"a": 1, "b": "long ...[truncated]', {"a": 1, "b": "long ...[truncated]"}, "cut"),
        ("[pol-12] Opened headphones", "[pol-12] Opened headphones", "text"),
        ('{"a": 1} and more', '{"a": 1} and more', "text"),
        ("snow, -2°C", "snow, -2°C", "text"),
        ("", "", "text"),
        ("[" * 500 + "]" * 500, "[" * 500 + "]" * 500, "text"),
    ],
)
def test_the_first_step_that_fits_is_taken(value: Any, read: Any, how: str) -> None:
    parsed = parse(value)
    assert (parsed.value, parsed.how) == (read, how)


@given(st.lists(JSON, min_size=1) | st.dictionaries(st.text(), JSON, min_size=1), st.data())
def test_the_head_of_cut_json_holds_nothing_that_is_not_there(value: Any, data: st.DataObject) -> None:
    text = json.dumps(value, ensure_ascii=data.draw(st.booleans()))
    kept = text[: data.draw(st.integers(1, len(text) - 1))]
    found = head(kept)
    assert is_cut(found)
    _is_beginning(found, value)


@given(st.lists(JSON) | st.dictionaries(st.text(), JSON))
def test_whole_json_is_no_head(value: Any) -> None:
    assert head(json.dumps(value)) is None
    assert parse(json.dumps(value)).value == value


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    head(text)
    parsed = parse(text)
    as_text(parsed.value)
    assert parsed.raw == (None if is_hidden(text.strip()) else text)


@pytest.mark.parametrize("rest", ["." * 200_000 + "!", "x" + " " * 200_000 + "x", "truncated" + " " * 200_000 + "x"])
def test_what_no_token_can_be_is_told_from_one_that_broke_off_at_once(rest: str) -> None:
    with no_hang():
        assert parse('{"a": 1, "b": ' + rest).how == "text"


def test_text_that_is_nobodys_source_code_is_not_warned_of(recwarn: pytest.WarningsRecorder) -> None:
    assert parse("{'path': 'C:\\d'}").value == {"path": "C:\\d"}
    assert parse("[1if 1else 2]").how == "text"
    assert not recwarn.list


def _is_beginning(found: Any, whole: Any) -> None:
    """Whether a value holds of another one what comes first, and what is not marked as cut all of it."""
    if isinstance(found, CutText):
        assert whole.startswith(found)
    elif isinstance(found, CutRecord):
        assert list(found) == list(whole)[: len(found)]
        for name, value in found.items():
            _is_beginning(value, whole[name])
    elif isinstance(found, CutList):
        assert len(found) <= len(whole)
        for value, other in zip(found, whole, strict=False):
            _is_beginning(value, other)
    else:
        assert found == whole
