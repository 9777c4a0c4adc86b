"""The files of CI servers in the documents: those of the demo project, which is played by them."""

from __future__ import annotations

import pytest

from tests.docs.pages import ROOT, blocks

FILES = {block.file: block for block in blocks(ROOT / "docs" / "ci.md") if block.file and block.file.startswith(".")}


@pytest.mark.parametrize("name", [".github/workflows/agent.yml", ".gitlab-ci.yml"])
def test_they_are_those_of_the_demo_project(name: str) -> None:
    assert FILES[name].text == (ROOT / "tests" / "demo" / name).read_text("utf-8")
