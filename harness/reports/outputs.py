"""Files that a run is written to for others: the end of a name tells the format. Documented in docs/outputs.md."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from harness.reports.run_view import RunView

Document = Mapping[str, Any]
Write = Callable[[Sequence[RunView], Document], Iterable[str]]
"""From the runs of a command, one a version, and what they come to as one JSON document, to pieces of text."""


def _json(views: Sequence[RunView], document: Document) -> Iterable[str]:
    return (json.dumps(document, ensure_ascii=True, indent=2), "\n")


def _json_lines(views: Sequence[RunView], document: Document) -> Iterable[str]:
    from harness.reports.episode_lines import episode_lines  # as below, only what is asked for is imported

    return episode_lines(views)


def _junit(views: Sequence[RunView], document: Document) -> Iterable[str]:
    from harness.reports.junit import junit

    out = BytesIO()
    junit(views).write(out, encoding="utf-8", xml_declaration=True)
    return (out.getvalue().decode(), "\n")


def _markdown(views: Sequence[RunView], document: Document) -> Iterable[str]:
    from harness.reports.markdown import markdown

    return (markdown(views),)


FORMATS: Mapping[str, Write] = {".json": _json, ".jsonl": _json_lines, ".junit.xml": _junit, ".md": _markdown}
"""How files are written, by the end of their names."""


@dataclass(frozen=True, slots=True)
class Output:
    """A file to write, and how."""

    path: Path
    form: Write

    @classmethod
    def to(cls, path: Path) -> Output:
        """The output to a path, which is made absolute: an agent may change the folder before anything is written.

        Raises ValueError for a name that tells no format, OSError where no file can be written: both before a run.
        """
        form = next((form for end, form in FORMATS.items() if _ends(path.name, end)), None)
        if form is None:
            raise ValueError(f"its name tells no format: it may end in {', '.join(FORMATS)}")
        path = path.absolute()
        if path.is_dir():
            raise IsADirectoryError(None, "it is a folder: name a file in it")
        if not path.parent.is_dir():
            raise FileNotFoundError(None, f"there is no folder {path.parent}: make it first")
        with _beside(path):
            pass
        return cls(path, form)

    def write(self, views: Sequence[RunView], document: Document) -> None:
        """Write the file, whole or not at all. Raises OSError."""
        with _beside(self.path) as part:
            with part.open("w", encoding="utf-8", newline="\n") as file:
                file.writelines(self.form(views, document))
            part.replace(self.path)


def _ends(name: str, end: str) -> bool:
    """Whether a name ends so; `junit.xml` has no more to its name."""
    return name.endswith(end) or (end.count(".") > 1 and f".{name}" == end)


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """A new file in the same folder, which is gone afterwards unless it was put in place."""
    part = path.with_name(f".turngate-{os.getpid()}-{secrets.token_hex(4)}")
    part.touch(exist_ok=False)
    try:
        yield part
    finally:
        part.unlink(missing_ok=True)
