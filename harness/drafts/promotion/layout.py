"""How a promoted scenario is written down: its keys in the usual order, with comments where a person has to look."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from typing import Any

from harness.drafts.yaml_text import to_yaml

_WIDTH = 110
_CLAUSES = "  clauses: []  # which clauses of the policy is it about?\n"


def laid_out(scenario: Mapping[str, Any], head: Iterable[str], above: Mapping[str, str]) -> str:
    """One item of a scenarios file. `head`: comments above all of it; `above`: the comment above a key. Without a word
    on its clauses they are left to fill in.
    """
    blocks = []
    for key, value in scenario.items():
        comment = _comment(above[key], "  ") if key in above else ""
        blocks.append(comment + (_CLAUSES if (key, value) == ("clauses", []) else to_yaml({key: value}, indent=2)))
    text = "".join(blocks)
    return "".join(_comment(each) for each in head) + f"- {text[2:]}"


def _comment(text: str, indent: str = "") -> str:
    visible = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    wrapped = textwrap.wrap(visible, _WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    return "".join(f"{indent}# {line}\n" for line in wrapped)
