"""Text in which Python shows objects."""

from __future__ import annotations

import pytest

from tests.effort import no_hang
from traces.dialects.content.python_text import lists_of


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[A(x=[1, {'k': [2]}], kind=<Kind.RAW: 'raw'>), A(y='', x=[])]", [[1, {"k": [2]}], []]),
        ("[A(y='x=[1]', x=[2])]", [[2]]),
        ('[A(y="it\'s x=[1]", x=["]"])]', [["]"]]),
        ("[A(part=B(x=[1]), x=[2])]", [[2]]),
        ("[A(x=[<object>]), A(x=[3])]", [[3]]),
        ("[A(xx=[1], x='[2]')]", []),
        ("[A(x=[1", []),
        (")]" * 9 + "'", []),
    ],
)
def test_the_lists_that_objects_hold(text: str, found: list[object]) -> None:
    assert list(lists_of(text, "x")) == found


def test_a_text_that_was_cut_among_many_quotes_is_looked_at_once() -> None:
    with no_hang():
        assert list(lists_of("[A(x=[1]), A(y='" + "\\'" * 100_000, "x")) == [[1]]
