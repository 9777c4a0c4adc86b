"""The error's type and message in the texts that libraries make of it."""

from __future__ import annotations

import pytest

from tests.effort import no_hang
from traces.dialects.content import python_text
from traces.dialects.content.errors import described

STACK = "\n    at fee (file:///app/fees.mjs:16:12)\n    at process.tick (node:internal/queues:95:5)"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Error: no fee", (None, "no fee")),
        ("Failed to invoke Tool `fee` with parameters {'a': 'Error: x'}. Error: no fee", (None, "no fee")),
        (
            "Failed to invoke function fee with converted arguments {'a': 1} from x because of error no fee",
            (None, "no fee"),
        ),
        (f"no fee\n\nTypeError: no fee{STACK}", ("TypeError", "no fee")),
        (f"no fee\n\nError: no fee{STACK}", (None, "no fee")),
        (f"first\n\nsecond{STACK}", (None, "first\n\nsecond")),
        ("Error in tool 'get_fee': FeeError: no fee", ("FeeError", "no fee")),
        ("meet at 10:30:00", (None, "meet at 10:30:00")),
        ("Error:", (None, "Error:")),
        ("TOOL_ERROR", (None, None)),
    ],
)
def test_phrases_and_stacks_are_no_part_of_the_message(text: str, found: tuple[str | None, str | None]) -> None:
    assert described(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("no" + "\n" * 400_000 + "fee", (None, "no" + "\n" * 400_000 + "fee")),
        ("Error executing tool: " * 10_000 + "no fee", (None, "no fee")),
    ],
    ids=["lines", "phrases"],
)
def test_of_long_texts_the_error_is_found_at_once(text: str, found: tuple[str | None, str | None]) -> None:
    with no_hang():
        assert described(text) == found


def test_what_is_longer_than_python_s_reader_is_given_is_told_as_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "ValueError('no fee')"
    assert described(text) == ("ValueError", "no fee")
    monkeypatch.setattr(python_text, "LONGEST", len("'no fee'") - 1)
    assert described(text) == ("ValueError", "'no fee'")
