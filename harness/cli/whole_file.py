"""Writing a file whole or not at all."""

from __future__ import annotations

import gzip
import os
import secrets
from collections.abc import Iterable
from pathlib import Path

from harness.cli.exits import UserError


def write_whole(path: Path, lines: Iterable[bytes]) -> None:
    """Write lines to the file of `-o`, compressed where its name ends in `.gz`; what fails on the way leaves what was
    there as it was. Raises UserError for what can't be written.
    """
    if path.is_dir():
        raise UserError(f"-o {path}: it is a folder: name a file in it")
    part = path.with_name(f".turngate-{os.getpid()}-{secrets.token_hex(4)}")
    try:
        with gzip.open(part, "wb") if path.suffix == ".gz" else part.open("wb") as file:
            file.writelines(lines)
        part.replace(path)
    except OSError as error:
        raise UserError(f"-o {path}: can't be written: {error.strerror}") from None
    finally:
        part.unlink(missing_ok=True)
