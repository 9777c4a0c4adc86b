"""The error's type and message in the texts that libraries make of it."""

from __future__ import annotations

from time import process_time

import pytest

from traces.dialects.errors import described

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
        ("no" + "\n" * 200_000 + "fee", (None, "no" + "\n" * 200_000 + "fee")),
        ("Error executing tool: " * 10_000 + "no fee", (None, "no fee")),
        ("ValueError([" + "1," * 500_000 + "])", ("ValueError", "[" + "1," * 500_000 + "]")),
    ],
    ids=["lines", "phrases", "items"],
)
def test_of_long_texts_the_error_is_found_at_once(text: str, found: tuple[str | None, str | None]) -> None:
    began = process_time()
    assert described(text) == found
    assert process_time() - began < 1
