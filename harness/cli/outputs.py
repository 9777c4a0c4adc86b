"""The option `-o`: what can't be written is told before anything is played."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from harness.cli.exits import UserError
from harness.reports.outputs import Document, Output
from harness.reports.run_view import RunView

T = TypeVar("T")


def outputs_to(paths: Iterable[Path]) -> list[Output]:
    """The outputs to these files. Raises UserError for a format that is not known, or where no file can be written."""
    return [checked(path, Output.to) for path in paths]


def checked(path: Path, to: Callable[[Path], T]) -> T:
    """What `to` makes of a path. Raises UserError for its ValueError and OSError."""
    try:
        return to(path)
    except OSError as error:
        raise UserError(f"-o {path}: {error.strerror}") from None
    except ValueError as error:
        raise UserError(f"-o {path}: {error}") from None


def write_all(outputs: Iterable[Output], views: Sequence[RunView], document: Document) -> None:
    """Write them. Raises UserError, for the first that can't be written after all, when the others are."""
    wrong = []
    for output in outputs:
        try:
            output.write(views, document)
        except OSError as error:
            wrong.append(f"-o {output.target.path}: can't be written: {error.strerror}")
    if wrong:
        again = " and ".join(f"`turngate gate {view.run} -o FILE`" for view in views)
        raise UserError(f"{'; '.join(wrong)}. All is stored: {again} can write it again")
