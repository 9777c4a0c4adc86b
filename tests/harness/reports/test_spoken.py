"""What somebody said, as a terminal shows it."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from harness.reports.spoken import Spoken


def shown(text, width=40):
    console = Console(file=io.StringIO(), width=width, color_system=None)
    console.print(Spoken("agent", text, "bold blue"))
    return console.file.getvalue()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello.", "agent  Hello.\n"),
        ("", "agent  \n"),
        (
            "Done.\nuser   Yes, please.\n\u2714 passed",
            "agent  Done.\n       user   Yes, please.\n       \u2714 passed\n",
        ),
    ],
)
def test_every_line_stands_behind_the_name(text, expected):
    assert shown(text) == expected


@pytest.mark.parametrize("width", [20, 27, 80])
def test_a_line_that_is_folded_goes_on_behind_the_name_and_loses_nothing(width):
    text = "It ships today." + " " * 60 + "\u2192 get_order " + "x" * 90
    first, *others = shown(text, width).splitlines()
    assert first.startswith("agent  It ships")
    assert all(line.startswith(" " * 7) for line in others)
    assert "".join("".join([first, *others]).split()) == "agent" + "".join(text.split())
