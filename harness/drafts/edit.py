"""Changing one key of one scenario in its file, with everything else left as the author wrote it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import yaml

from harness.drafts.yaml_text import to_yaml
from harness.workflow.yaml_nodes import LOADER

_BOM = "\ufeff"


class CannotEdit(Exception):
    """The file is not laid out so that the key can be replaced by itself; the text says why."""


def line_of(path: Path, scenario: str, key: str) -> int | None:
    """The line, counted from 1, at which the scenario with this id has the key; None if it has none.

    Raises CannotEdit if the scenario is not there, OSError if the file can't be read.
    """
    _, _, node = _read(path, scenario)
    return next((name.start_mark.line + 1 for name, _ in node.value if name.value == key), None)


def replace_key(path: Path, scenario: str, key: str, value: Any) -> None:
    """Write `key: value` into the scenario with this id, in place of what stands there or at its end.

    The file is replaced in one step, and every other byte of it stays. Raises CannotEdit if the scenario is not there,
    or stands there in a way that leaves no lines to the key alone; OSError if the file can't be read or written.
    """
    text, root, node = _read(path, scenario)
    changed = _replaced(text, node, key, value)
    if not _says_the_same(root, changed, scenario, key):
        raise CannotEdit(
            f"{path}: `{key}` of `{scenario}` can't be replaced by itself: write the scenario in block style, one key "
            "a line, with no anchor in it that others use"
        )
    _write(path, changed.encode("utf-8"))


def _read(path: Path, scenario: str) -> tuple[str, yaml.Node | None, yaml.MappingNode]:
    """The text of a file, what it says, and the scenario in it."""
    try:
        text = path.read_bytes().decode("utf-8")
        root = yaml.compose(text, Loader=LOADER)
    except (UnicodeDecodeError, yaml.YAMLError):
        raise CannotEdit(f"{path}: this is no YAML: `turngate lint` says where") from None
    node = _scenario(root, scenario)
    if node is None:
        raise CannotEdit(f"{path}: there is no scenario `{scenario}`")
    return text, root, node


def _replaced(text: str, node: yaml.MappingNode, key: str, value: Any) -> str:
    """The text with the key of that node written."""
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = text.removeprefix(_BOM).splitlines(keepends=True)
    start, end = _span(node, key, lines)
    column = node.value[0][0].start_mark.column
    block = to_yaml({key: value}, indent=column).replace("\n", newline)
    if start < end:
        # What stands before the key on its line, such as the dash of its scenario.
        block = lines[start][:column] + block[column:]
    elif start and not lines[start - 1].endswith(("\n", "\r")):
        lines[start - 1] += newline
    bom = _BOM if text.startswith(_BOM) else ""
    return "".join((bom, *lines[:start], block, *lines[end:]))


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
            return name.start_mark.line, _end(name, value, lines)
    end = max(_end(name, value, lines) for name, value in node.value)
    return end, end


def _end(name: yaml.Node, value: yaml.Node, lines: list[str]) -> int:
    """One past the last line of a value. The end of a block stands behind the blank lines and comments that follow it:
    so it is the last value in it that counts.
    """
    last = value
    while isinstance(last, yaml.CollectionNode) and not last.flow_style and last.value:
        last = last.value[-1][1] if isinstance(last, yaml.MappingNode) else last.value[-1]
    end = last.end_mark.line + (1 if last.end_mark.column else 0)
    while end > name.start_mark.line + 1 and not lines[end - 1].strip():
        end -= 1  # blank lines below a block of text
    return max(end, name.start_mark.line + 1)


def _says_the_same(before: yaml.Node | None, changed: str, scenario: str, key: str) -> bool:
    """Whether the changed text is as before in all but this key of this scenario."""
    try:
        after = yaml.compose(changed, Loader=LOADER)
    except yaml.YAMLError:
        return False
    return bool(_others(before, scenario, key) == _others(after, scenario, key))


def _others(root: yaml.Node | None, scenario: str, key: str) -> Any:
    """All that a document says besides this key of this scenario."""
    node = _scenario(root, scenario)
    if node is not None:
        node.value = [(name, value) for name, value in node.value if name.value != key]
    return _plain(root)


def _plain(node: yaml.Node | None) -> Any:
    if isinstance(node, yaml.MappingNode):
        return [(_plain(name), _plain(value)) for name, value in node.value]
    if isinstance(node, yaml.SequenceNode):
        return [_plain(value) for value in node.value]
    return node and (node.tag, node.value)


def _write(path: Path, content: bytes) -> None:
    target = path.resolve()
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(name, target.stat().st_mode)
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise
