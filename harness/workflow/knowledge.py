"""Knowledge: Markdown files, and the numbered clauses in them (`## Refund window {#R2}`)."""

from __future__ import annotations

import re
from pathlib import Path

from harness.model.material import Clause, Document
from harness.model.source import Scalar, Where
from harness.workflow.problems import Problem, Problems
from harness.workflow.yaml_nodes import read_text

_HEADING = re.compile(r" {0,3}(#{1,6})\s+(.*?)\s*(?:\{#([^\s{}]+)\})?[\s#]*")
_FENCE = re.compile(r" {0,3}(```|~~~)")


def read_knowledge(root: Path, patterns: list[Scalar], shown: str, problems: list[Problem]) -> tuple[Document, ...]:
    """The documents that the patterns (relative to `root`) find, in order of their paths; `shown` is what `root` is
    called in problems. A pattern that finds nothing, and a clause that is there twice, are problems.
    """
    found: dict[str, Path] = {}
    for pattern in patterns:
        matches = {path.relative_to(root).as_posix(): path for path in _glob(root, pattern.raw)}
        if not matches:
            problems.append(Problem(pattern.at, f"no file fits `{pattern.raw}`", do="paths are relative to this file"))
        found.update(matches)
    documents = []
    seen: dict[str, Where] = {}
    for source in sorted(found):
        name = f"{shown}/{source}"
        try:
            text = read_text(found[source], name)
        except Problems as error:
            problems.extend(error.problems)
            continue
        document, places = _document(source, text, name)
        for clause, where in places:
            if clause in seen:
                problems.append(Problem(where, f"clause `{clause}` is here twice, first at {seen[clause]}"))
            seen.setdefault(clause, where)
        documents.append(document)
    return tuple(documents)


def _glob(root: Path, pattern: str) -> list[Path]:
    try:
        return [path for path in root.glob(pattern) if path.is_file()]
    except (OSError, ValueError, IndexError, NotImplementedError):  # an IndexError for `.`
        return []


def _document(source: str, text: str, name: str) -> tuple[Document, list[tuple[str, Where]]]:
    """A document, and the places of its clauses. A clause's text goes on to the next clause, or to the next heading of
    its own level or above; a `#` inside a fenced block is no heading.
    """
    clauses: list[Clause] = []
    places: list[tuple[str, Where]] = []
    body: list[str] | None = None
    level = 0
    fence: str | None = None

    def close() -> None:
        if body is not None:
            last = clauses.pop()
            clauses.append(Clause(last.id, last.title, "\n".join(body).strip(), last.source))

    for number, line in enumerate(text.split("\n"), 1):
        mark = _FENCE.match(line)
        if mark and fence in (None, mark[1]):
            fence = mark[1] if fence is None else None
        heading = None if fence or mark else _HEADING.fullmatch(line)
        if heading and (heading[3] or len(heading[1]) <= level):
            close()
            body, level = None, 0
            if heading[3]:
                clauses.append(Clause(heading[3], heading[2], "", source))
                places.append((heading[3], Where(name, number)))
                body, level = [], len(heading[1])
        elif body is not None:
            body.append(line)
    close()
    return Document(source, text, tuple(clauses)), places
