"""The examples of the documents: named files in fenced blocks, which together make bundles that can be played.

A fenced block whose first line names a file (`# scenarios/refunds.yaml`; in Markdown `<!-- policy/refunds.md -->`) is
that file. The blocks of a page make one bundle, until a line of its own begins another: `<!-- bundle -->` an empty one,
`<!-- over: customer_service -->` one that lies over a workflow that comes with turngate; a `workflow.yaml` of its own
brings its own scenarios. `<!-- plays: agent.py:build -->` names agents (relative to the bundle) that its scenarios must
pass with. Files of CI servers, whose names begin with a dot, belong to no bundle: test_ci.py looks at them.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [page for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))) if page.exists()]

_PART = re.compile(
    r"(?P<fence>`{3,})(?P<language>\w*)[ \t]*\n(?P<body>.*?)^(?P=fence)[ \t]*$"
    r"|^<!-- (?P<begins>bundle|over: (?P<over>\w+)) -->$|^<!-- plays: (?P<agents>.+?) -->$",
    re.DOTALL | re.MULTILINE,
)
_NAME = re.compile(r"(?:# |<!-- )(?P<file>[\w./-]+\.(?:ya?ml|py|md))(?: -->)?\s*")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block. `line`: of its first line, counted from 1. `file`: what it stands for, None if it names none."""

    page: Path
    language: str
    line: int
    text: str

    @property
    def file(self) -> str | None:
        named = _NAME.fullmatch(self.text.split("\n", 1)[0])
        return named["file"] if named else None

    @property
    def place(self) -> str:
        return f"{self.page.relative_to(ROOT).as_posix()}:{self.line}"


@dataclass(slots=True)
class Example:
    """A bundle in the making: the named blocks of a page, or of a part of it."""

    over: str | None = None
    blocks: list[Block] = field(default_factory=list)
    agents: list[str] = field(default_factory=list)

    @property
    def place(self) -> str:
        return self.blocks[0].place

    @property
    def files(self) -> dict[str, Block]:
        return {str(block.file): block for block in self.blocks}

    @property
    def playable(self) -> bool:
        return any(block.language == "yaml" for block in self.blocks)

    def write(self, folder: Path) -> Path:
        """Write the files. Each begins at its line of the page, so that problems name lines of the page."""
        if self.over is not None:
            shutil.copytree(ROOT / "workflows" / self.over, folder, ignore=shutil.ignore_patterns("__pycache__"))
            if "workflow.yaml" in self.files:
                shutil.rmtree(folder / "scenarios")
        assert len(self.files) == len(self.blocks), f"{self.place}: two blocks of this bundle are one file"
        for name, block in self.files.items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("\n" * (block.line - 1) + block.text, encoding="utf-8")
        return folder

    def in_the_page(self, text: str) -> str:
        """A text with files of the bundle named as the page that they stand in."""
        for name, block in self.files.items():
            page = block.page.relative_to(ROOT).as_posix()
            text = re.sub(rf"[^\s:]*\b{re.escape(name)}(?=:\d)", page, text)
        return text


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    return (part for part in _parts(page) if isinstance(part, Block))


def examples(page: Path) -> list[Example]:
    """The bundles of a page, in order."""
    made = [Example()]
    for part in _parts(page):
        if isinstance(part, Block):
            made[-1].blocks += [part] if part.file and not part.file.startswith(".") else []
        elif part["begins"]:
            made.append(Example(part["over"]))
        else:
            made[-1].agents += part["agents"].split()
    return [example for example in made if example.playable]


def _parts(page: Path) -> Iterator[Block | re.Match[str]]:
    text = page.read_text("utf-8")
    for found in _PART.finditer(text):
        if found["fence"]:
            yield Block(page, found["language"], text.count("\n", 0, found.start("body")) + 1, found["body"])
        else:
            yield found
