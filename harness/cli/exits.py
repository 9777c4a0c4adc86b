"""Exit codes, and how a user's mistake is said: what is wrong, where, what to do; never a traceback."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import NoReturn

_LARGEST = 125
"""Shells have meanings of their own for greater codes."""


class Exit(IntEnum):
    """What the exit code of a command says."""

    PASSED = 0
    FAILED = 1
    WRONG = 2
    UNDECIDED = 3
    MISSING = 4
    INTERRUPTED = 130


_OPEN = {"failed": Exit.FAILED, "undecided": Exit.UNDECIDED, "missing": Exit.MISSING}
"""What a gate comes to that another code may stand for. A mistake, an interruption and a pass keep theirs."""


def exits(zero: bool, given: Iterable[str]) -> Callable[[int], int]:
    """From what a gate comes to, to the exit code that was asked for: 0 with `zero`, and as `given`, `undecided=0`.

    Raises UserError for what can't be meant.
    """
    codes = dict.fromkeys(_OPEN.values(), 0) if zero else {}
    for text in given:
        name, _, code = text.partition("=")
        if name not in _OPEN or not code.isdecimal() or int(code) > _LARGEST:
            raise UserError(
                f"--exit {text}: write {', '.join(_OPEN)} and a code from 0 to {_LARGEST}, as in --exit undecided=0"
            )
        codes[_OPEN[name]] = int(code)
    return lambda code: codes.get(Exit(code), code)


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
