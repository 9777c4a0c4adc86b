"""Exit codes, and how a user's mistake is said: what is wrong, where, what to do; never a traceback."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import NoReturn


class Exit(IntEnum):
    """What the exit code of a command says."""

    PASSED = 0
    FAILED = 1
    WRONG = 2
    UNDECIDED = 3
    MISSING = 4
    INTERRUPTED = 130


class UserError(Exception):
    """A mistake of the person who typed the command. `code` is the exit code."""

    def __init__(self, text: str, code: Exit = Exit.WRONG) -> None:
        super().__init__(text)
        self.code = code


def complain(text: str, code: Exit = Exit.WRONG) -> NoReturn:
    """Say what is wrong on stderr and end with the code."""
    from harness.reports.printable import printable

    print(f"turngate: {printable(text)}", file=sys.stderr)  # noqa: T201
    raise SystemExit(code)


_MISTAKES = {
    "harness.agents.problem.AgentProblem": Exit.WRONG,
    "harness.runs.resume.CantResume": Exit.WRONG,
    "harness.runs.selection.NothingSelectedError": Exit.UNDECIDED,
    "harness.runs.selection.TooManyEpisodesError": Exit.WRONG,
    "harness.store.problem.StoreProblem": Exit.WRONG,
    "harness.workflow.problems.Problems": Exit.WRONG,
}
"""Exceptions that tell a user's mistake, by name: importing them all would load half of the engine for any command."""


@contextmanager
def mistakes_told() -> Iterator[None]:
    """Turn every exception that is a user's mistake into one clear message and the right exit code."""
    try:
        yield
    except UserError as error:
        complain(str(error), error.code)
    except OSError as error:
        complain(f"{error.filename}: {error.strerror}" if error.filename and error.strerror else str(error))
    except Exception as error:  # noqa: BLE001  what is no user's mistake is raised again
        names = (f"{kind.__module__}.{kind.__qualname__}" for kind in type(error).__mro__)
        code = next((_MISTAKES[name] for name in names if name in _MISTAKES), None)
        if code is None:
            # Python would end with 1, which says that a rule failed.
            traceback.print_exc()
            complain("this is a fault of turngate itself, not yours: please report it with the lines above")
        complain(str(error), code)
