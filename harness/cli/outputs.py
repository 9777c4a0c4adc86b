"""Results for others, by `-o` and `--annotations`: what can't be written is told before anything is played."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from harness.cli.exits import UserError
from harness.reports.annotations import annotation_lines
from harness.reports.outputs import Document, Output
from harness.reports.run_view import RunView

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Outputs:
    """The files to write, and whether GitHub's annotations are printed."""

    files: tuple[Output, ...]
    annotated: bool


def outputs_to(paths: Iterable[Path], annotate: str | None = None) -> Outputs:
    """The outputs to these files. `annotate`: `github` or `none`; by default where GitHub Actions runs the command.

    Raises UserError for a format that is not known, or where no file can be written.
    """
    if annotate not in (None, "github", "none"):
        raise UserError(f"--annotations {annotate}: it may be github or none")
    annotated = annotate == "github" or (annotate is None and os.environ.get("GITHUB_ACTIONS") == "true")
    return Outputs(tuple(checked(path, Output.to) for path in paths), annotated)


def checked(path: Path, to: Callable[[Path], T]) -> T:
    """What `to` makes of a path. Raises UserError for its ValueError and OSError."""
    try:
        return to(path)
    except OSError as error:
        raise UserError(f"-o {path}: {error.strerror}") from None
    except ValueError as error:
        raise UserError(f"-o {path}: {error}") from None


def write_all(outputs: Outputs, views: Sequence[RunView], document: Document) -> None:
    """Write them. Raises UserError, for the first that can't be written after all, when the others are."""
    if outputs.annotated:
        sys.stdout.writelines(f"{line}\n" for line in annotation_lines(views, _in_repository))
        sys.stdout.flush()
    wrong = []
    for output in outputs.files:
        try:
            output.write(views, document)
        except OSError as error:
            wrong.append(f"-o {output.target.path}: can't be written: {error.strerror}")
    if wrong:
        again = " and ".join(f"`turngate gate {view.run} -o FILE`" for view in views)
        raise UserError(f"{'; '.join(wrong)}. All is stored: {again} can write it again")


def _in_repository(file: str) -> str:
    """A file, named from the current folder or in full, as GitHub names it: from the top of the checkout."""
    top = Path(os.environ.get("GITHUB_WORKSPACE") or Path.cwd()).resolve()
    full = Path(file).resolve()
    return full.relative_to(top).as_posix() if full.is_relative_to(top) else file
