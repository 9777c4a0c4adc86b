"""Files that a report is written to: the end of the name tells the format, and a file is there whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self


@dataclass(frozen=True, slots=True)
class Target:
    """A file to write, and the end of its name that tells the format."""

    path: Path
    end: str

    @classmethod
    def to(cls, path: Path, ends: Iterable[str]) -> Self:
        """The file of that path, which is made absolute: an agent may change the folder before anything is written.

        Raises ValueError for a name that ends in none of `ends`, OSError where no file can be written: both before
        there is anything to write.
        """
        known = tuple(ends)
        end = next((end for end in known if _ends(path.name, end)), None)
        if end is None:
            raise ValueError(f"its name tells no format: it may end in {', '.join(known)}")
        path = path.absolute()
        if path.is_dir():
            raise IsADirectoryError(None, "it is a folder: name a file in it")
        if not path.parent.is_dir():
            raise FileNotFoundError(None, f"there is no folder {path.parent}: make it first")
        with _beside(path):
            pass
        return cls(path, end)

    def write(self, pieces: Iterable[str]) -> None:
        """Write the file. Raises OSError."""
        with _beside(self.path) as part:
            with part.open("w", encoding="utf-8", newline="\n") as file:
                file.writelines(pieces)
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
