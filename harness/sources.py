"""The files that a user's Python consists of, told by what it imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path


def local_sources(file: Path, base: Path) -> list[Path]:
    """The file and every file that it imports, directly or not, as far as its text says: beside or below it, or from
    `base`; sorted.
    """
    roots = (file.parent, base)
    found: set[Path] = set()
    waiting = [file]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        waiting += [sibling for names in _imports(path) for sibling in _files(roots, path, names)]
    return sorted(found)


def _imports(path: Path) -> Iterator[tuple[int, str]]:
    """What a file imports: the level of a relative import (0: absolute) and the dotted name."""
    try:
        tree = ast.parse(path.read_bytes())
    except SyntaxError:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((0, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            prefix = f"{node.module}." if node.module else ""
            if node.module:
                yield node.level, node.module
            yield from ((node.level, prefix + alias.name) for alias in node.names)


def _files(roots: tuple[Path, ...], importer: Path, names: tuple[int, str]) -> Iterator[Path]:
    level, name = names
    for start in importer.parents[level - 1 : level] if level else roots:
        target = start
        for part in name.split("."):  # to import a.b is to import a as well
            target = target / part
            yield from (file for file in (target.with_suffix(".py"), target / "__init__.py") if file.is_file())
