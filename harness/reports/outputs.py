"""Files that a run is written to for others: the end of a name tells the format. Documented in docs/outputs.md."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from harness.reports.files import Target
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
    """A file to write a run to, and how."""

    target: Target
    form: Write

    @classmethod
    def to(cls, path: Path) -> Output:
        """The output to a path. Raises ValueError and OSError as `Target.to`."""
        target = Target.to(path, FORMATS)
        return cls(target, FORMATS[target.end])

    def write(self, views: Sequence[RunView], document: Document) -> None:
        """Write the file, whole or not at all. Raises OSError."""
        self.target.write(self.form(views, document))
