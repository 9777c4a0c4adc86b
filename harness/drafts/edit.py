"""Changing one key of one scenario in its file, with everything else left as the author wrote it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import yaml

from harness.drafts.yaml_text import to_yaml


class CannotEdit(Exception):
    """The file is not laid out so that the key can be replaced by itself; the text says why."""


def replace_key(path: Path, scenario: str, key: str, value: Any) -> None:
    """Write `key: value` into the scenario with this id, in place of what stands there or at its end.

    The file is replaced in one step. Raises CannotEdit if the scenario is not there or is written on one line.
    """
    text = path.read_text(encoding="utf-8-sig")
    node = _scenario(yaml.compose(text, Loader=yaml.SafeLoader), scenario)
    if node is None or node.flow_style:
        raise CannotEdit(f"{path}: no scenario `{scenario}` in block style")
    lines = text.splitlines(keepends=True)
    start, end = _span(node, key, lines)
    column = node.value[0][0].start_mark.column
    block = to_yaml({key: value}, indent=column)
    if start > 0 and not lines[start - 1].endswith("\n"):
        lines[start - 1] += "\n"
    _write(path, "".join((*lines[:start], block, *lines[end:])))


def _scenario(root: yaml.Node | None, scenario: str) -> yaml.MappingNode | None:
    found = root.value if isinstance(root, yaml.SequenceNode) else [root]
    for node in found:
        if isinstance(node, yaml.MappingNode) and any(k.value == "id" and v.value == scenario for k, v in node.value):
            return node
    return None


def _span(node: yaml.MappingNode, key: str, lines: list[str]) -> tuple[int, int]:
    """The lines of the key and its value, first and one past the last; empty, after the scenario, if it has none."""
    for name, value in node.value:
        if name.value == key:
            return name.start_mark.line, _last(value, lines)
    end = max(_last(value, lines) for _, value in node.value)
    return end, end


def _last(value: yaml.Node, lines: list[str]) -> int:
    """One past the last line of a value: a block's end mark stands behind the blank lines and comments after it."""
    line = value.end_mark.line + (1 if value.end_mark.column else 0)
    line = min(line, len(lines))
    while line > value.start_mark.line + 1 and (
        not lines[line - 1].strip() or lines[line - 1].lstrip().startswith("#")
    ):
        line -= 1
    return max(line, value.start_mark.line + 1)


def _write(path: Path, text: str) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(name, path.stat().st_mode)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
