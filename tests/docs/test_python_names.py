"""What can be imported, and the options of the plugin, are those that the documents name."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields

import pytest

import harness
from harness.pytest_plugin.options import add_options
from tests.docs.pages import ROOT


def names(page: str, heading: str) -> set[str]:
    """What stands in code in the first column of the table under a heading, or of the page's first one."""
    text = (ROOT / "docs" / page).read_text("utf-8")
    part = re.split(r"^## ", text, flags=re.MULTILINE)
    (found,) = [each for each in part if each.startswith(heading)]
    return {
        name for row in re.findall(r"^\| (`[^|]+) \|", found, re.MULTILINE) for name in re.findall(r"`([\w-]+)", row)
    }


def test_arguments_of_run() -> None:
    assert names("python.md", "# From Python") == set(inspect.signature(harness.run).parameters)


def test_fields_of_an_outcome() -> None:
    told = {"passed", "episodes", *(field.name for field in fields(harness.RunOutcome))}
    assert names("python.md", "What comes of it") == told


def test_exceptions() -> None:
    raised = {name for name in harness.__all__ if inspect.isclass(found := getattr(harness, name))
              and issubclass(found, Exception) and name != "Interrupted"}  # fmt: skip
    assert names("python.md", "Exceptions") == raised


def test_options_of_the_plugin() -> None:
    parser = pytest.Parser(_ispytest=True)
    add_options(parser)
    told = {name for name in names("pytest.md", "The agent") if name.startswith("--")}
    (group,) = [group for group in parser._groups if group.name == "turngate"]
    assert told == {name for option in group.options for name in option.names()}
