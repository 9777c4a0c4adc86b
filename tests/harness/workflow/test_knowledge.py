from __future__ import annotations

from pathlib import Path

import pytest

from harness.model.source import Scalar, Where
from harness.workflow.knowledge import read_knowledge
from harness.workflow.problems import Problem

DOCUMENT = """# Refunds {#R}

General.

## Refund window {#R2}

30 days.

### Exceptions

None, not even

```
# this is no heading {#NO}
```

### Gold customers {#R3} ##

60 days.

## History

Not a clause.
"""


def read(root: Path, *patterns: str) -> tuple[list[tuple[str, str, str]], list[Problem]]:
    problems: list[Problem] = []
    places = [Scalar(pattern, True, Where("workflow.yaml", 5, 9)) for pattern in patterns]
    documents = read_knowledge(root, places, "shop", problems)
    return [(clause.id, clause.title, clause.text) for document in documents for clause in document.clauses], problems


def test_clauses_and_how_far_they_go(tmp_path) -> None:
    (tmp_path / "a.md").write_text(DOCUMENT, encoding="utf-8")
    clauses, problems = read(tmp_path, "*.md")
    assert not problems
    assert clauses == [
        ("R", "Refunds", "General."),
        ("R2", "Refund window", "30 days.\n\n### Exceptions\n\nNone, not even\n\n```\n# this is no heading {#NO}\n```"),
        ("R3", "Gold customers", "60 days."),
    ]


def test_files_in_order_each_once(tmp_path) -> None:
    (tmp_path / "policy").mkdir()
    (tmp_path / "policy" / "b.md").write_bytes(b"\xef\xbb\xbf## B {#B}\r\n\r\ntext\r\n")
    (tmp_path / "policy" / "a.md").write_text("## A {#A}\n", encoding="utf-8")
    clauses, problems = read(tmp_path, "policy/b.md", "policy/*.md")
    assert not problems
    assert clauses == [("A", "A", ""), ("B", "B", "text")]


def test_what_is_missing_or_double_is_told(tmp_path) -> None:
    (tmp_path / "a.md").write_text("## A {#R1}\n", encoding="utf-8")
    (tmp_path / "b.md").write_text("intro\n\n## B {#R1}\n", encoding="utf-8")
    (tmp_path / "c.md").write_bytes(b"caf\xe9")
    _, problems = read(tmp_path, "*.md", "policy/*.md", "/etc/*.md")
    assert sorted(map(str, problems)) == [
        "shop/b.md:3:1: clause `R1` is here twice, first at shop/a.md:1:1",
        "shop/c.md:1:4: the byte 0xE9 is not UTF-8 (save the file as UTF-8)",
        "workflow.yaml:5:9: no file fits `/etc/*.md` (paths are relative to this file)",
        "workflow.yaml:5:9: no file fits `policy/*.md` (paths are relative to this file)",
    ]


@pytest.mark.parametrize("pattern", [".", "..", "", "/", "[", "**.md", "\0", "policy"])
def test_patterns_that_find_no_file(tmp_path, pattern: str) -> None:
    (tmp_path / "policy").mkdir()
    _, problems = read(tmp_path, pattern)
    assert [problem.what for problem in problems] == [f"no file fits `{pattern}`"]
