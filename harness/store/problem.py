"""What can go wrong with a store, told so that somebody can do something about it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

_ADVICE = {
    "database or disk is full": "the disk is full: make room; what was stored before is whole",
    "disk i/o error": "the disk does not take it: check the device and its free space; what was stored before is whole",
    "readonly database": "the file or its folder is read-only: choose another place with --store, or allow writing",
    "unable to open database file": "the file can't be opened: its folder must allow writing, for SQLite puts two more "
    "files there; or choose another place with --store",
    "database is locked": "another process has been writing to it for too long: wait for it, or end it",
    "file is not a database": "it is no SQLite database: choose another file with --store",
    "database disk image is malformed": "the file is damaged: restore it, or choose another with --store",
}


class StoreProblem(Exception):
    """Something about the store that a person can put right; the text says what, where and how."""


class StoreLost(StoreProblem):
    """The store is no longer there, and nothing that was written to it is kept."""


@contextmanager
def told(where: str) -> Iterator[None]:
    """Raise what the database refuses as StoreProblem. `where` names the store, without any password."""
    try:
        yield
    except IntegrityError as error:
        raise StoreProblem(f"{where}: the store refuses what does not belong together: {_cause(error)}") from error
    except DBAPIError as error:
        cause = _cause(error)
        advice = next((text for sign, text in _ADVICE.items() if sign in cause.lower()), None)
        raise StoreProblem(f"{where}: {advice} ({cause})" if advice else f"{where}: {cause}") from error
    except SQLAlchemyError as error:
        raise StoreProblem(f"{where}: {error}") from error
    except UnicodeEncodeError as error:
        raise StoreProblem(f"{where}: a name with broken characters can't be stored: {error.object!a}") from error


def _cause(error: DBAPIError) -> str:
    return str(error.orig).strip().splitlines()[0] if str(error.orig).strip() else type(error.orig).__name__
